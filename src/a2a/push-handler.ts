import {
  AgentCard,
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type Task,
  type TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { A2AError, RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import { DefaultRequestHandler, type ServerCallContext, type TaskStore } from '@a2a-js/sdk/server';
import type { Context } from '../operation/context.ts';
import type { Problem } from '../operation/problem.ts';
import { stateOf } from './binding.ts';
import { createNetworkExecutor } from './executor.ts';
import { failWith, rewordError } from './faults.ts';
import {
  deletePushConfig,
  getPushConfig,
  listPushConfigs,
  type PushConfigOwner,
  setPushConfig,
} from './push-configs.ts';
import { storeReceiptTask, createTaskStore } from './task-store.ts';

/**
 * The part of the agent card that the SDK needs. The outbox, not the SDK, sends push notifications.
 */
const AGENT_CARD = AgentCard.fromJSON({
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
});

/**
 * Rejects an invalid ID, because calls with 0.3 method names arrive unchecked.
 * @throws {RequestMalformedError}
 */
export function requireId(id: unknown, member = 'id', noun = 'a task'): void {
  if (typeof id !== 'string' || !id.trim())
    throw new RequestMalformedError(
      `${member} is required. Send the ID of ${noun} as you received it.`,
    );
}

/** The SDK's handler for stored tasks, with the push notification configurations of each key. */
export class PushConfigHandler extends DefaultRequestHandler {
  protected readonly context: Context;
  protected readonly toProblem: (thrown: unknown) => Problem;
  readonly #store: TaskStore;

  constructor(context: Context, toProblem: (thrown: unknown) => Problem) {
    const store = createTaskStore(context, toProblem);
    // Do not keep an event bus for each waiting task: it would never be freed.
    super(
      AGENT_CARD,
      store,
      createNetworkExecutor(context, toProblem),
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      { keepBusAliveStates: [] },
    );
    this.context = context;
    this.toProblem = toProblem;
    this.#store = store;
  }

  override async createTaskPushNotificationConfig(
    config: TaskPushNotificationConfig,
    call: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.#runForTask(config.taskId, call, async (owner, task) => {
      await storeReceiptTask(task, this.context);
      return setPushConfig(config, owner, stateOf(call).version, this.context);
    });
  }

  override async getTaskPushNotificationConfig(
    params: GetTaskPushNotificationConfigRequest,
    call: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.#runForConfig(params, call, (owner) => getPushConfig(params, owner, this.context));
  }

  override async listTaskPushNotificationConfigs(
    params: ListTaskPushNotificationConfigsRequest,
    call: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.#runForTask(params.taskId, call, (owner) =>
      listPushConfigs(params, owner, this.context),
    );
  }

  override async deleteTaskPushNotificationConfig(
    params: DeleteTaskPushNotificationConfigRequest,
    call: ServerCallContext,
  ): Promise<void> {
    return this.#runForConfig(params, call, (owner) =>
      deletePushConfig(params, owner, this.context),
    );
  }

  /** The current task; undefined if it does not exist. @throws {A2AError} when it cannot be read */
  protected async load(id: string, call: ServerCallContext): Promise<Task | undefined> {
    const task = await this.#store.load(id, call);
    if (stateOf(call).problem) throw new A2AError();
    return task;
  }

  /** The task after a change. @throws {TaskNotFoundError} if its lead was erased */
  protected async requireTask(id: string, call: ServerCallContext): Promise<Task> {
    const task = await this.load(id, call);
    if (!task) throw rewordError(new TaskNotFoundError());
    return task;
  }

  /** Runs `work` and converts failures to protocol errors. */
  protected async withProblemErrors<T>(
    call: ServerCallContext,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof A2AError) throw thrown;
      throw failWith(this.toProblem(thrown), call);
    }
  }

  #runForConfig<T>(
    { taskId, id }: GetTaskPushNotificationConfigRequest,
    call: ServerCallContext,
    work: (owner: PushConfigOwner) => Promise<T>,
  ): Promise<T> {
    return this.#runForTask(taskId, call, async (owner) => {
      requireId(id, 'id', 'a configuration');
      return work(owner);
    });
  }

  /** Runs an operation on the configurations of a task, for the caller's key. */
  #runForTask<T>(
    taskId: string,
    call: ServerCallContext,
    work: (owner: PushConfigOwner, task: Task) => Promise<T>,
  ): Promise<T> {
    return this.withProblemErrors(call, async () => {
      requireId(taskId, 'taskId');
      const key = await stateOf(call).caller.getCallbackKey();
      const task = await this.requireTask(taskId, call);
      return work({ taskId: task.id, key }, task);
    });
  }
}
