import { isObject, memberOf } from '../site/json-object.ts';
import { MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server';
import { createEventStreamResponse } from '../http/event-stream.ts';
import { isMissing, ignoreErrorIf } from '../operation/problem.ts';
import {
  tasksDeclarationOf,
  toDetailedTask,
  hasEnded,
  type McpTask,
  type McpTasks,
  tasksCapability,
} from './tasks.ts';
import type { ToolCall } from './tool.ts';

/** Maximum number of tasks per subscription, the same as the number of wait slots per address. */
const MAX_TASKS = 4;

type Message = Record<string, unknown>;

interface WatchedTask {
  initialTask: McpTask;
  changes: AsyncGenerator<McpTask, void, undefined>;
}

function taskIdsOf(message: unknown): string[] | undefined {
  if (memberOf(message, 'method') !== 'subscriptions/listen') return undefined;
  const ids = memberOf(memberOf(memberOf(message, 'params'), 'notifications'), 'taskIds');
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : undefined;
}

/** Yields a task at each visible change, until it ends. */
async function* changesOf(states: WatchedTask['changes']): WatchedTask['changes'] {
  let last = '';
  for await (const task of states) {
    // The polling interval changes only with time.
    const shown = JSON.stringify({ ...task, pollIntervalMs: 0 });
    if (shown !== last) yield task;
    last = shown;
    if (hasEnded(task)) return;
  }
}

/** A task and its later changes; undefined if it does not exist or no wait slot is free. */
async function watch(changes: WatchedTask['changes']): Promise<WatchedTask | undefined> {
  const next = await changes.next().catch(ignoreErrorIf(isMissing));
  return next && !next.done ? { initialTask: next.value, changes } : undefined;
}

/** Merges the changes to several tasks, as they happen. */
async function* mergeChanges(
  changeStreams: readonly WatchedTask['changes'][],
): WatchedTask['changes'] {
  const next = async (changes: WatchedTask['changes']) => ({ changes, ...(await changes.next()) });
  const pending = new Map(changeStreams.map((changes) => [changes, next(changes)]));
  while (pending.size) {
    const { changes, done, value } = await Promise.race(pending.values());
    if (done) pending.delete(changes);
    else {
      pending.set(changes, next(changes));
      yield value;
    }
  }
}

/**
 * The messages of a subscription: the acknowledgment, the current state of each task, each change,
 * and the end.
 */
async function* messagesOf(
  { acknowledged, end }: { acknowledged: Message; end: Message },
  watchedTasks: readonly WatchedTask[],
  stop: () => void,
): AsyncGenerator<Message, void, undefined> {
  const { _meta } = acknowledged['params'] as { _meta: object };
  const taskIds = watchedTasks.map(({ initialTask }) => initialTask.taskId);
  const createNotification = (task: McpTask) => ({
    jsonrpc: '2.0',
    method: 'notifications/tasks',
    params: { ...toDetailedTask(task), _meta },
  });
  try {
    yield { ...acknowledged, params: { notifications: { taskIds }, _meta } };
    for (const { initialTask } of watchedTasks) yield createNotification(initialTask);
    for await (const task of mergeChanges(watchedTasks.map(({ changes }) => changes)))
      yield createNotification(task);
    yield end;
  } finally {
    // If watching one task fails, the others stop too.
    stop();
  }
}

/** The messages in an SDK event stream that has ended. */
const parseMessages = (text: string): Message[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Message);

/**
 * The response to a task subscription, replacing the SDK's, which validates the request but sends
 * no notifications; every other response is unchanged.
 */
export async function subscribeToTasks(
  tasks: McpTasks,
  message: unknown,
  answer: Response,
  call: ToolCall & { signal: AbortSignal },
): Promise<Response> {
  const ids = taskIdsOf(message);
  if (!ids || !answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
  const id = memberOf(message, 'id');
  const meta = memberOf(memberOf(message, 'params'), '_meta');
  const declaredCapability = tasksDeclarationOf(isObject(meta) ? meta : undefined);
  if (!declaredCapability) {
    await answer.body?.cancel();
    const {
      code,
      message: text,
      data,
    } = new MissingRequiredClientCapabilityError({
      requiredCapabilities: tasksCapability,
    });
    return Response.json(
      { jsonrpc: '2.0', id, error: { code, message: text, data } },
      { status: 400 },
    );
  }
  const [acknowledged, end] = parseMessages(await answer.text());
  if (!acknowledged || !end)
    throw new Error('The SDK answered a subscription without an acknowledgment or without an end.');
  const unsubscribeController = new AbortController();
  const watchCall = {
    ...call,
    ...declaredCapability,
    signal: AbortSignal.any([call.signal, unsubscribeController.signal]),
  };
  const changeStreams = ids
    .slice(0, MAX_TASKS)
    .map((taskId) => changesOf(tasks.watch(taskId, watchCall)));
  const unsubscribe = () => {
    unsubscribeController.abort();
  };
  const stop = () => {
    unsubscribe();
    // A generator that waits to be read does not notice the abort, and would keep its wait slot.
    for (const changes of changeStreams) void changes.return().catch(() => undefined);
  };
  const results = await Promise.allSettled(changeStreams.map(watch));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) {
    stop();
    throw failure.reason;
  }
  const found = results.flatMap((result) => (result.status === 'fulfilled' && result.value) || []);
  // A later error ends the subscription; the client must subscribe again.
  return createEventStreamResponse(
    messagesOf({ acknowledged, end }, found, stop),
    unsubscribe,
    () => end,
  );
}
