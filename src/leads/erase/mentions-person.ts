import { sql, type SQL } from 'drizzle-orm';
import type { Contact } from '../../operation/eraser.ts';

/** Lowercases only ASCII letters, like SQLite's lower(). */
const toAsciiLowerCase = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const escapeGlob = (text: string): string => text.replace(/[*?[]/g, '[$&]');

/** Letters and digits as a GLOB range, without punctuation such as curly quotes. */
const LETTERS_AND_DIGITS = '0-9a-zÀ-῿';

/**
 * GLOB pattern for lowercase text that contains a word with none of these characters before it and
 * no letter or digit after it.
 */
const toWordPattern = (word: string, before: string): string =>
  `*[^${before}]${escapeGlob(toAsciiLowerCase(word))}[^${LETTERS_AND_DIGITS}]*`;

/**
 * Matches names with at least two words of two letters or more; shorter names occur in text by
 * chance.
 */
const FULL_NAME_PATTERN = /[\p{L}\p{M}]{2}.*\s.*[\p{L}\p{M}]{2}/u;

const listNamePatterns = ({ contactName }: Contact): string[] => {
  const name = contactName?.trim() ?? '';
  return FULL_NAME_PATTERN.test(name) ? [toWordPattern(name, LETTERS_AND_DIGITS)] : [];
};

const listEmailPatterns = ({ contactEmail }: Contact): string[] =>
  contactEmail === null ? [] : [toWordPattern(contactEmail, `${LETTERS_AND_DIGITS}.+_-`)];

/** GLOB patterns for the zero to three characters between the parts of a phone number. */
const SEPARATORS = JSON.stringify([0, 1, 2, 3].map((count) => '[-.() ]'.repeat(count)));

/**
 * True if text contains the US number in `word.value` (E.164), in any of its usual formats. SQLite
 * builds the 17 patterns, and only for text that contains the last four digits: most purges find no
 * such text, and sending the patterns of all leads would take a third of their time.
 */
function containsUsNumber(text: SQL): SQL {
  const [area, exchange, line] = [3, 6, 9].map((start) =>
    sql.raw(`substr(word.value, ${start}, ${start === 9 ? 4 : 3})`),
  );
  const separated = sql`${area} || first.value || ${exchange} || second.value || ${line}`;
  return sql`word.value glob ${`+1${'[0-9]'.repeat(10)}`} and instr(${text}, ${line}) and (${text} glob '*[^0-9]' || substr(word.value, 2) || '[^0-9]*' or exists (select 1 from json_each(${SEPARATORS}) as first, json_each(${SEPARATORS}) as second where ${text} glob '*[^0-9]' || ${separated} || '[^0-9]*'))`;
}

const removePunctuation = (text: SQL): SQL =>
  [' ', '-', '(', ')', '.'].reduce((rest, mark) => sql`replace(${rest}, ${mark}, '')`, text);

/** True if text that matches `guard` meets the condition for any of the values in `word.value`. */
const anyValueMeets = (values: readonly string[], guard: SQL, condition: SQL): SQL[] =>
  values.length
    ? [
        sql`(${guard} and exists (select 1 from json_each(${JSON.stringify([...new Set(values)])}) as word where ${condition}))`,
      ]
    : [];

/**
 * True if the text mentions one of the people by email address, phone number or full name, as whole
 * words. Undefined if no personal details are known.
 */
export function mentionsPerson(text: SQL, people: readonly Contact[]): SQL | undefined {
  // In JSON text, line breaks are escaped.
  const words = ['\\n', '\\t'].reduce(
    (rest, mark) => sql`replace(${rest}, ${mark}, ' ')`,
    sql`' ' || lower(${text}) || ' '`,
  );
  const isMatch = sql`${words} glob word.value`;
  const hasNumber = sql`${text} glob '*[0-9][0-9]*'`;
  const numbers = people.flatMap(({ contactPhone }) => contactPhone ?? []);
  const found = [
    ...anyValueMeets(people.flatMap(listNamePatterns), sql`true`, isMatch),
    ...anyValueMeets(people.flatMap(listEmailPatterns), sql`instr(${text}, '@')`, isMatch),
    ...anyValueMeets(numbers, hasNumber, containsUsNumber(words)),
    ...anyValueMeets(
      numbers,
      sql`instr(${text}, '+')`,
      sql`instr(${removePunctuation(text)}, word.value)`,
    ),
  ];
  return found.length ? sql`(${sql.join(found, sql` or `)})` : undefined;
}
