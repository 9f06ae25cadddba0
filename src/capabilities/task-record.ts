import { keysOf } from '../site/json-object.ts';
import * as v from 'valibot';
import type { tasks } from '../../db/schema-capabilities.ts';
import type { Site } from '../site/site.ts';
import type { Context } from '../operation/context.ts';
import type { Outcome } from '../operation/operation.ts';
import { timestampSchema as time } from '../operation/text-schemas.ts';
import { withDescription, createTextSchema, jsonObject } from '../operation/validate.ts';
import { toDecimal } from './money.ts';

export type TaskRow = typeof tasks.$inferSelect;

/** Task states, and whether they are final. */
export const isFinalTaskState = {
  submitted: false,
  working: false,
  input_required: false,
  completed: true,
  failed: true,
  canceled: true,
  rejected: true,
} as const;

export type TaskStatus = keyof typeof isFinalTaskState;

export const runningStates = keysOf(isFinalTaskState).filter((status) => !isFinalTaskState[status]);

/** Final states in which the provider's job is no longer needed. */
export const abandonedStates: readonly TaskStatus[] = ['failed', 'canceled'];

/** Limits on the polling hint for a running task, in seconds. */
const MIN_POLL_SECONDS = 5;
const MAX_POLL_SECONDS = 300;

export const taskSchema = withDescription(
  v.strictObject({
    taskId: v.string(),
    capability: createTextSchema('ID of the capability.'),
    status: withDescription(
      v.picklist(keysOf(isFinalTaskState)),
      'submitted, working or input_required while the task is running; completed, failed, canceled or rejected once it has ended.',
    ),
    statusUrl: v.pipe(v.string(), v.url(), v.description('URL of the task.')),
    createdAt: time,
    updatedAt: time,
    retryAfterSeconds: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(MIN_POLL_SECONDS),
        v.maxValue(MAX_POLL_SECONDS),
        v.description('Seconds to wait before reading a running task again.'),
      ),
    ),
    result: v.optional(
      withDescription(
        jsonObject,
        'The result, once completed; kept until resultExpiresAt. Help and guide return published, answer, passages, ask and limitations; a capability with the adapter assist returns answered, answer, passages, places and limitations, and notOffered with notOfferedCode if nothing fits. passages are the best-matching published passages, each {subsite, kind, title, text, url}. If none answers the question with confidence, published or answered is false, and answer says so. places are the services to ask, each with its actions and capabilities.',
      ),
    ),
    resultExpiresAt: v.optional(withDescription(time, 'When the result is deleted.')),
    error: v.optional(
      withDescription(
        v.strictObject({ code: v.string(), detail: v.string() }),
        'Why the task failed or was rejected.',
      ),
    ),
    charge: v.optional(
      withDescription(
        v.strictObject({ amount: v.string(), currency: v.string() }),
        'The amount charged, once the task has ended; never more than was accepted.',
      ),
    ),
    receipt: v.optional(
      withDescription(
        jsonObject,
        'Receipt of a completed task, kept indefinitely. If the service signs receipts, jws is the signed form (JWS, EdDSA); verify it with the key in /.well-known/jwks.json whose kid matches.',
      ),
    ),
  }),
  'A run of a capability.',
);

export type Task = v.InferOutput<typeof taskSchema>;

/**
 * Seconds until the next poll of the provider, which may set the interval; a callback may arrive
 * earlier.
 */
const retrySecondsOf = (dueAt: string | null, now: Date): number =>
  Math.min(
    Math.max(Math.ceil((Date.parse(dueAt ?? '') - now.getTime()) / 1000) || 0, MIN_POLL_SECONDS),
    MAX_POLL_SECONDS,
  );

export function toTask(row: TaskRow, { site: { base }, now }: Pick<Context, 'site' | 'now'>): Task {
  const { status } = row;
  return {
    taskId: row.id,
    capability: row.capability,
    status,
    statusUrl: `${base}/api/v1/tasks/${row.id}`,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...(!isFinalTaskState[status] && { retryAfterSeconds: retrySecondsOf(row.dueAt, now()) }),
    ...(row.result && {
      result: row.result,
      ...(row.resultUntil && { resultExpiresAt: row.resultUntil }),
    }),
    ...(row.error && { error: row.error }),
    ...(isFinalTaskState[status] && {
      charge: {
        amount: toDecimal(status === 'completed' ? row.amount : 0),
        currency: row.currency,
      },
    }),
    ...(row.receipt && { receipt: row.receipt }),
  };
}

/** The response with a task: 202 and a polling hint while it runs. */
export function createTaskOutcome(
  row: TaskRow,
  replayed: boolean,
  context: Context,
): Outcome<Task> {
  const output = toTask(row, context);
  return {
    output,
    replayed,
    ...(!isFinalTaskState[output.status] && {
      status: 202,
      headers: { 'retry-after': String(output.retryAfterSeconds), location: output.statusUrl },
    }),
  };
}

export const createSampleTask = ({ base }: Pick<Site, 'base'>, capability: string): Task => ({
  taskId: 'T7dQw2LpX0cVn8sJrKf3a',
  capability,
  status: 'completed',
  statusUrl: `${base}/api/v1/tasks/T7dQw2LpX0cVn8sJrKf3a`,
  createdAt: '2026-11-02T15:04:05.000Z',
  updatedAt: '2026-11-02T15:04:05.000Z',
  result: { answer: 'What is published about the question.' },
  charge: { amount: '0.00', currency: 'USD' },
});
