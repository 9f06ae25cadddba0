import { and, desc, or, type SQL, sql } from 'drizzle-orm';
import { leads, outbox } from '../../../db/schema.ts';
import type { LeadAccess } from '../../keys/key-scopes.ts';
import type { Context } from '../../operation/context.ts';
import { findLeads } from './find-leads.ts';
import { isAccessible } from './lead-records.ts';
import { isFirstEvent, type LeadSummary, summary } from './list-leads.ts';

/**
 * Number of newest leads to search. Parts of names are in no index, because they are personal data
 * that an erasure would have to find and remove there; reading 100,000 leads takes about 0.2 s.
 */
export const MAX_SEARCHED = 100_000;

/** Shorter parts would match nearly every lead. */
const MIN_LETTERS = 2;
const MIN_DIGITS = 4;

/** The last code point with Latin letters that have accents. */
const LAST_LATIN_LETTER = 0x24f;

/** The forms of each letter: upper and lower case, with and without accents. */
function listLetterForms(): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (let code = 0x41; code <= LAST_LATIN_LETTER; code++) {
    const letter = String.fromCodePoint(code);
    const base = letter.normalize('NFD')[0]!.toLowerCase();
    if (/^[a-z]$/.test(base)) forms.set(base, (forms.get(base) ?? '') + letter);
  }
  return forms;
}

/** A part in lower case, without accents. */
const normalizePart = (part: string): string =>
  part.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** A GLOB pattern for text that contains a part, in any case and with or without accents. */
function toGlobPattern(text: string): string {
  const formsByLetter = listLetterForms();
  const characters = Array.from(text);
  const patterns = characters.map((character) => {
    if (/[\p{L}\p{N}]/u.test(character))
      return `[${formsByLetter.get(character) ?? character + character.toUpperCase()}]`;
    return /[[\]*?^]/.test(character) ? '?' : character;
  });
  return `*${patterns.join('')}*`;
}

/** True for leads whose contact contains the part; undefined if the part is too short. */
function containsPart(part: string): SQL | undefined {
  const digits = part.replace(/\D/g, '');
  const isNumber = /^[\d\s()+.-]+$/.test(part);
  if (isNumber)
    return digits.length < MIN_DIGITS
      ? undefined
      : sql`${leads.contactPhone} glob ${`*${digits}*`}`;
  if ((part.match(/\p{L}/gu)?.length ?? 0) < MIN_LETTERS) return undefined;
  const text = normalizePart(part);
  return or(
    sql`instr(lower(${leads.contactName}), ${text})`,
    // The pattern is slow, and needed only for names with non-ASCII letters.
    sql`(${leads.contactName} glob '*[^ -~]*' and ${leads.contactName} glob ${toGlobPattern(text)})`,
    sql`instr(${leads.contactEmail}, ${text})`,
  );
}

/** Finds the newest leads by a part of the contact’s name, email address or phone number. */
async function findLeadsByPart(
  part: string,
  limit: number,
  access: LeadAccess,
  { database: { background } }: Pick<Context, 'database'>,
): Promise<LeadSummary[]> {
  const condition = containsPart(part.trim().replace(/\s+/g, ' '));
  if (!condition) return [];
  const oldest = sql`(select ${leads.createdAt} from ${leads} indexed by leads_created order by ${leads.createdAt} desc limit 1 offset ${MAX_SEARCHED})`;
  const found = sql`select ${leads.token} as token from ${leads} indexed by leads_created where ${and(sql`${leads.createdAt} > coalesce(${oldest}, '')`, condition, isAccessible(access))} order by ${leads.createdAt} desc, ${leads.token} desc limit ${limit}`;
  return background
    .select(summary)
    .from(sql`(${found}) as found`)
    .crossJoin(leads)
    .crossJoin(outbox)
    .where(and(sql`${leads.token} = found.token`, isFirstEvent))
    .orderBy(desc(leads.createdAt), desc(leads.token));
}

/**
 * Searches leads by reference, receipt, email address or phone number or, if there are none, by a
 * part of the contact’s name, email address or phone number; newest first.
 */
export async function searchLeads(
  text: string,
  limit: number,
  access: LeadAccess,
  context: Pick<Context, 'database'>,
): Promise<LeadSummary[]> {
  const found = await findLeads(text, access, context, limit);
  return found.length ? found : findLeadsByPart(text, limit, access, context);
}
