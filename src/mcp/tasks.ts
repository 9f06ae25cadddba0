import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequests,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as v from 'valibot';
import { isMissing } from '../operation/problem.ts';
import { isObject, memberOf } from '../site/json-object.ts';
import { createInputProblem } from '../operation/validate.ts';
import { toProblemData } from '../http/problem-data.ts';
import { toolCallOf } from './caller.ts';
import type { GuardedServer } from './protocol-faults.ts';
import type { ToolCall } from './tool.ts';

/**
 * SEP-2663 extends protocol revision 2026-07-28: a tool may return a task in place of its result.
 */
const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The capability by which clients and servers declare this extension. */
export const tasksCapability = { extensions: { [TASKS_EXTENSION]: {} } };

/** Task states (SEP-2663, “Task Status”), and whether they are final. */
const isFinalTaskState = {
  working: false,
  input_required: false,
  completed: true,
  failed: true,
  cancelled: true,
} as const;

export type McpTaskStatus = keyof typeof isFinalTaskState;

export interface McpTaskParts {
  taskId: string;
  /** The current state in words, for a person or a model. */
  statusMessage: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastUpdatedAt: string;
  /** Time in ms from `createdAt` during which the task can be read; null for no limit. */
  ttlMs: number | null;
  /** Suggested polling interval in ms. */
  pollIntervalMs: number;
}

/** A task in the response to `tasks/get` (`DetailedTask` in SEP-2663). */
export type McpTask = McpTaskParts &
  (
    | { status: 'working' | 'cancelled' }
    | { status: 'input_required'; inputRequests: InputRequests }
    | { status: 'completed'; result: CallToolResult }
    | { status: 'failed'; error: { code: number; message: string } }
  );

/** A call by a client that supports tasks. */
export interface TaskCall extends ToolCall {
  /** Whether the client shows forms (elicitation). If not, `statusMessage` has the question. */
  supportsForms: boolean;
}

/**
 * The tasks of an endpoint. Each represents a stored record that the operations of other channels
 * can also read, answer and end. Methods throw a problem with status 404 or 410 for a task that is
 * unknown, was erased, or belongs to another caller.
 */
export interface McpTasks {
  /** @throws {Problem} */
  get: (taskId: string, call: TaskCall) => Promise<McpTask>;
  /**
   * Accepts answers by the keys of `inputRequests`; if they changed nothing, the result says why.
   */
  update: (
    taskId: string,
    responses: Readonly<Record<string, unknown>>,
    call: TaskCall,
  ) => Promise<string | undefined>;
  /** Cancels a running task; for one that has ended, the result says what to do instead. */
  cancel: (taskId: string, call: TaskCall) => Promise<string | undefined>;
  /** Yields the task immediately, and again whenever it may have changed. @throws {Problem} */
  watch: (taskId: string, call: TaskCall) => AsyncGenerator<McpTask, void, undefined>;
}

/** First sentence of the notice when a client cancels a task that has already ended. */
export const ALREADY_ENDED_TEXT = 'This task had already ended, so nothing was changed.';

export const hasEnded = ({ status }: McpTask): boolean => isFinalTaskState[status];

/** Whether a client shows forms: `elicitation` without a mode means form. */
function supportsForms(elicitation: unknown): boolean {
  return isObject(elicitation) && (!Object.keys(elicitation).length || 'form' in elicitation);
}

/** The declaration in `_meta` of a client that supports tasks; undefined for other clients. */
export function tasksDeclarationOf(
  meta: Readonly<Record<string, unknown>> | undefined,
): Pick<TaskCall, 'supportsForms'> | undefined {
  const capabilities = meta?.[CLIENT_CAPABILITIES_META_KEY];
  return memberOf(memberOf(capabilities, 'extensions'), TASKS_EXTENSION)
    ? { supportsForms: supportsForms(memberOf(capabilities, 'elicitation')) }
    : undefined;
}

/** The call of a client that supports tasks; undefined for other clients. */
export function taskCallOf(ctx: ServerContext): TaskCall | undefined {
  const declaredCapability = tasksDeclarationOf(ctx.mcpReq.envelope);
  return declaredCapability && { ...toolCallOf(ctx), ...declaredCapability };
}

/**
 * A task in place of the result of a call (`CreateTaskResult` in SEP-2663); undefined if the task
 * has ended, so that the call returns its result immediately. The guarded server then removes the
 * content.
 */
export function toCreatedTaskResult(task: McpTask): CallToolResult | undefined {
  if (hasEnded(task)) return undefined;
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task;
  const parts = { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs };
  return { content: [], resultType: 'task', ...parts };
}

/** A task in wire format. A completed task contains the result of its call, with a `resultType`. */
export const toDetailedTask = (task: McpTask): Result =>
  task.status === 'completed'
    ? { ...task, result: { resultType: 'complete', ...task.result } }
    : { ...task };

/** An acknowledgment, with a notice if nothing changed. */
const createAcknowledgment = (notice: string | undefined): Result =>
  notice === undefined ? {} : { _meta: { notice } };

const taskParamsSchema = v.looseObject({ taskId: v.optional(v.unknown()) });

/** Serves `tasks/get`, `tasks/update` and `tasks/cancel`; `base` is the service's origin. */
export function serveTasks(server: GuardedServer, tasks: McpTasks, base: string): void {
  const serve = (
    method: 'tasks/get' | 'tasks/update' | 'tasks/cancel',
    answer: (taskId: string, call: TaskCall, ctx: ServerContext) => Promise<Result>,
  ) => {
    server.setRequestHandler(method, { params: taskParamsSchema }, async ({ taskId }, ctx) => {
      const call = taskCallOf(ctx);
      if (!call)
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: tasksCapability });
      if (typeof taskId !== 'string')
        throw createInputProblem('/taskId', 'Send the taskId of a task that a tool returned.');
      try {
        return await answer(taskId, call, ctx);
      } catch (thrown) {
        if (!isMissing(thrown)) throw thrown;
        const data = toProblemData(thrown, base);
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, thrown.message, data);
      }
    });
  };
  serve('tasks/get', async (taskId, call) => toDetailedTask(await tasks.get(taskId, call)));
  serve('tasks/update', async (taskId, call, { mcpReq }) => {
    const { inputResponses } = mcpReq;
    if (!isObject(inputResponses))
      throw createInputProblem(
        '/inputResponses',
        'Send an object with a response for each key of inputRequests.',
      );
    return createAcknowledgment(await tasks.update(taskId, inputResponses, call));
  });
  serve('tasks/cancel', async (taskId, call) => {
    // Per SEP-2663, canceling a task that has ended is acknowledged like any other cancellation.
    return createAcknowledgment(await tasks.cancel(taskId, call));
  });
}
