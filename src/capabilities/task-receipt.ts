import type { Context } from '../operation/context.ts';
import { digestCanonicalJson } from '../operation/canonical-digest.ts';
import { toDecimal } from './money.ts';
import type { TaskRow } from './task-record.ts';

/** The columns of a completed task that its receipt describes. */
export type ReceiptColumns = Pick<
  TaskRow,
  'id' | 'capability' | 'inputDigest' | 'quote' | 'amount' | 'currency'
>;

/**
 * The durable receipt of a completed task: the capability, its input and result (as SHA-256 of the
 * canonical JSON), and the price. If the service signs receipts, `jws` contains the same claims as
 * a JWS (RFC 7515).
 */
export async function createReceipt(
  { id, capability, inputDigest, quote, amount, currency }: ReceiptColumns,
  result: Record<string, unknown>,
  completedAt: string,
  { site, signReceipt }: Pick<Context, 'site' | 'signReceipt'>,
): Promise<Record<string, unknown>> {
  const claims = {
    issuer: site.base,
    taskId: id,
    capability,
    status: 'completed',
    inputDigest,
    resultDigest: digestCanonicalJson(result),
    ...(quote !== null && { quoteId: quote }),
    amount: toDecimal(amount),
    currency,
    completedAt,
  };
  return { ...claims, ...(signReceipt && { jws: await signReceipt(claims) }) };
}
