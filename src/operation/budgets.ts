import { and, desc, eq, gt, inArray, lte, sql, type SQL } from 'drizzle-orm';
import { budgetUses } from '../../db/schema-budgets.ts';
import { createSigner } from './link-secret.ts';
import type { Context } from './context.ts';
import { networkOf } from './network-of-address.ts';
import type { Call } from './operation.ts';
import { type InputError, Problem } from './problem.ts';
import { combineConditions, insertWhere } from './statements.ts';
import { addDaysToTime } from './time-arithmetic.ts';
import { formatQuantity } from '../site/words/quantity.ts';

/** Budgets with counts in the database, so that they apply across processes and restarts. */
export type CountedBudget =
  | 'leads'
  | 'messages'
  | 'holds'
  | 'storefronts'
  | 'share_links'
  | 'a2a_tasks'
  | 'person_mail'
  | 'answer_mail'
  | 'caller_mail';

/** One use of a budget, such as one lead. */
export interface BudgetUse {
  budget: CountedBudget;
  /** Owner of the budget, as stored. */
  subject: string;
  limit: number;
  /** When the use expires, ISO 8601. */
  until: string;
}

/** A use, with the wording of a rejection when the budget is exhausted. */
export interface BudgetCount extends BudgetUse {
  /** Singular noun for the counted thing, such as `unconfirmed hold`. */
  noun: string;
  /** Scope and period for the error message: `for one contact at a time`. */
  scope: string;
  /** One sentence that explains how the caller can free up the budget sooner. */
  remedy?: string | undefined;
}

/** The subject of budgets that all callers share. */
export const ALL_CALLERS_SUBJECT = 'service';

/** Domains whose addresses belong to the mailboxes of another domain. */
const mainDomains: ReadonlyMap<string, string> = new Map([
  ['googlemail.com', 'gmail.com'],
  ['me.com', 'icloud.com'],
  ['mac.com', 'icloud.com'],
]);

/**
 * The address at its main domain, with any tag such as `+news` and Gmail's dots removed; a phone
 * number is left unchanged.
 */
function mailboxOf(contact: string): string {
  const [, name, sentDomain] = /^([^@]+?)(?:\+.*)?@([^@]+)$/.exec(contact.toLowerCase()) ?? [];
  if (name === undefined || sentDomain === undefined) return contact;
  const domain = mainDomains.get(sentDomain) ?? sentDomain;
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`;
}

/**
 * Subjects of budgets: keyed digests, which identify nobody without the signing key. All aliases of
 * a mailbox are one contact.
 */
export interface Subjects {
  contactOf: (contact: string) => string;
  /**
   * A request with an API key counts against the key, not the address, which several callers may
   * share. Undefined without both.
   */
  callerOf: (call: Pick<Call, 'key' | 'address'>) => string | undefined;
}

/** Creates the subjects with the current secret. @throws {DatabaseUnavailableError} */
export async function createSubjects(context: Context): Promise<Subjects> {
  const { sign } = await createSigner('budget', context);
  return {
    contactOf: (contact) => sign(`contact ${mailboxOf(contact)}`),
    callerOf({ key, address }) {
      if (key) return sign(`key ${key.id}`);
      return address === undefined ? undefined : sign(`address ${networkOf(address)}`);
    },
  };
}

/** Noun for whatever a caller’s uses count against. */
export const callerNounOf = ({ key }: Pick<Call, 'key'>): string => (key ? 'key' : 'IP address');

/**
 * Says how callers can free up their budgets sooner: `remedy`, and for a caller without a key, a
 * key.
 */
export const callerRemedyOf = ({ key }: Pick<Call, 'key'>, remedy?: string): string | undefined =>
  key
    ? remedy
    : [remedy, 'A request with an API key counts against the key instead.']
        .filter(Boolean)
        .join(' ');

/**
 * The count for a caller's 24-hour budget; empty if there are no limits or the caller is unknown.
 */
export async function createDailyCallerCounts(
  {
    limit,
    ...count
  }: Pick<BudgetCount, 'budget' | 'noun'> & {
    limit: 'leadsPerAddress' | 'messagesPerAddress' | 'shareLinksPerAddress' | 'a2aTasksPerAddress';
  },
  call: Pick<Call, 'key' | 'address'>,
  context: Context,
): Promise<BudgetCount[]> {
  const { budgets, now } = context;
  if (!budgets?.[limit]) return [];
  const subject = (await createSubjects(context)).callerOf(call);
  return subject === undefined
    ? []
    : [
        {
          ...count,
          subject,
          limit: budgets[limit],
          scope: `from one ${callerNounOf(call)} in 24 hours`,
          until: addDaysToTime(now(), 1),
          remedy: callerRemedyOf(call),
        },
      ];
}

/**
 * SQL condition for the uses that still count at `now` (ISO 8601). Takes values or placeholders.
 */
export const createUseCondition = (
  { budget, subject }: Pick<BudgetUse, 'budget' | 'subject'>,
  now: string,
): SQL =>
  combineConditions(
    eq(budgetUses.budget, budget),
    eq(budgetUses.subject, subject),
    gt(budgetUses.until, now),
  );

export const countUses = (
  use: BudgetUse,
  { database, now }: Pick<Context, 'database' | 'now'>,
): Promise<number> =>
  database.writer.$count(budgetUses, createUseCondition(use, now().toISOString()));

/** The uses whose budget has a limit. */
export const selectLimited = <Use extends BudgetUse>(uses: readonly Use[]): Use[] =>
  uses.filter(({ limit }) => limit > 0);

/**
 * Condition for the statement that writes the counted row: the budget is not exhausted at `now`,
 * ISO 8601. Takes values or placeholders.
 */
export const isBudgetLeft = (
  use: Pick<BudgetUse, 'budget' | 'subject' | 'limit'>,
  now: string,
): SQL =>
  sql`(select count(*) from ${budgetUses} where ${createUseCondition(use, now)}) < ${use.limit}`;

/**
 * Conditions for the statement that writes the counted row; each is true while a budget is not
 * exhausted.
 */
export const createBudgetConditions = (uses: readonly BudgetUse[], now: Date): SQL[] =>
  selectLimited(uses).map((use) => isBudgetLeft(use, now.toISOString()));

/** Statements that record the budget uses of a row if `condition` is true. */
export const recordUses = (uses: readonly BudgetUse[], row: string, condition: SQL): SQL[] =>
  selectLimited(uses).map(({ budget, subject, until }) =>
    insertWhere(budgetUses, { budget, subject, row, until }, condition),
  );

/** Statement that deletes a row's budget uses if `condition` is true. */
export const releaseUses = (budget: CountedBudget, row: string, condition: SQL): SQL =>
  sql`delete from ${budgetUses} where ${and(eq(budgetUses.budget, budget), eq(budgetUses.row, row))} and ${condition}`;

/** Statement that changes the expiry of a row's budget uses if `condition` is true. */
export const extendUses = (
  budget: CountedBudget,
  row: string,
  until: string,
  condition: SQL,
): SQL =>
  sql`update ${budgetUses} set until = ${until} where ${and(eq(budgetUses.budget, budget), eq(budgetUses.row, row))} and ${condition}`;

/** Statement that deletes at most `limit` expired uses. */
export function deleteExpiredUses(
  limit: number,
  { database, now }: Pick<Context, 'database' | 'now'>,
) {
  const { writer } = database;
  const expired = writer
    .select({ id: budgetUses.id })
    .from(budgetUses)
    .where(lte(budgetUses.until, now().toISOString()))
    .limit(limit);
  return writer.delete(budgetUses).where(inArray(budgetUses.id, expired));
}

/**
 * The problem for an exhausted budget. `refillsAt` is ISO 8601; `remedy` is a sentence about how to
 * free up the budget sooner.
 */
export function createBudgetProblem(
  {
    limit,
    remedy,
    errors,
  }: { limit: string; remedy?: string | undefined; errors?: readonly InputError[] },
  refillsAt: string,
  now: Date,
): Problem {
  const seconds = Math.max(1, Math.ceil((Date.parse(refillsAt) - now.getTime()) / 1000));
  return new Problem(
    'budget_exceeded',
    `The budget is used up: ${limit}. It refills at ${refillsAt}, in ${formatQuantity(seconds, 'second')}.${remedy === undefined ? '' : ` ${remedy}`} Nothing was stored.`,
    { headers: { 'retry-after': String(seconds) }, ...(errors?.length && { errors }) },
  );
}

/** The problem for the first exhausted budget, if any. @throws {DatabaseUnavailableError} */
export async function findBudgetRejection(
  counts: readonly BudgetCount[],
  { database, now }: Context,
): Promise<Problem | undefined> {
  const time = now();
  for (const count of selectLimited(counts)) {
    // When this use expires, the count falls below the limit again.
    const [next] = await database.writer
      .select({ until: budgetUses.until })
      .from(budgetUses)
      .where(createUseCondition(count, time.toISOString()))
      .orderBy(desc(budgetUses.until))
      .limit(1)
      .offset(count.limit - 1);
    if (next)
      return createBudgetProblem(
        {
          limit: `at most ${formatQuantity(count.limit, count.noun)} ${count.scope}`,
          remedy: count.remedy,
        },
        next.until,
        time,
      );
  }
  return undefined;
}
