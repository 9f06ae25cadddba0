import * as v from 'valibot';
import { type ListTasksRequest, type ListTasksResponse, Task, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { TaskStore } from '@a2a-js/sdk/server';
import {
  findFirstTaskId,
  type StoredTask,
  listA2aTasks,
  type ListedTask,
  readA2aTask,
  removeA2aTask,
  writeA2aTask,
} from './a2a-task-record.ts';
import { createSampleLog, isSandboxToken } from '../leads/status/sample-lead.ts';
import { readLog } from '../leads/lead-log.ts';
import type { Context } from '../operation/context.ts';
import { isGone, isMissing, type Problem, ignoreErrorIf } from '../operation/problem.ts';
import { RECEIPT_TOKEN_PATTERN } from '../operation/tokens.ts';
import { failWith } from './faults.ts';
import { createLeadTask, createSampleTask, createTaskFromLog, taskStates } from './lead-task.ts';
import { isSandboxTask, leadOf, waitingParts } from './outcome.ts';
import { createAgentMessage } from './parts.ts';

const TERMINAL_STATES: ReadonlySet<TaskState | undefined> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

export const hasEnded = ({ status }: Task): boolean => TERMINAL_STATES.has(status?.state);

/**
 * Maximum number of messages to store with a task, not counting those of its lead; the newest are
 * kept.
 */
const MAX_MESSAGES = 20;
/** Default page size (A2A 1.0, “ListTasksRequest”). */
const DEFAULT_PAGE_SIZE = 50;

/**
 * A task whose message was rejected, as stored: only its state, because anyone can send any number
 * of such messages.
 */
const withoutMessages = ({ id, contextId, status }: Task): Task => ({
  id,
  contextId,
  status: status && { ...status, message: undefined },
  artifacts: [],
  history: [],
  metadata: undefined,
});

/** A stored task without a lead, with a message that says what it waits for. */
function withWaitingMessage(task: Task): Task {
  const { id, contextId, status } = task;
  if (status?.state !== TaskState.TASK_STATE_INPUT_REQUIRED) return task;
  const ids = { messageId: `${id}-waiting`, taskId: id, contextId };
  return { ...task, status: { ...status, message: createAgentMessage(ids, waitingParts) } };
}

/** The current task; undefined if its lead was erased. @throws {DatabaseUnavailableError} */
async function readCurrentTask(
  { task, receiptToken }: StoredTask,
  context: Context,
): Promise<Task | undefined> {
  const storedTask = Task.fromJSON(task);
  if (receiptToken === null) return withWaitingMessage(storedTask);
  const log = await readLog(receiptToken, context).catch(ignoreErrorIf(isGone));
  return log && createLeadTask(storedTask, log, context.now(), context);
}

const RECEIPT_PATTERN = new RegExp(RECEIPT_TOKEN_PATTERN);

/**
 * The task of the lead with this receipt token, whichever channel created the lead, or a sandbox
 * task. If the lead came through A2A, this is its original task. Undefined for any other ID.
 * @throws {DatabaseUnavailableError}
 */
async function findTaskByReceipt(id: string, context: Context): Promise<Task | undefined> {
  if (isSandboxToken(id)) return createSampleTask(createSampleLog(context.site, id), context);
  if (!RECEIPT_PATTERN.test(id)) return undefined;
  const firstTaskId = await findFirstTaskId(id, context);
  const storedTask =
    firstTaskId === undefined ? undefined : await readA2aTask(firstTaskId, context);
  if (storedTask) return readCurrentTask(storedTask, context);
  const log = await readLog(id, context).catch(ignoreErrorIf(isMissing));
  return log && createLeadTask(createTaskFromLog(log, context), log, context.now(), context);
}

/**
 * Stores the task of a lead that was not created through A2A, so that it can have push
 * configurations; every other task is already stored. @throws {DatabaseUnavailableError}
 */
export async function storeReceiptTask(task: Task, context: Context): Promise<void> {
  const { id, contextId } = task;
  const receiptToken = leadOf(task);
  if (receiptToken !== id) return;
  const record = { id, contextId, task: Task.toJSON({ ...task, status: undefined, history: [] }) };
  await writeA2aTask({ ...record, lead: receiptToken, isFinal: true }, context);
}

type PageStart = [changedAt: string, id: string];

const createPageToken = ({ changedAt, id }: ListedTask): string =>
  Buffer.from(JSON.stringify([changedAt, id])).toString('base64url');

/** @throws {RequestMalformedError} for an unknown page token */
function parsePageToken(pageToken: string): PageStart {
  try {
    const start: unknown = JSON.parse(Buffer.from(pageToken, 'base64url').toString());
    return v.parse(v.strictTuple([v.string(), v.string()]), start);
  } catch {
    throw new RequestMalformedError(
      'pageToken: Send the nextPageToken of the last response, or leave it out.',
    );
  }
}

const isAfter = ({ changedAt, id }: ListedTask, [time, lastId]: PageStart): boolean =>
  changedAt < time || (changedAt === time && id < lastId);

/** @throws {RequestMalformedError} @throws {DatabaseUnavailableError} */
async function listTasks(
  {
    contextId,
    status,
    pageSize = DEFAULT_PAGE_SIZE,
    pageToken,
    statusTimestampAfter,
    includeArtifacts = false,
  }: ListTasksRequest,
  context: Context,
): Promise<ListTasksResponse> {
  const start = pageToken ? parsePageToken(pageToken) : undefined;
  const earliestTime = statusTimestampAfter ? Date.parse(statusTimestampAfter) : undefined;
  const matchingTasks = (await listA2aTasks(contextId, context)).filter(
    ({ task, leadStatus, changedAt }) =>
      (status === TaskState.TASK_STATE_UNSPECIFIED ||
        status === (leadStatus ? taskStates[leadStatus] : Task.fromJSON(task).status?.state)) &&
      (earliestTime === undefined || Date.parse(changedAt) >= earliestTime),
  );
  const rest = start ? matchingTasks.filter((task) => isAfter(task, start)) : matchingTasks;
  const page = rest.slice(0, pageSize);
  const tasks: Task[] = [];
  for (const listedTask of page) {
    const task = await readCurrentTask(listedTask, context);
    if (task) tasks.push(includeArtifacts ? task : { ...task, artifacts: [] });
  }
  return {
    tasks,
    nextPageToken: rest.length > page.length ? createPageToken(page.at(-1)!) : '',
    pageSize,
    totalSize: matchingTasks.length,
  };
}

/**
 * The tasks in the database. Callers are anonymous: a task is read by its unguessable ID, and a
 * list shows only the tasks in a context with an unguessable ID. A read or write error ends the
 * call without being thrown, because the SDK would log it with the task's ID.
 */
export const createTaskStore = (
  context: Context,
  toProblem: (thrown: unknown) => Problem,
): TaskStore => ({
  async load(id, call) {
    try {
      const storedTask = await readA2aTask(id, context);
      return storedTask
        ? await readCurrentTask(storedTask, context)
        : await findTaskByReceipt(id, context);
    } catch (thrown) {
      failWith(toProblem(thrown), call);
      return undefined;
    }
  },
  async save(task, call) {
    const onFailure = (thrown: unknown) => void failWith(toProblem(thrown), call);
    if (isSandboxTask(task)) {
      // A rejected first message may have stored the state of the task.
      await removeA2aTask(task.id, context).catch(onFailure);
      return;
    }
    const receiptToken = leadOf(task);
    const isFinal = receiptToken !== null || hasEnded(task);
    const taskToStore = isFinal
      ? { ...task, history: task.history.slice(-MAX_MESSAGES) }
      : withoutMessages(task);
    const { id, contextId } = task;
    const record = { id, contextId, task: Task.toJSON(taskToStore), lead: receiptToken, isFinal };
    await writeA2aTask(record, context).catch(onFailure);
  },
  list: (params) => listTasks(params, context),
});
