import { type BudgetUse, countUses, subjectOf } from '../../operation/budgets.ts';
import type { Context } from '../../operation/context.ts';
import { addHours } from '../../operation/time-arithmetic.ts';

/** Maximum number of messages to one address in 24 hours. */
export const MAX_EMAILS_PER_ADDRESS = 10;

/** The budget for email to an address, from now on. */
export const createAddressBudget = async (email: string, context: Context): Promise<BudgetUse> => ({
  budget: 'person_mail',
  subject: await subjectOf('contact', email, context),
  limit: MAX_EMAILS_PER_ADDRESS,
  until: addHours(context.now(), 24),
});

/**
 * The number of messages planned for an address in the last 24 hours; 0 without an address.
 * @throws {DatabaseUnavailableError}
 */
export const countAddressMail = async (email: string | null, context: Context): Promise<number> =>
  email === null ? 0 : countUses(await createAddressBudget(email, context), context);
