import { type BudgetUse, countUses, createSubjects } from '../../../operation/budgets.ts';
import type { Context } from '../../../operation/context.ts';
import { addHours } from '../../../operation/time-arithmetic.ts';

/** Maximum number of messages of one kind to one address in 24 hours. */
export const MAX_EMAILS_PER_ADDRESS = 10;

/**
 * Kinds of email: `request` is email that anybody can trigger with a request, such as receipts, and
 * `answer` is email about a provider's actions. The two are counted separately, so that requests
 * from strangers never suppress an answer.
 */
export type AddressMailKind = 'request' | 'answer';

/** The budget for one kind of email to an address in the next 24 hours. */
export const createAddressBudget = async (
  kind: AddressMailKind,
  email: string,
  context: Context,
): Promise<BudgetUse> => ({
  budget: kind === 'request' ? 'person_mail' : 'answer_mail',
  subject: (await createSubjects(context)).contactOf(email),
  limit: MAX_EMAILS_PER_ADDRESS,
  until: addHours(context.now(), 24),
});

/**
 * The number of messages of one kind planned for an address in the last 24 hours; 0 without an
 * address.
 * @throws {DatabaseUnavailableError}
 */
export const countAddressMail = async (
  kind: AddressMailKind,
  email: string | null,
  context: Context,
): Promise<number> =>
  email === null ? 0 : countUses(await createAddressBudget(kind, email, context), context);
