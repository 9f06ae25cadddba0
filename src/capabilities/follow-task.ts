import { inArray, sql } from 'drizzle-orm';
import { tasks } from '../../db/schema-capabilities.ts';
import { callerOf, requireActiveKey } from '../keys/authenticate-key.ts';
import type { Context } from '../operation/context.ts';
import type { Call } from '../operation/operation.ts';
import { followRecord, type Watchable } from '../operation/waits.ts';
import { readOwnTask } from './read-task.ts';
import { type Task, toTask, type TaskRow } from './task-record.ts';

/** A version of a task that changes whenever anything that the caller can see changes. */
export const versionOf = ({ status, updatedAt }: Pick<TaskRow, 'status' | 'updatedAt'>): string =>
  `${status} ${updatedAt}`;

/** The tasks that callers can wait for. */
export const taskChanges: Watchable = {
  async readVersions(names, { background }) {
    const rows = await background
      .select({ name: tasks.id, status: tasks.status, updatedAt: tasks.updatedAt })
      .from(tasks)
      .where(inArray(tasks.id, sql`(select value from json_each(${JSON.stringify(names)}))`));
    return rows.map(({ name, ...row }) => ({ name, version: versionOf(row) }));
  },
};

/**
 * Yields a task of the caller's key immediately, and again after each change, like `followRecord`.
 * @throws {Problem} not_found, including for a task of another key; unauthorized, including once
 * the key has expired or been revoked
 */
export function followTask(
  id: string,
  call: Pick<Call, 'key' | 'address' | 'signal'>,
  context: Context,
): AsyncGenerator<Task, void, undefined> {
  const read = async () => {
    await requireActiveKey(callerOf(call, context), context);
    const row = await readOwnTask(id, call, context);
    return { value: toTask(row, context), version: versionOf(row) };
  };
  return followRecord(taskChanges, id, read, call, context);
}
