import type { CapabilityRequest } from './capability-request.ts';
import type { Context } from '../operation/context.ts';
import { toMinorUnits } from './money.ts';
import { priceOf } from './price-capability.ts';
import { findQuote } from './quote-record.ts';
import type { TaskRow } from './task-record.ts';
import { createInputProblem } from '../operation/validate.ts';

/** The price that a caller accepted for a run, and the accepted maximum, in minor units. */
export type AcceptedPrice = Pick<TaskRow, 'currency' | 'amount' | 'maxAmount' | 'quote'>;

export const createQuoteAcceptedProblem = () =>
  createInputProblem(
    '/quoteId',
    'A task has already accepted this quote. Request a new one at /api/v1/quotes.',
  );

/**
 * The price of a run and the accepted maximum: those of a quote, or the current price and the
 * caller's maximum.
 * @throws {Problem} invalid_input when the quote belongs to another key, is for a different input,
 * has been used or has expired, or when the caller accepted no price
 */
export async function acceptPrice(
  {
    capability,
    input,
    quoteId,
    maxAmount,
  }: CapabilityRequest & { quoteId?: string; maxAmount?: string },
  key: string,
  inputDigest: string,
  context: Context,
): Promise<AcceptedPrice> {
  const maximum = maxAmount === undefined ? null : toMinorUnits(maxAmount);
  if (quoteId === undefined) {
    const { currency, amount } = priceOf(context.site, capability, input);
    if (amount > 0 && maximum === null)
      throw createInputProblem(
        '/maxAmount',
        'This capability has a price. Request a quote and accept it with its quoteId, or send the maximum that you agree to pay.',
      );
    return { currency, amount, maxAmount: maximum, quote: null };
  }
  const found = await findQuote(quoteId, key, context);
  if (!found)
    throw createInputProblem(
      '/quoteId',
      'This key has no quote with this ID. Request one for this capability and input.',
    );
  const { quote, task } = found;
  if (quote.capability !== capability.id || quote.inputDigest !== inputDigest)
    throw createInputProblem(
      '/quoteId',
      'The quote is for a different capability or input. Send the quoted input, or request a new quote.',
    );
  if (task !== null) throw createQuoteAcceptedProblem();
  if (quote.expiresAt <= context.now().toISOString())
    throw createInputProblem(
      '/quoteId',
      'The quote has expired. Request a new one at /api/v1/quotes.',
    );
  return {
    currency: quote.currency,
    amount: quote.amount,
    maxAmount: maximum ?? quote.amount,
    quote: quote.id,
  };
}
