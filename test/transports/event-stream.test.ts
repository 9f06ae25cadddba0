import { expect, it } from 'vitest';
import { createEventStreamResponse } from '../../src/http/event-stream.ts';
import { subscribeToTasks } from '../../src/mcp/task-notifications.ts';
import type { McpTask, McpTasks } from '../../src/mcp/tasks.ts';

it('a stream ends its source, even if the source has another value after the client disconnects', async () => {
  let isReleased = false;
  let wake = () => {};
  async function* valuesOf() {
    try {
      yield 1;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      yield 2;
    } finally {
      isReleased = true;
    }
  }
  const response = await createEventStreamResponse(
    valuesOf(),
    () => {
      wake();
    },
    String,
  );
  await response.body!.cancel();
  await expect.poll(() => isReleased).toBe(true);
});

it('a subscription stops watching every task if one cannot be read, and when the client disconnects', async () => {
  const watching = new Set<string>();
  const taskOf = (taskId: string, statusMessage: string): McpTask => ({
    taskId,
    status: 'working',
    statusMessage,
    createdAt: '2026-11-06T20:40:00.000Z',
    lastUpdatedAt: '2026-11-06T20:40:00.000Z',
    ttlMs: 1,
    pollIntervalMs: 1,
  });
  const tasks: Pick<McpTasks, 'watch'> = {
    async *watch(taskId, { signal }) {
      if (taskId === 'unreadable') throw new Error('The database does not respond.');
      watching.add(taskId);
      try {
        yield taskOf(taskId, 'first');
        await new Promise((resolve) => signal!.addEventListener('abort', resolve));
        yield taskOf(taskId, 'second');
      } finally {
        watching.delete(taskId);
      }
    },
  };
  const subscribe = (taskIds: string[]) => {
    const _meta = {
      'io.modelcontextprotocol/clientCapabilities': {
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
    };
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { taskIds }, _meta },
    };
    const frames = [{ params: { _meta: {} } }, { id: 1, result: {} }];
    const answer = new Response(
      frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''),
      { headers: { 'content-type': 'text/event-stream' } },
    );
    const { signal } = new AbortController();
    return subscribeToTasks(tasks as McpTasks, message, answer, { signal });
  };

  await expect(subscribe(['first', 'unreadable', 'second'])).rejects.toThrow('does not respond');
  await expect.poll(() => [...watching]).toEqual([]);

  const response = await subscribe(['first', 'second']);
  expect([...watching]).toEqual(['first', 'second']);
  await response.body!.cancel();
  await expect.poll(() => [...watching]).toEqual([]);
});
