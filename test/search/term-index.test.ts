import fc from 'fast-check';
import MiniSearch from 'minisearch';
import { expect, it } from 'vitest';
import {
  BM25_PARAMETERS,
  FIELD_BOOSTS,
  type Field,
  INDEX_FIELDS,
  PREFIX_WEIGHT,
  type StoredEntry,
  TermIndex,
} from '../../src/search/index/term-index.ts';
import { TermIndexBuilder } from '../../src/search/index/term-index-builder.ts';
import { termOf, wordsOf } from '../../src/search/index/terms.ts';

const boostTerm = (term: string) => term.length;
const isPrefix = (term: string) => term.startsWith('tra');

const word = fc.constantFrom('trailer', 'trail', 'tray', 'sofa', 'sofas', 'rent', 'day', 'the');
const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));
const entry = fc.record({
  weight: fc.option(fc.constantFrom(1.3, 1.6), { nil: undefined }),
  ...(Object.fromEntries(INDEX_FIELDS.map((field) => [field, text])) as Record<Field, typeof text>),
});
const query = fc.record({
  terms: fc.uniqueArray(fc.constantFrom('trailer', 'tra', 'sofa', 'rent', 'other')),
  fields: fc.subarray(INDEX_FIELDS, { minLength: 1 }),
});

it('ranks like MiniSearch, even after it is sent to a browser', () => {
  fc.assert(
    fc.property(
      fc.array(entry, { minLength: 1, maxLength: 8 }),
      fc.array(query, { minLength: 1, maxLength: 3 }),
      (entries, queries) => {
        const miniSearch = new MiniSearch({
          fields: INDEX_FIELDS,
          tokenize: wordsOf,
          processTerm: termOf,
          storeFields: ['weight'],
        });
        const builder = new TermIndexBuilder<StoredEntry>();
        for (const [id, { weight, ...texts }] of entries.entries()) {
          miniSearch.add({ ...texts, weight, id });
          builder.add(texts, weight === undefined ? {} : { weight });
        }
        const askMiniSearch = (asked: typeof queries) =>
          miniSearch.search(
            { queries: asked.map((one) => ({ queries: [...one.terms], fields: one.fields })) },
            {
              tokenize: (term) => [term],
              processTerm: (term) => term,
              boost: FIELD_BOOSTS,
              bm25: BM25_PARAMETERS,
              boostTerm,
              boostDocument: (_id, _term, stored) => Number(stored?.['weight'] ?? 1),
              prefix: isPrefix,
              weights: { fuzzy: 0, prefix: PREFIX_WEIGHT },
            },
          );
        const expected = askMiniSearch(queries);
        const resultsByQuery = queries.map((one) => askMiniSearch([one]));
        // MiniSearch keeps only the fields of the last query that finds a word.
        const fieldsOf = (id: unknown) => {
          const matchedFields: Record<string, Set<string>> = {};
          for (const result of resultsByQuery.flat().filter((one) => one.id === id))
            for (const [matchedWord, names] of Object.entries(result.match))
              for (const name of names) (matchedFields[matchedWord] ??= new Set()).add(name);
          return matchedFields;
        };
        const receivedIndex = new TermIndex<StoredEntry>(
          JSON.parse(JSON.stringify(builder.build())) as ReturnType<
            TermIndex<StoredEntry>['toJSON']
          >,
        );
        const found = receivedIndex.search(queries, { boostTerm, isPrefix });
        const sortedResults = found.toSorted((a, b) => a.id - b.id);
        const sortedExpected = expected.toSorted((a, b) => Number(a.id) - Number(b.id));
        expect(
          sortedResults.map(({ id, match }) => ({
            id,
            match: Object.fromEntries(
              Array.from(match, ([matchedWord, names]) => [matchedWord, new Set(names)]),
            ),
          })),
        ).toEqual(sortedExpected.map(({ id }) => ({ id, match: fieldsOf(id) })));
        for (const [position, { score, queryTerms }] of sortedResults.entries()) {
          const { score: total, queryTerms: terms } = sortedExpected[position]!;
          expect(queryTerms).toEqual(terms);
          expect(score).toBeCloseTo(total / terms.length, 9);
        }
      },
    ),
  );
});

it('counts the entries with a term in any field', () => {
  const builder = new TermIndexBuilder<StoredEntry>();
  const emptyTexts = { words: '', asked: '', meanings: '', implied: '', service: '', place: '' };
  builder.add({ ...emptyTexts, title: 'Trailers', text: 'A trailer' }, {});
  builder.add({ ...emptyTexts, title: 'Sofas', text: 'No trailer' }, {});
  const index = builder.build();
  expect(['trailer', 'sofa', 'tray'].map((term) => index.countEntriesWith(term))).toEqual([
    2, 1, 0,
  ]);
});
