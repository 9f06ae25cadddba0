import { sql, type SQL } from 'drizzle-orm';
import type { Contact } from '../../operation/eraser.ts';

/** Lowercases only ASCII letters, like SQLite's lower(). */
const toAsciiLowerCase = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The digits of a phone number without the North American country code. */
const normalizeDigits = (phone: string): string => phone.replace(/^\+1(?=\d{10}$)|\D/g, '');

const removePunctuation = (text: SQL): SQL =>
  [' ', '-', '(', ')', '.'].reduce((rest, mark) => sql`replace(${rest}, ${mark}, '')`, text);

/** True if the text contains any of the words. */
const containsAny = (text: SQL, words: readonly string[]): SQL[] =>
  words.length
    ? [
        sql`exists (select 1 from json_each(${JSON.stringify(words)}) as word where instr(${text}, word.value) > 0)`,
      ]
    : [];

/**
 * True if the text names one of the people by email address, phone number or full name; first names
 * alone are too common. Undefined if nothing is known about them.
 */
export function mentionsPerson(text: SQL, people: readonly Contact[]): SQL | undefined {
  const words = people.flatMap(({ contactName, contactEmail }) => {
    const name = contactName?.trim();
    return [contactEmail, name?.includes(' ') ? name : null].flatMap((word) =>
      word ? [toAsciiLowerCase(word)] : [],
    );
  });
  const numbers = people.flatMap(({ contactPhone }) =>
    contactPhone === null ? [] : [normalizeDigits(contactPhone)],
  );
  const found = [
    ...containsAny(sql`lower(${text})`, [...new Set(words)]),
    ...containsAny(removePunctuation(text), [...new Set(numbers)]),
  ];
  return found.length ? sql`(${sql.join(found, sql` or `)})` : undefined;
}
