import { lacksJobProvider } from './adapters/job-provider-adapter.ts';
import { sql } from 'drizzle-orm';
import { tasks } from '../../db/schema-capabilities.ts';
import { adapters } from './adapters/index.ts';
import type { Adapter } from './adapters/adapter.ts';
import type { AcceptedPrice } from './accept-price.ts';
import type { CapabilityRequest } from './capability-request.ts';
import type { Context } from '../operation/context.ts';
import { createEndedTaskColumns } from './end-task.ts';
import { type Intent, isKeyUnused, storeResponseIf } from '../operation/idempotency.ts';
import {
  availableAccountOf,
  hasTransfer,
  reservationIdOf,
  reservedAccountOf,
  settleTask,
  createTransferEntries,
} from './ledger.ts';
import { addMilliseconds } from '../operation/time-arithmetic.ts';
import { toDecimal } from './money.ts';
import type { ActiveKey, Call } from '../operation/operation.ts';
import { countQuestion } from '../operation/question-budget.ts';
import { insertWhere } from '../operation/statements.ts';
import type { TaskRow } from './task-record.ts';

/** Whether a run ends immediately. A run whose provider is not configured fails immediately. */
const isImmediateAdapter = (adapter: Adapter, context: Context): boolean =>
  adapter.immediate || lacksJobProvider(adapter, context);

/**
 * Creates the task to store. If it ends immediately, runs its only step. @throws {Problem} when the
 * input is rejected
 */
export async function planTask(
  request: CapabilityRequest & { idempotencyKey?: string },
  acceptedPrice: AcceptedPrice,
  inputDigest: string,
  caller: Pick<Call, 'address'> & { key: ActiveKey },
  context: Context,
): Promise<TaskRow> {
  const { capability, input, idempotencyKey = null } = request;
  const adapter = adapters[capability.adapter];
  const time = context.now();
  const isoTime = time.toISOString();
  const row: TaskRow = {
    id: context.tokens.receipt(context.now()),
    key: caller.key.id,
    capability: capability.id,
    inputDigest,
    input,
    ...acceptedPrice,
    status: 'submitted',
    result: null,
    error: null,
    receipt: null,
    idempotencyKey,
    job: null,
    createdAt: isoTime,
    updatedAt: isoTime,
    endedAt: null,
    dueAt: isoTime,
    deadline: addMilliseconds(time, (adapter.timeoutMinutes ?? 0) * 60_000),
    leaseOwner: null,
    leaseUntil: null,
    attempts: 0,
    resultUntil: null,
  };
  const end = async (ending: Parameters<typeof createEndedTaskColumns>[1]) => ({
    ...row,
    ...(await createEndedTaskColumns(row, ending, time, context)),
  });
  const { amount, maxAmount, currency } = acceptedPrice;
  if (maxAmount !== null && amount > maxAmount) {
    const detail = `The price is ${toDecimal(amount)} ${currency}, above the accepted maximum. Nothing was charged.`;
    return end({ kind: 'rejected', error: { code: 'over_maximum', detail } });
  }
  if (!isImmediateAdapter(adapter, context)) return row;
  const question = adapter.questionOf?.(input);
  if (typeof question === 'string') await countQuestion(question, caller, context);
  const step = await adapter.step(
    {
      caller,
      taskId: row.id,
      capability,
      input,
      idempotencyKey,
      job: null,
      attempts: 0,
      deadline: row.deadline,
    },
    context,
  );
  if (step.kind === 'waiting')
    throw new Error(`The adapter ${capability.adapter} did not finish immediately.`);
  return end(step);
}

/**
 * Atomically writes a task, reserves its price and stores its idempotency key; without enough
 * credits the task is rejected. Returns false if the key or the quote has since been used.
 */
export async function writeTask(
  row: TaskRow,
  intent: Intent | undefined,
  context: Context,
): Promise<boolean> {
  const { writer } = context.database;
  const { id, key, amount, createdAt, quote } = row;
  const now = new Date(createdAt);
  const isUnused = sql.join(
    [
      intent ? isKeyUnused(intent, now) : sql`true`,
      quote === null ? sql`true` : sql`not exists (select 1 from ${tasks} where quote = ${quote})`,
    ],
    sql` and `,
  );
  const requiresPayment = amount > 0 && (row.status === 'submitted' || row.status === 'completed');
  const error = {
    code: 'insufficient_credits',
    detail: `The key has fewer credits than the price of ${toDecimal(amount)} ${row.currency}. Nothing was charged; ask the operator for credits.`,
  };
  const taskExistsCondition = sql`exists (select 1 from ${tasks} where id = ${id})`;
  const [insertResult] = await writer.batch([
    writer.run(insertWhere(tasks, row, isUnused)),
    ...(requiresPayment
      ? [
          ...createTransferEntries(
            {
              transfer: reservationIdOf(id),
              from: availableAccountOf(key),
              to: reservedAccountOf(key),
              amount,
              at: createdAt,
            },
            taskExistsCondition,
          ).map((statement) => writer.run(statement)),
          writer
            .update(tasks)
            .set(await createEndedTaskColumns(row, { kind: 'rejected', error }, now, context))
            .where(sql`id = ${id} and not ${hasTransfer(reservationIdOf(id))}`),
          ...settleTask(row, createdAt).map((statement) => writer.run(statement)),
        ]
      : []),
    ...(intent
      ? [writer.run(storeResponseIf(intent, id, { taskId: id }, now, taskExistsCondition))]
      : []),
  ]);
  return insertResult.rowsAffected > 0;
}
