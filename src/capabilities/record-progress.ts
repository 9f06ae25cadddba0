import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { tasks } from '../../db/schema-capabilities.ts';
import type { Context } from '../operation/context.ts';
import { waitListOf } from '../operation/waits.ts';
import type { Step } from './adapters/adapter.ts';
import { taskChanges, versionOf } from './follow-task.ts';
import { runningStates, type TaskRow } from './task-record.ts';

/**
 * Records the progress of a running task, along with other columns, and notifies its followers of a
 * new state. A step and a callback may arrive in any order, so neither deletes what the other has
 * recorded. Returns whether the task is still running and meets the condition.
 */
export async function recordProgress(
  id: string,
  { status, job }: Pick<Step & { kind: 'waiting' }, 'status' | 'job'>,
  { columns, condition }: { columns?: Partial<TaskRow>; condition?: SQL },
  { database, now }: Context,
): Promise<boolean> {
  const [recorded] = await database.writer
    .update(tasks)
    .set({
      ...columns,
      ...(job !== null && { job }),
      ...(status !== undefined && {
        status,
        updatedAt: sql`iif(${tasks.status} = ${status}, ${tasks.updatedAt}, ${now().toISOString()})`,
      }),
    })
    .where(and(eq(tasks.id, id), inArray(tasks.status, runningStates), condition))
    .returning({ status: tasks.status, updatedAt: tasks.updatedAt });
  if (recorded) waitListOf(database).changed(taskChanges, id, versionOf(recorded));
  return recorded !== undefined;
}
