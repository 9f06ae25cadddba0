import { sql, type SQL } from 'drizzle-orm';
import type { Contact } from '../operation/eraser.ts';

/** As SQLite’s lower(): only the letters of ASCII change. */
const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A telephone number’s digits as people write them, without the country code of North America. */
const digitsOf = (phone: string): string => phone.replace(/^\+1(?=\d{10}$)|\D/g, '');

const withoutMarks = (text: SQL): SQL =>
  [' ', '-', '(', ')', '.'].reduce((rest, mark) => sql`replace(${rest}, ${mark}, '')`, text);

/**
 * The condition that a text names a person by email, phone number or full name; a first name alone
 * is shared by too many. Undefined where nothing is known about the person.
 */
export function namesPerson(
  text: SQL,
  { contactName, contactEmail, contactPhone }: Contact,
): SQL | undefined {
  const words = [contactEmail, contactName?.trim().includes(' ') ? contactName.trim() : null];
  const found = [
    ...words.flatMap((word) =>
      word === null ? [] : [sql`instr(lower(${text}), ${lower(word)}) > 0`],
    ),
    ...(contactPhone === null
      ? []
      : [sql`instr(${withoutMarks(text)}, ${digitsOf(contactPhone)}) > 0`]),
  ];
  return found.length ? sql`(${sql.join(found, sql` or `)})` : undefined;
}
