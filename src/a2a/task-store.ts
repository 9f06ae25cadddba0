import { Task, TaskState } from '@a2a-js/sdk';
import type { TaskStore } from '@a2a-js/sdk/server';
import { readA2aTask, writeA2aTask } from './a2a-task-record.ts';
import type { Context } from '../operation/context.ts';
import type { Problem } from '../operation/problem.ts';
import { failWith } from './faults.ts';
import { leadOf } from './outcome.ts';

/** States that a task does not leave. */
const endStates: ReadonlySet<TaskState | undefined> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

/** Messages of a task that are kept, the newest. */
const MOST_MESSAGES = 20;

/** What is kept of a task whose message was refused: that it waits. Anybody may send such messages, as many as they like. */
const stateOf = ({ id, contextId, status }: Task): Task => ({
  id,
  contextId,
  status: status && { ...status, message: undefined },
  artifacts: [],
  history: [],
  metadata: undefined,
});

/** Whether a task has come to its end. */
export const hasEnded = ({ status }: Task): boolean => endStates.has(status?.state);

/**
 * The tasks in the database. Callers are not known by name: a task is read by its id, which cannot be guessed, and a list
 * is empty. What fails ends the call and is not thrown: the SDK would print it with the task’s id.
 */
export const taskStore = (
  context: Context,
  problemOf: (thrown: unknown) => Problem,
): TaskStore => ({
  async load(id, call) {
    const stored = await readA2aTask(id, context).catch(
      (thrown: unknown) => void failWith(problemOf(thrown), call),
    );
    return stored === undefined ? undefined : Task.fromJSON(stored);
  },
  async save(task, call) {
    const ended = hasEnded(task);
    const kept = ended ? { ...task, history: task.history.slice(-MOST_MESSAGES) } : stateOf(task);
    const record = { id: task.id, task: Task.toJSON(kept), lead: leadOf(task), ended };
    await writeA2aTask(record, context).catch(
      (thrown: unknown) => void failWith(problemOf(thrown), call),
    );
  },
  list: async ({ pageSize = 0 }) => ({ tasks: [], nextPageToken: '', pageSize, totalSize: 0 }),
});
