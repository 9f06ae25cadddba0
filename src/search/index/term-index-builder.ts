import { type Field, INDEX_FIELDS, type StoredEntry, TermIndex } from './term-index.ts';
import { termOf, wordsOf } from './terms.ts';

export class TermIndexBuilder<Entry extends StoredEntry> {
  readonly #lengths = INDEX_FIELDS.map((): number[] => []);
  /** For each term and field, entries and their frequencies, alternating. */
  readonly #postings = new Map<string, (number[] | undefined)[]>();
  readonly #stored: Entry[] = [];

  add(texts: Readonly<Record<Field, string>>, stored: Entry): void {
    const id = this.#stored.push(stored) - 1;
    for (const [field, name] of INDEX_FIELDS.entries()) {
      const words = wordsOf(texts[name]);
      this.#lengths[field]!.push(new Set(words).size);
      for (const word of words) {
        const term = termOf(word);
        if (term) this.#count(term, field, id);
      }
    }
  }

  #count(term: string, field: number, id: number): void {
    let entriesByField = this.#postings.get(term);
    if (!entriesByField) this.#postings.set(term, (entriesByField = []));
    const entries = (entriesByField[field] ??= []);
    if (entries.at(-2) === id) entries[entries.length - 1]!++;
    else entries.push(id, 1);
  }

  build(): TermIndex<Entry> {
    const postings: number[] = [];
    for (const entriesByField of this.#postings.values()) {
      const fieldsWithTerm = [...entriesByField.entries()].filter(([, entries]) => entries);
      const ids = fieldsWithTerm.flatMap(([, entries = []]) =>
        entries.filter((_, at) => at % 2 === 0),
      );
      postings.push(new Set(ids).size, fieldsWithTerm.length);
      for (const [field, entries = []] of fieldsWithTerm) {
        postings.push(field, entries.length / 2);
        for (const number of entries) postings.push(number);
      }
    }
    return new TermIndex({
      fields: INDEX_FIELDS,
      lengths: this.#lengths,
      terms: [...this.#postings.keys()],
      postings,
      stored: this.#stored,
    });
  }
}
