import { cancelTask } from '../capabilities/cancel-task.ts';
import { followTask } from '../capabilities/follow-task.ts';
import { readTask } from '../capabilities/read-task.ts';
import { type Task, isFinalTaskState, type TaskStatus } from '../capabilities/task-record.ts';
import type { Context } from '../operation/context.ts';
import type { Operation } from '../operation/operation.ts';
import { requireKey } from './agent-tools.ts';
import { ALREADY_ENDED_TEXT, type McpTask, type McpTasks, type TaskCall } from './tasks.ts';
import { createStructuredResult } from './tool.ts';

/**
 * The state of an MCP task, derived from the state of a capability run. A failure or a rejection is
 * a result with its reason: `failed` is for protocol errors. A provider that waits for input asks
 * its own customer, so nobody here can answer.
 */
const taskStates: Readonly<Record<TaskStatus, 'working' | 'completed' | 'cancelled'>> = {
  submitted: 'working',
  working: 'working',
  input_required: 'working',
  completed: 'completed',
  failed: 'completed',
  rejected: 'completed',
  canceled: 'cancelled',
};

const SUBMITTED_REQUEST_TEXT =
  'The request that it submitted is not canceled: withdraw it with its receiptToken.';

/** The state of a run in one sentence. */
function messageOf({ status, capability, error }: Task): string {
  if (error) return error.detail;
  if (status === 'canceled') return `${capability} was canceled. Nothing was charged.`;
  return isFinalTaskState[status] ? `${capability} is done.` : `${capability} is running.`;
}

function toMcpTask(task: Task): McpTask {
  const status = taskStates[task.status];
  const parts = {
    taskId: task.taskId,
    statusMessage: messageOf(task),
    createdAt: task.createdAt,
    lastUpdatedAt: task.updatedAt,
    ttlMs: null,
    pollIntervalMs: 1000 * (task.retryAfterSeconds ?? 1),
  };
  return status === 'completed'
    ? { ...parts, status, result: createStructuredResult({ ...task }) }
    : { ...parts, status };
}

/** A key's runs as tasks, which only that key can read and cancel. */
export function createCapabilityTasks(context: Context): McpTasks {
  const callWithKey = async (
    operation: Operation<{ id: string }, Task>,
    id: string,
    call: TaskCall,
  ): Promise<Task> => {
    const key = requireKey(call);
    return (await operation.handle({ id }, { channel: 'mcp', key }, context)).output;
  };
  return {
    get: async (taskId, call) => toMcpTask(await callWithKey(readTask, taskId, call)),
    // Runs ask no questions, so answers are ignored.
    async update(taskId, _, call) {
      await callWithKey(readTask, taskId, call);
      return undefined;
    },
    async *watch(taskId, call) {
      for await (const task of followTask(taskId, { ...call, key: requireKey(call) }, context))
        yield toMcpTask(task);
    },
    async cancel(taskId, call) {
      const { status, result } = await callWithKey(cancelTask, taskId, call);
      if (status === 'canceled') return undefined;
      const requestNotice =
        result?.['receiptToken'] === undefined ? '' : ` ${SUBMITTED_REQUEST_TEXT}`;
      return `${ALREADY_ENDED_TEXT} Its state is ${status}.${requestNotice}`;
    },
  };
}
