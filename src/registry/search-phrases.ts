import { z } from 'zod';
import { line } from './schemas/text.ts';

/** Search phrases for a passage: the questions and words that people use. */
export const searchPhrases = z
  .array(line(120).regex(/^[^<>*_`[\]{}|\\]+$/, 'has markup. Use plain words, as people say them'))
  .min(1)
  .max(20)
  .describe(
    'How people ask for this in their own words, preferably words that the text lacks. Only the search uses them; its public index contains the individual words.',
  );

/** Search phrases for parts of Markdown text. */
export const phrasesByWords = z
  .record(line(100), searchPhrases)
  .describe(
    'How people ask for parts of the text, each identified by its heading or by words in it.',
  );

/** Search phrases for an item or for parts of it. */
export const itemPhrases = z
  .union([searchPhrases, phrasesByWords])
  .describe(
    'a list of ways in which people ask for it; or one such list for each key, where a key is a heading or words from the title, summary or body',
  );

/** A statement of at most `max` characters, alone or with search phrases. */
export const createStatementSchema = (max: number) =>
  z
    .union([
      line(max),
      z.strictObject({ text: line(max).describe('The statement.'), asked: searchPhrases }),
    ])
    .describe('a one-line statement, or text (the statement) and asked (how people ask for it)')
    .transform((value) => (typeof value === 'string' ? value : value.text));

/**
 * The search phrases of one record, by location: a path such as `facts.3` or `availability`; a
 * heading or other words from Markdown text; for part of an item, the item index followed by such
 * words, as in `items.3.Return`.
 */
export type SearchPhrases = Readonly<Record<string, readonly string[]>>;

/** Record keys whose value, or whose entries if it is a list, may have `asked`. */
const PHRASE_KEYS = ['facts', 'guide', 'pricing', 'serviceArea', 'availability', 'items'] as const;

const isList = (phrasings: readonly string[] | SearchPhrases): phrasings is readonly string[] =>
  Array.isArray(phrasings);

/** The search phrases in a valid record, as written. */
export function searchPhrasesOf(record: unknown): SearchPhrases {
  const { asked: phrasesByText, ...written } = record as { asked?: SearchPhrases } & Record<
    string,
    unknown
  >;
  const found: [place: string, phrasings: readonly string[]][] = [];
  const collect = (place: string, value: unknown) => {
    const { asked: phrasings } = Object(value) as { asked?: readonly string[] | SearchPhrases };
    if (!phrasings) return;
    if (isList(phrasings)) found.push([place, phrasings]);
    else for (const words in phrasings) found.push([`${place}.${words}`, phrasings[words]!]);
  };
  for (const name of PHRASE_KEYS) {
    const { [name]: value } = written;
    if (Array.isArray(value))
      for (const [index, part] of value.entries()) collect(`${name}.${index}`, part);
    else collect(name, value);
  }
  return { ...phrasesByText, ...Object.fromEntries(found) };
}
