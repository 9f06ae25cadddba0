import { sql } from 'drizzle-orm';
import {
  type BudgetCount,
  findBudgetRejection,
  callerSubjectOf,
  recordUses,
  releaseUses,
  createBudgetConditions,
} from '../operation/budgets.ts';
import type { Context } from '../operation/context.ts';
import { addDaysToTime } from '../operation/time-arithmetic.ts';

/** The budget use of a new task: one of the caller's daily tasks. */
async function createBudgetCounts(address: string, context: Context): Promise<BudgetCount[]> {
  const { budgets, now } = context;
  const subject = budgets && (await callerSubjectOf({ address }, context));
  return budgets && subject !== undefined
    ? [
        {
          budget: 'a2a_tasks',
          subject,
          limit: budgets.a2aTasksPerAddress,
          noun: 'A2A task',
          scope: 'from one IP address in 24 hours',
          until: addDaysToTime(now(), 1),
        },
      ]
    : [];
}

/**
 * Counts a new task against its caller's budget in the statement that checks the budget, so that
 * concurrent messages cannot exceed it.
 * @throws {Problem} budget_exceeded
 */
export async function recordTaskUse(id: string, address: string, context: Context): Promise<void> {
  const counts = await createBudgetCounts(address, context);
  const isAllowed = sql.join(
    [sql`true`, ...createBudgetConditions(counts, context.now())],
    sql` and `,
  );
  for (const statement of recordUses(counts, id, isAllowed)) {
    const { rowsAffected } = await context.database.writer.run(statement);
    if (rowsAffected) continue;
    const rejection = await findBudgetRejection(counts, context);
    if (rejection) throw rejection;
    // The uses that exhausted the budget have expired in the meantime.
    return recordTaskUse(id, address, context);
  }
}

/** Undoes the count of a task that was not created. @throws {DatabaseUnavailableError} */
export async function releaseTaskBudget(id: string, { database }: Context): Promise<void> {
  await database.writer.run(releaseUses('a2a_tasks', id, sql`true`));
}
