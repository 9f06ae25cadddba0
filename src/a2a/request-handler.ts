import {
  AgentCard,
  type CancelTaskRequest,
  type GetTaskRequest,
  type Message,
  type SendMessageRequest,
  type Task,
} from '@a2a-js/sdk';
import { A2AError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { DefaultRequestHandler, type ServerCallContext, type TaskStore } from '@a2a-js/sdk/server';
import type { Context } from '../operation/context.ts';
import type { Problem } from '../operation/problem.ts';
import { CONTENT, networkExecutor } from './executor.ts';
import { failWith, problemIn, restate } from './faults.ts';
import { contentOf, withheld } from './message-content.ts';
import { hasEnded, taskStore } from './task-store.ts';

/** What the SDK needs of the card: that nothing is streamed or pushed and no extension must be known. */
const CARD = AgentCard.fromJSON({
  capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
});

/** Refuses an id that is none: the method names of 0.3 come with whatever was sent. @throws {RequestMalformedError} */
function requireId(id: unknown): void {
  if (typeof id !== 'string' || !id.trim())
    throw new RequestMalformedError(
      'id is required. Write the id of a task, as it was given with the task.',
    );
}

/**
 * The SDK's handler with what this network adds: messages reach it without their content, requests about one task are
 * taken one after the other, a message that is sent again gets the same task, and faults repeat nothing that was sent.
 */
export class NetworkRequestHandler extends DefaultRequestHandler {
  readonly #store: TaskStore;
  readonly #problemOf: (thrown: unknown) => Problem;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(context: Context, problemOf: (thrown: unknown) => Problem) {
    const store = taskStore(context, problemOf);
    // A bus that was kept for each task that waits would never be given up.
    super(
      CARD,
      store,
      networkExecutor(context, problemOf),
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      { keepBusAliveStates: [] },
    );
    this.#store = store;
    this.#problemOf = problemOf;
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
    call.state.set(CONTENT, contentOf(message));
    const request = {
      tenant: '',
      message: withheld(message),
      configuration: configuration && { ...configuration, taskPushNotificationConfig: undefined },
      metadata: undefined,
    };
    return this.#inTurn(message.taskId, call, async () => {
      const task = message.taskId ? await this.#store.load(message.taskId, call) : undefined;
      if (
        task &&
        hasEnded(task) &&
        task.history.some(({ messageId }) => messageId === message.messageId)
      )
        return task;
      const result = await super.sendMessage(request, call);
      if (problemIn(call)) throw new A2AError();
      return result;
    });
  }

  override async getTask(params: GetTaskRequest, call: ServerCallContext): Promise<Task> {
    requireId(params.id);
    return this.#inTurn('', call, () => super.getTask(params, call));
  }

  override async cancelTask(params: CancelTaskRequest, call: ServerCallContext): Promise<Task> {
    requireId(params.id);
    return this.#inTurn(params.id, call, () => super.cancelTask(params, call));
  }

  /** Runs `work` when the requests before it about the same task are done; an empty id waits for nobody. */
  async #inTurn<T>(taskId: string, call: ServerCallContext, work: () => Promise<T>): Promise<T> {
    const before = taskId ? this.#turns.get(taskId) : undefined;
    const turn = (before ?? Promise.resolve()).then(work, work);
    if (taskId) this.#turns.set(taskId, turn);
    try {
      return await turn;
    } catch (thrown) {
      if (thrown instanceof A2AError) throw problemIn(call) ? thrown : restate(thrown);
      throw failWith(this.#problemOf(thrown), call);
    } finally {
      if (taskId && this.#turns.get(taskId) === turn) this.#turns.delete(taskId);
    }
  }
}
