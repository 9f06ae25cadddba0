import {
  type CancelTaskRequest,
  type GetTaskRequest,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  TaskState,
} from '@a2a-js/sdk';
import {
  A2AError,
  RequestMalformedError,
  TaskNotCancelableError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import { Problem } from '../operation/problem.ts';
import { stateOf } from './binding.ts';
import { findFirstTaskId, removeA2aTask } from './a2a-task-record.ts';
import { failWith, createNoMoreEventsError, rewordError } from './faults.ts';
import { cancelRequest } from '../leads/conversation/send-message.ts';
import { isSandboxToken } from '../leads/status/sample-lead.ts';
import { replyToLead, replyToSample } from './lead-reply.ts';
import { COMPLETED_TASK_TEXT } from './lead-task.ts';
import { parseMessageContent, type MessageContent, withoutContent } from './message-content.ts';
import { leadOf, withUnsentText } from './outcome.ts';
import { requirePublicTarget, setPushConfig } from './push-configs.ts';
import { PushConfigHandler, requireId } from './push-handler.ts';
import { releaseTaskBudget } from './task-budget.ts';
import { hasEnded, storeReceiptTask } from './task-store.ts';
import { streamTaskEvents } from './task-stream.ts';

const TASK_STATE_NAMES = Object.keys(TaskState).filter(
  (name) => name.startsWith('TASK_STATE_') && name !== 'TASK_STATE_UNSPECIFIED',
);

const withHistory = (task: Task, length: number | undefined): Task =>
  length === undefined ? task : { ...task, history: length > 0 ? task.history.slice(-length) : [] };

const isCompleted = ({ status }: Task): boolean => status?.state === TaskState.TASK_STATE_COMPLETED;

const createConfirmedTaskError = (): A2AError =>
  new TaskNotCancelableError(
    `This task is completed and was not canceled, because its request is confirmed. ${COMPLETED_TASK_TEXT}`,
  );

async function withRewordedErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw thrown instanceof A2AError ? rewordError(thrown) : thrown;
  }
}

/**
 * The SDK's handler with this network's additions: messages reach the SDK without their content,
 * requests about one task run in sequence, a repeated message gets the same task, a task with a
 * lead accepts whatever the lead accepts, and errors never repeat the input.
 */
export class A2aRequestHandler extends PushConfigHandler {
  readonly #turns = new Map<string, Promise<unknown>>();

  override async getAuthenticatedExtendedAgentCard(): Promise<never> {
    throw new UnsupportedOperationError(
      'There is no extended agent card. Read /.well-known/agent-card.json, which is complete.',
    );
  }

  override async sendMessage(
    params: SendMessageRequest,
    call: ServerCallContext,
  ): Promise<Message | Task> {
    const { message, configuration } = params;
    if (!message)
      throw new RequestMalformedError(
        'message is required. Send a message with messageId, role and parts.',
      );
    const content = parseMessageContent(message);
    const state = stateOf(call);
    state.content = content;
    const request = {
      tenant: '',
      message: withoutContent(message),
      configuration: configuration && { ...configuration, taskPushNotificationConfig: undefined },
      metadata: undefined,
    };
    // A repeated message waits for the first message and gets its task.
    const turnKey =
      message.taskId || (content.kind === 'data' ? `message ${message.messageId}` : '');
    return this.#runInTurn(turnKey, call, async () => {
      const pushConfig = configuration?.taskPushNotificationConfig;
      if (pushConfig) requirePublicTarget(pushConfig, this.context);
      const key = pushConfig && (await state.caller.getCallbackKey());
      const existingTask = message.taskId ? await this.load(message.taskId, call) : undefined;
      const reply =
        existingTask && (await this.#answerAboutLead(existingTask, message, content, call));
      const result = reply ?? (await withRewordedErrors(super.sendMessage(request, call)));
      if (state.problem) throw new A2AError();
      if ('messageId' in result) return result;
      const taskId = existingTask ? result.id : await this.#findFirstTask(result);
      if (key && existingTask) await storeReceiptTask(existingTask, this.context);
      if (key) await setPushConfig(pushConfig, { taskId, key }, state.version, this.context);
      // Read the task after setting the configuration, so that each change is either in the
      // response or posted.
      const isCurrent = leadOf(result) === null || (reply && !key);
      const task = isCurrent ? result : await this.requireTask(taskId, call);
      const reason = state.unsentTextReason;
      return withHistory(
        reason === undefined ? task : withUnsentText(task, reason),
        configuration?.historyLength,
      );
    });
  }

  override async *sendMessageStream(
    params: SendMessageRequest,
    call: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const result = await this.sendMessage(params, call);
    if ('messageId' in result) yield { payload: { $case: 'message', value: result } };
    else yield* this.#streamEvents(result, call);
  }

  override async *resubscribe(
    params: SubscribeToTaskRequest,
    call: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const task = await this.getTask({ ...params, historyLength: undefined }, call);
    if (hasEnded(task))
      throw createNoMoreEventsError(
        isCompleted(task) && leadOf(task) !== null ? COMPLETED_TASK_TEXT : undefined,
      );
    yield* this.#streamEvents(task, call);
  }

  override async getTask(params: GetTaskRequest, call: ServerCallContext): Promise<Task> {
    requireId(params.id);
    return this.#runInTurn('', call, () => withRewordedErrors(super.getTask(params, call)));
  }

  override async listTasks(
    params: ListTasksRequest,
    call: ServerCallContext,
  ): Promise<ListTasksResponse> {
    if (params.status === TaskState.UNRECOGNIZED)
      throw new RequestMalformedError(
        `status is not a task state. Send one of ${TASK_STATE_NAMES.join(', ')}, or leave it out.`,
      );
    return this.#runInTurn('', call, () => super.listTasks(params, call));
  }

  override async cancelTask(params: CancelTaskRequest, call: ServerCallContext): Promise<Task> {
    requireId(params.id);
    return this.#runInTurn(params.id, call, async () => {
      const task = await this.load(params.id, call);
      const receiptToken = task && leadOf(task);
      if (receiptToken) return this.#withdraw(task, receiptToken, call);
      const isSample = task && isSandboxToken(task.id);
      if (isSample && isCompleted(task)) throw createConfirmedTaskError();
      if (isSample && !hasEnded(task)) {
        const withdrawal = { kind: 'data' as const, data: { withdraw: true }, text: '' };
        return replyToSample(task.id, withdrawal, this.context);
      }
      return withRewordedErrors(super.cancelTask(params, call));
    });
  }

  /** Streams the events of a task. @throws {A2AError} when later events cannot be read */
  async *#streamEvents(
    task: Task,
    call: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    try {
      yield* streamTaskEvents(task, call, this.context);
    } catch (thrown) {
      throw failWith(this.toProblem(thrown), call);
    }
  }

  /**
   * The ID of the first task with the same lead, which replaces this task; otherwise, this task's
   * own ID.
   */
  async #findFirstTask(task: Task): Promise<string> {
    const receiptToken = leadOf(task);
    const firstTaskId =
      (receiptToken !== null && (await findFirstTaskId(receiptToken, this.context))) || task.id;
    if (firstTaskId !== task.id) {
      await removeA2aTask(task.id, this.context);
      await releaseTaskBudget(task.id, this.context);
    }
    return firstTaskId;
  }

  /**
   * The response to a repeated message or to a message about a lead; undefined for other messages.
   */
  async #answerAboutLead(
    task: Task,
    { messageId, contextId }: Message,
    content: MessageContent,
    call: ServerCallContext,
  ): Promise<Task | undefined> {
    const receiptToken = leadOf(task);
    if (contextId && contextId !== task.contextId) throw rewordError(new RequestMalformedError());
    if (task.history.some((earlierMessage) => earlierMessage.messageId === messageId)) return task;
    if (isSandboxToken(task.id)) return replyToSample(task.id, content, this.context);
    if (receiptToken === null) return undefined;
    await replyToLead(receiptToken, content, messageId, stateOf(call).caller, this.context);
    return this.requireTask(task.id, call);
  }

  /**
   * Withdraws the lead of a task. A completed task is unchanged, as A2A requires for every task
   * that has ended, so that canceling open tasks never withdraws a confirmed booking.
   * @throws {TaskNotCancelableError} describing what is allowed instead
   */
  async #withdraw(task: Task, receiptToken: string, call: ServerCallContext): Promise<Task> {
    try {
      await cancelRequest(receiptToken, { channel: 'a2a' }, this.context);
    } catch (thrown) {
      if (!(thrown instanceof Problem && thrown.code === 'conflict')) throw thrown;
      throw isCompleted(await this.requireTask(task.id, call))
        ? createConfirmedTaskError()
        : new TaskNotCancelableError(`This task cannot be canceled. ${thrown.message}`);
    }
    return this.requireTask(task.id, call);
  }

  /**
   * Runs `work` after earlier requests about the same task are done; without a task ID,
   * immediately.
   */
  async #runInTurn<T>(taskId: string, call: ServerCallContext, work: () => Promise<T>): Promise<T> {
    const previousTurn = taskId ? this.#turns.get(taskId) : undefined;
    const turn = (previousTurn ?? Promise.resolve()).then(work, work);
    if (taskId) this.#turns.set(taskId, turn);
    try {
      return await this.withProblemErrors(call, () => turn);
    } finally {
      if (taskId && this.#turns.get(taskId) === turn) this.#turns.delete(taskId);
    }
  }
}
