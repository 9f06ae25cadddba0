import { and, eq, inArray, type SQL } from 'drizzle-orm';
import { tasks } from '../../db/schema-capabilities.ts';
import type { Step } from './adapters/adapter.ts';
import { digestCanonicalJson } from '../operation/canonical-digest.ts';
import type { Context } from '../operation/context.ts';
import { settleTask } from './ledger.ts';
import { toDecimal } from './money.ts';
import { addDaysToTime } from '../operation/time-arithmetic.ts';
import { waitListOf } from '../operation/waits.ts';
import { taskChanges, versionOf } from './follow-task.ts';
import { runningStates, type TaskRow } from './task-record.ts';

/** Days after which a result is deleted. */
const RESULT_RETENTION_DAYS = 30;
/** Maximum size of a result as JSON, in bytes. */
export const MAX_RESULT_BYTES = 128 * 1024;

/** The columns of a completed task that its receipt describes. */
type ReceiptColumns = Pick<
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

/** How a task ends. */
type Ending =
  | Exclude<Step, { kind: 'waiting' }>
  | { kind: 'canceled' }
  | { kind: 'rejected'; error: NonNullable<TaskRow['error']> };

/**
 * Column values for a task that ends; an oversized result becomes a failure. The input and the key,
 * which may name a person, are deleted.
 */
export async function createEndedTaskColumns(
  task: ReceiptColumns,
  ending: Ending,
  time: Date,
  context: Context,
): Promise<Partial<TaskRow> & Pick<TaskRow, 'status' | 'updatedAt'>> {
  const isoTime = time.toISOString();
  const clearedColumns = {
    result: null,
    error: null,
    receipt: null,
    resultUntil: null,
    endedAt: isoTime,
    updatedAt: isoTime,
    input: null,
    idempotencyKey: null,
    dueAt: null,
    leaseOwner: null,
    leaseUntil: null,
  };
  switch (ending.kind) {
    case 'completed': {
      const { result } = ending;
      if (Buffer.byteLength(JSON.stringify(result)) > MAX_RESULT_BYTES)
        return {
          ...clearedColumns,
          status: 'failed',
          error: {
            code: 'result_too_large',
            detail: `The result is larger than ${MAX_RESULT_BYTES} bytes. Nothing was charged.`,
          },
        };
      return {
        ...clearedColumns,
        status: 'completed',
        result,
        receipt: await createReceipt(task, result, isoTime, context),
        resultUntil: addDaysToTime(time, RESULT_RETENTION_DAYS),
      };
    }
    case 'failed':
      return {
        ...clearedColumns,
        status: 'failed',
        error: ending.error,
        // A missing provider is not the caller's fault, so a later task may accept the quote.
        ...(ending.error.code === 'provider_unavailable' && { quote: null }),
      };
    case 'canceled':
      return { ...clearedColumns, status: 'canceled' };
    case 'rejected':
      return { ...clearedColumns, status: 'rejected', error: ending.error, quote: null };
    default:
      return ending satisfies never;
  }
}

/**
 * Ends a running task that meets the condition and settles its credits, in one batch. A second call
 * has no effect. Returns the provider's job if this call ended the task; otherwise, undefined.
 */
export async function endTask(
  task: TaskRow,
  ending: Ending,
  context: Context,
  condition?: SQL,
): Promise<Pick<TaskRow, 'job'> | undefined> {
  const { writer } = context.database;
  const time = context.now();
  const columns = await createEndedTaskColumns(task, ending, time, context);
  const [[ended]] = await writer.batch([
    writer
      .update(tasks)
      .set(columns)
      .where(and(eq(tasks.id, task.id), inArray(tasks.status, runningStates), condition))
      .returning({ job: tasks.job }),
    ...settleTask(task, time.toISOString()).map((statement) => writer.run(statement)),
  ]);
  if (ended) waitListOf(context.database).changed(taskChanges, task.id, versionOf(columns));
  return ended;
}
