import { memberOf } from '../site/json-object.ts';
import { and, eq } from 'drizzle-orm';
import { tasks } from '../../db/schema-capabilities.ts';
import type { Site } from '../site/site.ts';
import { callerOf } from '../keys/authenticate-key.ts';
import { findSampleCapabilityId } from './capability-catalog.ts';
import {
  type Call,
  defineOperation,
  type OperationDescription,
  pathParameter,
} from '../operation/operation.ts';
import { jsonSchemaOf } from '../operation/json-schema.ts';
import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';
import {
  createSampleTask,
  createTaskOutcome,
  type Task,
  type TaskRow,
  taskSchema,
} from './task-record.ts';

/** Explains status 202 in a response with a task. */
export const STILL_RUNNING_TEXT =
  'The task is still running; read statusUrl after Retry-After seconds.';

/** The OpenAPI description that operations on one task share. */
export const createTaskDescription = (site: Site): OperationDescription => ({
  parameters: [
    pathParameter('id', 'ID of the task.', { example: createSampleTask({ base: '' }, '').taskId }),
  ],
  response: { $ref: '#/components/schemas/Task' },
  accepted: STILL_RUNNING_TEXT,
  responseExample: createSampleTask(site, findSampleCapabilityId(site)),
  components: { Task: jsonSchemaOf(taskSchema) },
});

/**
 * A task of the caller's key, read from the primary. @throws {Problem} not_found, including for a
 * task of another key
 */
export async function readOwnTask(
  id: string,
  call: Pick<Call, 'key'>,
  { site, database }: Context,
): Promise<TaskRow> {
  const key = callerOf(call, { site });
  const [row] = await database.writer
    .select()
    .from(tasks)
    .where(and(eq(tasks.id, id), eq(tasks.key, key.id)));
  if (!row) throw new Problem('not_found', 'This key has no task with this ID.');
  return row;
}

/** Reads a task, but only for the key that submitted it. */
export const readTask = defineOperation<{ id: string }, Task>({
  name: 'read-task',
  summary: 'Read a task',
  description:
    'Reads a task that the same key submitted. While it is running, the status is 202, and Retry-After and retryAfterSeconds specify when to read it again.',
  method: 'GET',
  path: '/api/v1/tasks/{id}',
  problems: ['unauthorized', 'not_found'],
  requiresKey: true,
  describe: createTaskDescription,
  parse: (value) => ({ id: String(memberOf(value, 'id')) }),

  handle: async ({ id }, call, context) =>
    createTaskOutcome(await readOwnTask(id, call, context), false, context),
});
