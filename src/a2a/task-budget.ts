import { sql } from 'drizzle-orm';
import {
  findBudgetRejection,
  recordUses,
  releaseUses,
  createBudgetConditions,
  createDailyCallerCounts,
} from '../operation/budgets.ts';
import type { Context } from '../operation/context.ts';
import type { Call } from '../operation/operation.ts';
import { combineConditions } from '../operation/statements.ts';

/**
 * Counts a new task against its caller's budget in the statement that checks the budget, so that
 * concurrent messages cannot exceed it.
 * @throws {Problem} budget_exceeded
 */
export async function recordTaskUse(
  id: string,
  caller: Pick<Call, 'key' | 'address'>,
  context: Context,
): Promise<void> {
  const counts = await createDailyCallerCounts(
    { budget: 'a2a_tasks', limit: 'a2aTasksPerAddress', noun: 'A2A task' },
    caller,
    context,
  );
  const isAllowed = combineConditions(sql`true`, ...createBudgetConditions(counts, context.now()));
  for (const statement of recordUses(counts, id, isAllowed)) {
    const { rowsAffected } = await context.database.writer.run(statement);
    if (rowsAffected) continue;
    const rejection = await findBudgetRejection(counts, context);
    if (rejection) throw rejection;
    // The uses that exhausted the budget have since expired.
    return recordTaskUse(id, caller, context);
  }
}

/** Undoes the count of a task that was not created. @throws {DatabaseUnavailableError} */
export async function releaseTaskBudget(id: string, { database }: Context): Promise<void> {
  await database.writer.run(releaseUses('a2a_tasks', id, sql`true`));
}
