import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm';
import { leads, outbox } from '../../../db/schema.ts';
import type { LeadAccess } from '../../keys/key-scopes.ts';
import type { Context } from '../../operation/context.ts';
import { groupStartsOf, isReference, normalizeReferenceGroups } from '../../operation/tokens.ts';
import { FIRST_EVENT_KIND } from '../lead-rows.ts';
import { findLeads } from './find-leads.ts';
import { isAccessible } from './lead-records.ts';
import { isFirstEvent, type LeadSummary, summaryColumns } from './list-leads.ts';

/**
 * Number of newest leads to search. Parts of names are not indexed, because they are personal data
 * that an erasure would have to find and remove from the index; reading 100,000 leads takes about
 * 0.2 s.
 */
export const MAX_SEARCHED_LEADS = 100_000;

/**
 * Longer text matches no name; SQLite rejects expressions with more than 1,000 terms, one per word.
 */
const MAX_PART_LENGTH = 200;

/** Shorter parts would match nearly every lead. */
const MIN_LETTERS = 2;
const MIN_DIGITS = 4;

/** The last code point of the Unicode blocks with accented Latin letters. */
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

/** The apostrophe on a keyboard, and the characters that people and phones use in its place. */
const APOSTROPHES = "'\u2018\u2019\u02bc\u00b4`";
const APOSTROPHE_PATTERN = new RegExp(`[${APOSTROPHES}]`, 'g');

const normalizePart = (part: string): string =>
  part.normalize('NFD').replace(/\p{M}/gu, '').replaceAll(APOSTROPHE_PATTERN, "'").toLowerCase();

/** A GLOB pattern for text that contains a part, regardless of case and accents. */
function toGlobPattern(text: string): string {
  const formsByLetter = listLetterForms();
  const characters = Array.from(text);
  const patterns = characters.map((character) => {
    if (/[\p{L}\p{N}]/u.test(character))
      return `[${formsByLetter.get(character) ?? character + character.toUpperCase()}]`;
    if (character === "'") return `[${APOSTROPHES}]`;
    return /[[\]*?^]/.test(character) ? '?' : character;
  });
  return `*${patterns.join('')}*`;
}

/** True for leads whose name contains the text, which is lowercase without accents. */
const nameContains = (text: string): SQL =>
  // The pattern is slow, and needed only for names with non-ASCII characters or a backtick.
  sql`(instr(lower(${leads.contactName}), ${text}) or (${leads.contactName} glob '*[^ -_a-~]*' and ${leads.contactName} glob ${toGlobPattern(text)}))`;

/**
 * True for leads whose contact contains the part, or whose name contains each of its words;
 * undefined if the part is too short.
 */
function containsPart(part: string): SQL | undefined {
  const digits = part.replace(/\D/g, '');
  const isNumber = /^[\d\s()+.-]+$/.test(part);
  if (isNumber)
    return digits.length < MIN_DIGITS
      ? undefined
      : // National numbers may begin with a zero that the international form lacks.
        sql`(${leads.contactPhone} glob ${`*${digits}*`} or ${leads.contactPhone} glob ${`*${digits.replace(/^0(?=\d{7})/, '')}*`})`;
  if ((part.match(/\p{L}/gu)?.length ?? 0) < MIN_LETTERS) return undefined;
  const text = normalizePart(part);
  const words = text.split(/[\s,]+/).filter(Boolean);
  return or(and(...words.map(nameContains)), sql`instr(${leads.contactEmail}, ${text})`);
}

/** Tokens of the newest leads whose reference contains these groups. */
function selectTokensByGroups(groups: string, limit: number, access: LeadAccess): SQL {
  // Reading all references takes less than 0.1 s for a million, because an index contains them. An
  // index for each group would change pages at random with each new lead.
  const parts = groupStartsOf(groups).map(
    (start) => sql`substr(${outbox.id}, ${start + 1}, ${groups.length})`,
  );
  const ids = sql`select ${outbox.id} as id from ${outbox} where instr(${outbox.id}, ${groups}) and ${groups} in (${sql.join(parts, sql`, `)})`;
  return sql`with ids as materialized (${ids}) select ${leads.token} as token from ids cross join ${outbox} on ${outbox.id} = ids.id and ${eq(outbox.kind, FIRST_EVENT_KIND)} cross join ${leads} on ${and(eq(leads.token, outbox.lead), isAccessible(access))} order by ids.id desc limit ${limit}`;
}

/** Tokens of the newest leads whose contact meets a condition. */
function selectTokensByContact(condition: SQL, limit: number, access: LeadAccess): SQL {
  const oldest = sql`(select ${leads.createdAt} from ${leads} indexed by leads_created order by ${leads.createdAt} desc limit 1 offset ${MAX_SEARCHED_LEADS})`;
  return sql`select ${leads.token} as token from ${leads} indexed by leads_created where ${and(sql`${leads.createdAt} > coalesce(${oldest}, '')`, condition, isAccessible(access))} order by ${leads.createdAt} desc, ${leads.token} desc limit ${limit}`;
}

const readLeads = async (
  tokens: SQL,
  limit: number,
  background: Context['database']['background'],
): Promise<LeadSummary[]> =>
  background
    .select(summaryColumns)
    .from(sql`(${tokens}) as found`)
    .crossJoin(leads)
    .crossJoin(outbox)
    .where(and(sql`${leads.token} = found.token`, isFirstEvent))
    .orderBy(desc(leads.createdAt), desc(leads.token))
    .limit(limit);

async function findLeadsByPart(
  text: string,
  limit: number,
  access: LeadAccess,
  { database: { background } }: Pick<Context, 'database'>,
): Promise<LeadSummary[]> {
  const part = text.trim().replace(/\s+/g, ' ');
  if (part.length > MAX_PART_LENGTH) return [];
  const [groups, condition] = [normalizeReferenceGroups(part), containsPart(part)];
  const lists = [
    ...(groups === undefined ? [] : [selectTokensByGroups(groups, limit, access)]),
    ...(condition ? [selectTokensByContact(condition, limit, access)] : []),
  ].map((list) => sql`select token from (${list})`);
  return lists.length ? readLeads(sql.join(lists, sql` union `), limit, background) : [];
}

/** The reference of the only lead whose reference contains these groups of four characters. */
export async function findReferenceByGroups(
  text: string,
  { database: { background } }: Pick<Context, 'database'>,
): Promise<string | undefined> {
  const groups = normalizeReferenceGroups(text);
  if (groups === undefined || isReference(groups)) return undefined;
  const [lead, ...others] = await readLeads(selectTokensByGroups(groups, 2, 'all'), 2, background);
  return others.length ? undefined : lead?.reference;
}

/**
 * Searches leads by reference, receipt, email address or phone number or, if none match, by groups
 * of the reference or a part of the contact’s name, email address or phone number; newest first.
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
