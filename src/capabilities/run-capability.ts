import { eq, sql } from 'drizzle-orm';
import * as v from 'valibot';
import { tasks } from '../../db/schema-capabilities.ts';
import { adapters } from './adapters/index.ts';
import type { Adapter } from './adapters/adapter.ts';
import { type Acceptance, acceptPrice, quoteAlreadyAccepted } from './accept-price.ts';
import { callerOf, requireScope } from '../keys/authenticate-key.ts';
import type { ActiveKey } from '../operation/operation.ts';
import { BODY_LIMIT, CAPABILITY_BODY_BYTES } from '../operation/body-limits.ts';
import { capabilityExample, sampleCapability } from './capability-catalog.ts';
import {
  type CapabilityRequest,
  capabilityRequestEntries,
  parseCapabilityRequest,
} from './capability-request.ts';
import type { Context } from '../operation/context.ts';
import { endedColumns } from './end-task.ts';
import {
  idempotencyParameter,
  type Intent,
  isFree,
  KEY_PATTERN,
  KEY_RULE,
  once,
  recall,
  rememberWhere,
} from '../operation/idempotency.ts';
import { jsonSchemaOf } from '../operation/json-schema.ts';
import { available, happened, reservation, reserved, settle, transferWhere } from './ledger.ts';
import { contractParameter, contractSchema, requireContract } from '../leads/submit/contracts.ts';
import { digestOf } from '../leads/submit/lead-input.ts';
import { AMOUNT_PATTERN, decimalOf } from './money.ts';
import { countQuestion } from '../operation/question-budget.ts';
import { type Call, defineOperation, type Outcome } from '../operation/operation.ts';
import { STILL_RUNNING } from './read-task.ts';
import { insertWhere } from '../operation/statements.ts';
import {
  runningAnswer,
  sampleTask,
  type Task,
  taskOf,
  type TaskRow,
  taskSchema,
} from './task-record.ts';
import { expecting } from '../operation/validate.ts';

const request = v.strictObject({
  ...capabilityRequestEntries,
  quoteId: v.optional(
    v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(100),
      expecting('Write the id of a quote.'),
      v.description('Quote that is accepted; the input must be the one that it prices.'),
    ),
  ),
  maxAmount: v.optional(
    v.pipe(
      v.string(),
      v.regex(new RegExp(AMOUNT_PATTERN)),
      expecting('Write an amount as decimal text, for example "2.40".'),
      v.description(
        'Most that may be charged, as decimal text; the quote’s amount when left out. It is binding.',
      ),
    ),
  ),
  contract: v.optional(contractSchema),
  idempotencyKey: v.optional(
    v.pipe(
      v.string(),
      v.regex(new RegExp(KEY_PATTERN)),
      expecting(KEY_RULE),
      v.description('Equal keys with equal input are one task and one effect.'),
    ),
  ),
});

export interface RunRequest extends CapabilityRequest {
  quoteId?: string;
  maxAmount?: string;
  contract?: string;
  idempotencyKey?: string;
}

/** A provider that is not configured fails immediately. */
const endsImmediately = (adapter: Adapter, { providers }: Context): boolean =>
  adapter.immediate ||
  ('provider' in adapter && !providers?.[adapter.provider as keyof typeof providers]);

const minutesLater = (from: Date, minutes: number): string =>
  new Date(from.getTime() + minutes * 60_000).toISOString();

async function readTaskRow(id: string, { database }: Context): Promise<TaskRow | undefined> {
  const [row] = await database.writer.select().from(tasks).where(eq(tasks.id, id));
  return row;
}

const answerWith = (row: TaskRow, replayed: boolean, context: Context): Outcome<Task> => {
  const output = taskOf(row, context);
  return { output, replayed, ...runningAnswer(output) };
};

/**
 * The task to store; its first step is already run if that finishes the task. @throws {Problem}
 * when the input is rejected
 */
async function plan(
  asked: RunRequest,
  accepted: Acceptance,
  inputDigest: string,
  caller: Pick<Call, 'address'> & { key: ActiveKey },
  context: Context,
): Promise<TaskRow> {
  const { capability, input, idempotencyKey = null } = asked;
  const adapter = adapters[capability.adapter];
  const at = context.now();
  const iso = at.toISOString();
  const row: TaskRow = {
    id: context.tokens.receipt(context.now()),
    key: caller.key.id,
    capability: capability.id,
    inputDigest,
    input,
    ...accepted,
    status: 'submitted',
    result: null,
    error: null,
    receipt: null,
    idempotencyKey,
    job: null,
    createdAt: iso,
    updatedAt: iso,
    endedAt: null,
    dueAt: iso,
    deadline: minutesLater(at, adapter.patienceMinutes ?? 0),
    leaseOwner: null,
    leaseUntil: null,
    attempts: 0,
    resultUntil: null,
  };
  if (accepted.maxAmount !== null && accepted.amount > accepted.maxAmount) {
    const detail = `The price is ${decimalOf(accepted.amount)} ${accepted.currency}, above the accepted maximum. Nothing was charged.`;
    return {
      ...row,
      quote: null,
      status: 'rejected',
      error: { code: 'over_maximum', detail },
      input: null,
      dueAt: null,
      endedAt: iso,
    };
  }
  if (!endsImmediately(adapter, context)) return row;
  const question = adapter.question?.(input);
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
    throw new Error(`The adapter ${capability.adapter} does not end at once.`);
  return { ...row, ...(await endedColumns(row, step, at, context)) };
}

/**
 * Atomically writes a task, reserves its price and stores its idempotency key; without enough
 * credits the task is rejected. Returns false if the key or the quote was used in the meantime.
 */
async function writeTask(
  row: TaskRow,
  intent: Intent | undefined,
  context: Context,
): Promise<boolean> {
  const { writer } = context.database;
  const { id, key, amount, createdAt, quote } = row;
  const now = new Date(createdAt);
  const free = sql.join(
    [
      intent ? isFree(intent, now) : sql`true`,
      quote === null ? sql`true` : sql`not exists (select 1 from ${tasks} where quote = ${quote})`,
    ],
    sql` and `,
  );
  const pays = amount > 0 && (row.status === 'submitted' || row.status === 'completed');
  const error = {
    code: 'insufficient_credits',
    detail: `The key has fewer credits than the price of ${decimalOf(amount)} ${row.currency}. Nothing was charged; ask the operator for credits.`,
  };
  const rejected = {
    status: 'rejected' as const,
    error,
    quote: null,
    input: null,
    result: null,
    receipt: null,
    resultUntil: null,
    dueAt: null,
    endedAt: createdAt,
  };
  const written = sql`exists (select 1 from ${tasks} where id = ${id})`;
  const [first] = await writer.batch([
    writer.run(insertWhere(tasks, row, free)),
    ...(pays
      ? [
          ...transferWhere(
            {
              transfer: reservation(id),
              from: available(key),
              to: reserved(key),
              amount,
              at: createdAt,
            },
            written,
          ).map((statement) => writer.run(statement)),
          writer
            .update(tasks)
            .set(rejected)
            .where(sql`id = ${id} and not ${happened(reservation(id))}`),
          ...settle(row, createdAt).map((statement) => writer.run(statement)),
        ]
      : []),
    ...(intent ? [writer.run(rememberWhere(intent, id, { taskId: id }, now, written))] : []),
  ]);
  return first.rowsAffected > 0;
}

/**
 * Runs a capability: immediately if its adapter can, otherwise in the background until its provider
 * has finished.
 */
export const runCapability = defineOperation<RunRequest, Task>({
  name: 'run-capability',
  summary: 'Run a capability',
  description:
    'Runs a capability as a task: 200 when it has ended, 202 while it runs. It costs at most what was accepted; what fails, is canceled or rejected costs nothing. ' +
    BODY_LIMIT,
  method: 'POST',
  path: '/api/v1/tasks',
  problems: [
    'invalid_input',
    'unauthorized',
    'insufficient_scope',
    'in_flight',
    'conflict',
    'contract_changed',
    'budget_exceeded',
    'idempotency_mismatch',
    'gone',
  ],
  bearer: true,
  maxBodyBytes: CAPABILITY_BODY_BYTES,

  describe(site) {
    const sample = sampleCapability(site);
    return {
      parameters: [idempotencyParameter, contractParameter],
      request: { $ref: '#/components/schemas/TaskRequest' },
      ...capabilityExample('task', site),
      response: { $ref: '#/components/schemas/Task' },
      accepted: STILL_RUNNING,
      ...(sample && { responseExample: sampleTask(site, sample) }),
      components: { TaskRequest: jsonSchemaOf(request), Task: jsonSchemaOf(taskSchema) },
    };
  },

  parse(value, context) {
    const { body, request: asked } = parseCapabilityRequest(request, value, context);
    const { quoteId, maxAmount, contract, idempotencyKey } = body;
    return {
      ...asked,
      ...(quoteId !== undefined && { quoteId }),
      ...(maxAmount !== undefined && { maxAmount }),
      ...(contract !== undefined && { contract }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
  },

  handle(given, call, context) {
    const key = callerOf(call, context);
    requireScope(key, given.capability.id);
    const idempotencyKey = given.idempotencyKey ?? call.idempotencyKey;
    const asked = { ...given, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    const { capability, input, quoteId = null, maxAmount = null } = asked;
    const inputDigest = digestOf(input);
    const { address } = call;
    const caller = { key, ...(address !== undefined && { address }) };
    const intent =
      idempotencyKey === undefined
        ? undefined
        : {
            scope: `task ${key.id}`,
            key: idempotencyKey,
            digest: digestOf({ capability: capability.id, input, quoteId, maxAmount }),
          };

    const replay = async (): Promise<Outcome<Task> | undefined> => {
      const earlier = intent && (await recall<{ taskId: string }>(intent, context));
      const row = earlier && (await readTaskRow(earlier.output.taskId, context));
      return row && answerWith(row, true, context);
    };

    return once(intent, context, async () => {
      const earlier = await replay();
      if (earlier) return earlier;
      const { subsite, action = null } = capability;
      await requireContract(
        {
          action,
          ...(subsite && { subsite }),
          ...(given.contract && { contract: given.contract }),
        },
        call,
        context,
      );
      const accepted = await acceptPrice(asked, key.id, inputDigest, context);
      const row = await plan(asked, accepted, inputDigest, caller, context);
      if (await writeTask(row, intent, context))
        return answerWith(
          row.amount > 0 ? (await readTaskRow(row.id, context))! : row,
          false,
          context,
        );
      const taken = await replay();
      if (taken) return taken;
      throw quoteAlreadyAccepted();
    });
  },
});
