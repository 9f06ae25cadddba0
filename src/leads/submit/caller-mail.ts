import { type BudgetUse, countUses, createSubjects } from '../../operation/budgets.ts';
import type { Budgets, Context } from '../../operation/context.ts';
import type { Call } from '../../operation/operation.ts';
import { addHours } from '../../operation/time-arithmetic.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import { countAddressMail, MAX_EMAILS_PER_ADDRESS } from '../deliveries/person/address-mail.ts';
import type { Warning } from '../status/lead-warnings.ts';

/** How much of its caller’s email budget a lead with an email address uses. */
export interface CallerMail {
  /** Uses of the budget, which are recorded with the lead. */
  uses: readonly BudgetUse[];
  /**
   * Tells the caller that the person gets no email about the lead; undefined if the person does.
   */
  warning?: Warning;
}

const RECEIPT_ONLY_ADVICE =
  'The provider gets the request as usual. Give the person the receipt URL.';

/**
 * Limits how many people the service emails at the request of one IP address, because nobody has
 * verified their addresses. A lead over the limit is accepted, but the person gets no email about it.
 * Callers with a key have no limit, because the operator can revoke the
 * key.
 */
export async function planCallerMail(
  call: Pick<Call, 'key' | 'address'>,
  budgets: Budgets | undefined,
  context: Context,
): Promise<CallerMail> {
  const limit = budgets?.emailedLeadsPerAddress ?? 0;
  const isLimited = limit > 0 && context.isCustomerEmailEnabled && !call.key;
  const subject = isLimited ? (await createSubjects(context)).callerOf(call) : undefined;
  if (subject === undefined) return { uses: [] };
  const use: BudgetUse = {
    budget: 'caller_mail',
    subject,
    limit,
    until: addHours(context.now(), 24),
  };
  if ((await countUses(use, context)) < limit) return { uses: [use] };
  return {
    uses: [],
    warning: {
      code: 'email_limit',
      message: `The person gets no email about this request, because your IP address has sent ${formatQuantity(limit, 'request')} with an email address within 24 hours. ${RECEIPT_ONLY_ADVICE}`,
    },
  };
}

/**
 * Warns that the person’s address gets no more receipts for now. Answers to the lead are emailed.
 */
export const createAddressAdvice = async (email: string, context: Context): Promise<Warning[]> =>
  context.isCustomerEmailEnabled &&
  (await countAddressMail('request', email, context)) >= MAX_EMAILS_PER_ADDRESS
    ? [
        {
          code: 'email_limit',
          message: `The person gets no receipt by email, because ${formatQuantity(MAX_EMAILS_PER_ADDRESS, 'receipt')} have been sent to this address within 24 hours. ${RECEIPT_ONLY_ADVICE}`,
        },
      ]
    : [];
