import { and, desc, eq, gt, inArray, lte, sql, type SQL } from 'drizzle-orm';
import { budgetUses } from '../../db/schema-budgets.ts';
import { signerOf } from './link-secret.ts';
import type { Context } from './context.ts';
import { networkOf } from './network-of-address.ts';
import type { Call } from './operation.ts';
import { type InputError, Problem } from './problem.ts';
import { allOf, insertWhere } from './statements.ts';
import { quantityOf } from '../site/words/quantity.ts';

/** Budgets counted in the database, across processes and restarts. */
export type CountedBudget = 'holds' | 'storefronts' | 'share_links' | 'a2a_tasks' | 'person_mail';

/** One count that a write adds to. */
export interface BudgetCount {
  budget: CountedBudget;
  /** Whom it counts for, as stored. */
  subject: string;
  limit: number;
  /** What is counted, in the singular: `unconfirmed hold`. */
  noun: string;
  /** Scope and period for the error message: `of one contact at a time`. */
  scope: string;
  /** When the write stops counting, ISO 8601. */
  until: string;
  /** How the caller can free it earlier, in a sentence. */
  wayOut?: string;
}

/** The subject shared by all callers. */
export const SERVICE = 'service';

/** A person or an address as a subject: a keyed digest, which identifies nobody without the key. */
export const subjectOf = async (
  kind: 'address' | 'contact' | 'key',
  value: string,
  context: Context,
): Promise<string> => (await signerOf('budget', context)).sign(`${kind} ${value}`);

/**
 * The caller as a subject; requests with a key count against the key, not against the address,
 * which many may share.
 */
export async function callerSubject(
  { key, address }: Pick<Call, 'key' | 'address'>,
  context: Context,
): Promise<string | undefined> {
  if (key) return subjectOf('key', key.id, context);
  return address === undefined ? undefined : subjectOf('address', networkOf(address), context);
}

const usesOf = ({ budget, subject }: BudgetCount, now: Date): SQL =>
  allOf(
    eq(budgetUses.budget, budget),
    eq(budgetUses.subject, subject),
    gt(budgetUses.until, now.toISOString()),
  );

/** Only the counts that have a limit. */
const limited = (counts: readonly BudgetCount[]) => counts.filter(({ limit }) => limit > 0);

/** Conditions that no budget is used up, for the statement that writes the counted row. */
export const hasRoom = (counts: readonly BudgetCount[], now: Date): SQL[] =>
  limited(counts).map(
    (count) =>
      sql`(select count(*) from ${budgetUses} where ${usesOf(count, now)}) < ${count.limit}`,
  );

/** Statements that count the write, if `written` holds. */
export const countUse = (counts: readonly BudgetCount[], row: string, written: SQL): SQL[] =>
  limited(counts).map(({ budget, subject, until }) =>
    insertWhere(budgetUses, { budget, subject, row, until }, written),
  );

/** The statement that releases the budget use of some rows, if `done` holds. */
export const releaseUse = (budget: CountedBudget, row: string, done: SQL): SQL =>
  sql`delete from ${budgetUses} where ${and(eq(budgetUses.budget, budget), eq(budgetUses.row, row))} and ${done}`;

/** The statement that changes the expiry of a row's budget use, if `done` holds. */
export const extendUse = (budget: CountedBudget, row: string, until: string, done: SQL): SQL =>
  sql`update ${budgetUses} set until = ${until} where ${and(eq(budgetUses.budget, budget), eq(budgetUses.row, row))} and ${done}`;

/** The statement that deletes lapsed uses, at most `limit` rows at a time. */
export function deleteLapsedUses(
  most: number,
  { database, now }: Pick<Context, 'database' | 'now'>,
) {
  const { writer } = database;
  const lapsed = writer
    .select({ id: budgetUses.id })
    .from(budgetUses)
    .where(lte(budgetUses.until, now().toISOString()))
    .limit(most);
  return writer.delete(budgetUses).where(inArray(budgetUses.id, lapsed));
}

/**
 * The refusal for an exhausted budget; `refillsAt` in ISO 8601, `wayOut` what helps before then.
 */
export function overBudget(
  { what, wayOut, errors }: { what: string; wayOut?: string; errors?: readonly InputError[] },
  refillsAt: string,
  now: Date,
): Problem {
  const seconds = Math.max(1, Math.ceil((Date.parse(refillsAt) - now.getTime()) / 1000));
  return new Problem(
    'budget_exceeded',
    `The budget is used up: ${what}. It refills at ${refillsAt}, in ${quantityOf(seconds, 'second')}.${wayOut === undefined ? '' : ` ${wayOut}`} Nothing was stored.`,
    { headers: { 'retry-after': String(seconds) }, ...(errors?.length && { errors }) },
  );
}

/**
 * The refusal by the first exhausted budget; undefined if there is none. @throws
 * {DatabaseUnavailable}
 */
export async function budgetRefusal(
  counts: readonly BudgetCount[],
  { database, now }: Context,
): Promise<Problem | undefined> {
  const at = now();
  for (const count of limited(counts)) {
    // Once this use lapses, the remaining uses are below the limit.
    const [lapsing] = await database.writer
      .select({ until: budgetUses.until })
      .from(budgetUses)
      .where(usesOf(count, at))
      .orderBy(desc(budgetUses.until))
      .limit(1)
      .offset(count.limit - 1);
    if (lapsing)
      return overBudget(
        {
          what: `at most ${quantityOf(count.limit, count.noun)} ${count.scope}`,
          ...(count.wayOut !== undefined && { wayOut: count.wayOut }),
        },
        lapsing.until,
        at,
      );
  }
  return undefined;
}
