import { type BudgetCount, budgetRefusal, callerSubject } from '../operation/budgets.ts';
import type { Context } from '../operation/context.ts';
import { daysLater } from '../leads/receipt.ts';

/** What a new task counts as: one of its caller’s for a day. */
export async function taskCounts(address: string, context: Context): Promise<BudgetCount[]> {
  const { budgets, now } = context;
  const subject = budgets && (await callerSubject({ address }, context));
  return budgets && subject !== undefined
    ? [
        {
          budget: 'a2a_tasks',
          subject,
          limit: budgets.a2aTasksPerAddress,
          noun: 'A2A task',
          scope: 'from one address in 24 hours',
          until: daysLater(now(), 1),
        },
      ]
    : [];
}

/** Refuses a message that would make a task over the budget. @throws {Problem} budget_exceeded */
export async function requireRoomForTask(address: string, context: Context): Promise<void> {
  const refusal = await budgetRefusal(await taskCounts(address, context), context);
  if (refusal) throw refusal;
}
