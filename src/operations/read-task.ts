import { and, eq } from 'drizzle-orm';
import { tasks } from '../../db/schema-capabilities.ts';
import type { Site } from '../registry/index.ts';
import { callerOf } from './authenticate-key.ts';
import { sampleCapability } from './capability-catalog.ts';
import type { Call } from './operation.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { defineOperation, type OperationDescription } from './operation.ts';
import type { Context } from './context.ts';
import { Problem } from './problem.ts';
import { runningAnswer, sampleTask, type Task, taskOf, type TaskRow, taskSchema } from './task-record.ts';

/** How an operation on one task stands in the OpenAPI document. */
export const oneTask = (site: Site): OperationDescription => ({
  parameters: [{ name: 'id', in: 'path', required: true, description: 'Id of the task.', schema: { type: 'string' }, example: sampleTask({ base: '' }, '').taskId }],
  response: { $ref: '#/components/schemas/Task' },
  responseExample: sampleTask(site, sampleCapability(site)),
  components: { Task: jsonSchemaOf(taskSchema) },
});

/** A task of the caller’s key, read where it is written. @throws {Problem} not_found, also for a task of another key */
export async function ownTask(id: string, call: Call, { database }: Context): Promise<TaskRow> {
  const key = callerOf(call);
  const [row] = await database.writer.select().from(tasks).where(and(eq(tasks.id, id), eq(tasks.key, key.id)));
  if (!row) throw new Problem('not_found', 'There is no task with this id for this key.');
  return row;
}

/** Reads a task; its key’s own only. */
export const readTask = defineOperation<{ id: string }, Task>({
  name: 'read-task',
  summary: 'Read a task',
  description: 'Reads a task of the same key. While it runs the answer is 202; Retry-After and retryAfterSeconds say when to look again.',
  method: 'GET',
  path: '/api/v1/tasks/{id}',
  problems: ['unauthorized', 'not_found'],
  bearer: true,
  describe: oneTask,
  parse: (value) => ({ id: String((value as { id?: unknown }).id) }),

  async handle({ id }, call, context) {
    const output = taskOf(await ownTask(id, call, context), context);
    return { output, replayed: false, ...runningAnswer(output) };
  },
});
