import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isTaskStatusNotificationV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { advanceTasks } from '../../src/capabilities/advance-tasks.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { toProblem } from '../../src/http/faults.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { revokeKey } from '../../src/keys/keys.ts';
import { createMcpHandler } from '../../src/mcp/index.ts';
import { input, setUpPricedFixture, video } from '../capabilities/priced-fixture.ts';
import { makeKey, performOperation } from '../capabilities/fixture.ts';
import { createLeadInState, site } from '../conversation/leads-in-states.ts';
import { listen } from '../mcp/setup/listen.ts';
import { openFixture, type Fixture } from '../operations/setup/fixture.ts';
import { VIDEO_RESULT } from '../providers/http-provider.ts';

const TASKS_CAPABILITY = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

describe('a subscription to tasks', () => {
  let fixture: Fixture;
  let server: Awaited<ReturnType<typeof listen>>;
  let controller: AbortController;

  beforeEach(async () => {
    fixture = await openFixture(site);
    controller = new AbortController();
    const endpoint = createMcpHandler('/api/mcp', {
      context: fixture.context,
      toProblem: (thrown) => toProblem(thrown, fixture.context),
    });
    server = await listen((request) =>
      endpoint(request, { address: '192.0.2.7', checkRateLimit: async () => ({ headers: {} }) }),
    );
  });
  afterEach(async () => {
    controller.abort();
    await server.stop();
  });

  const ask = (taskIds: string[], capabilities: object = TASKS_CAPABILITY) =>
    fetch(server.origin, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'mine',
        method: 'subscriptions/listen',
        params: {
          notifications: { taskIds },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': capabilities,
          },
        },
      }),
      signal: controller.signal,
    });

  /** Messages from a subscription as they arrive. */
  async function* subscribe(taskIds: string[]): AsyncGenerator<any, void, undefined> {
    const response = await ask(taskIds);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const frame = text.slice(0, end);
        text = text.slice(end + 2);
        if (frame.startsWith('data: ')) yield JSON.parse(frame.slice('data: '.length));
      }
    }
  }
  const readNext = async (messages: AsyncGenerator<any, void, undefined>) =>
    (await messages.next()).value;
  const actAsProvider = (lead: string, action: 'ask' | 'confirm' | 'decline') =>
    sendAsProvider(
      { receiptToken: lead, action, actor: 'provider' },
      { text: 'Well?' },
      fixture.context,
    );

  it('acknowledges its tasks, sends each task initially and after each change, and ends with the last task', async () => {
    const [{ lead: first }, { lead: second }] = [
      await createLeadInState(fixture, 'new'),
      await createLeadInState(fixture, 'quoted'),
    ];
    const messages = subscribe([first, 'nobody-has-this-receipt', second]);
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 'mine' };
    expect(await readNext(messages)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [first, second] }, _meta },
    });
    for (const taskId of [first, second])
      expect(await readNext(messages)).toMatchObject({
        method: 'notifications/tasks',
        params: { taskId, status: 'working', _meta },
      });
    await actAsProvider(first, 'ask');
    expect(await readNext(messages)).toMatchObject({
      params: { taskId: first, statusMessage: expect.stringContaining('Well?') },
    });
    await actAsProvider(second, 'confirm');
    expect(await readNext(messages)).toMatchObject({
      params: {
        taskId: second,
        status: 'completed',
        result: { resultType: 'complete', structuredContent: { status: 'confirmed' } },
      },
    });
    await actAsProvider(first, 'decline');
    expect(await readNext(messages)).toMatchObject({
      params: { taskId: first, status: 'completed' },
    });
    expect(await readNext(messages)).toMatchObject({
      id: 'mine',
      result: { resultType: 'complete' },
    });
    expect((await messages.next()).done).toBe(true);
  });

  it('reports an erased lead and continues with the others', async () => {
    const { lead: first } = await createLeadInState(fixture, 'new');
    const { lead: second } = await createLeadInState(fixture, 'new');
    const messages = subscribe([first, second]);
    for (let count = 0; count < 3; count++) await readNext(messages);
    await eraseLead(first, 'person', fixture.context);
    expect(await readNext(messages)).toMatchObject({
      method: 'notifications/tasks',
      params: {
        taskId: first,
        status: 'cancelled',
        statusMessage: 'This request was erased, with all its personal data.',
      },
    });
    await actAsProvider(second, 'confirm');
    expect(await readNext(messages)).toMatchObject({
      params: { taskId: second, status: 'completed' },
    });
    expect(await readNext(messages)).toMatchObject({
      id: 'mine',
      result: { resultType: 'complete' },
    });
    expect((await messages.next()).done).toBe(true);
  });

  it('is rejected for a client that does not declare the extension', async () => {
    const { lead } = await createLeadInState(fixture, 'new');
    const response = await ask([lead], {});
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        jsonrpc: '2.0',
        id: 'mine',
        error: {
          code: -32021,
          message: expect.any(String),
          data: { requiredCapabilities: TASKS_CAPABILITY },
        },
      },
    ]);
  });

  it('is limited to four tasks per address, and frees their slots when the client disconnects', async () => {
    const { lead } = await createLeadInState(fixture, 'new');
    const { lead: other } = await createLeadInState(fixture, 'new');
    const readAcknowledgedIds = async (ids: string[]) =>
      (await readNext(subscribe(ids))).params.notifications.taskIds as string[];
    expect(await readAcknowledgedIds([lead, lead, lead, lead, other])).toEqual([
      lead,
      lead,
      lead,
      lead,
    ]);
    expect(await readAcknowledgedIds([other])).toEqual([]);
    controller.abort();
    controller = new AbortController();
    await expect.poll(() => readAcknowledgedIds([other])).toEqual([other]);
  });
});

describe('an official client’s subscription to capability tasks', () => {
  const pricedContext = setUpPricedFixture();
  const start = async (key: Awaited<ReturnType<typeof makeKey>>) => {
    const body = { capability: video.id, input, maxAmount: '20.00' };
    return (await performOperation(runCapability, body, key, pricedContext.fixture)).output.taskId;
  };
  /** Subscribes to tasks with a key, and adds the messages to `received`. */
  const subscribeWithKey = async ({ secret }: { secret: string }, taskIds: string[]) => {
    const { context } = pricedContext.fixture;
    const endpoint = createMcpHandler('/api/v1/agent-mcp', {
      context,
      toProblem: (thrown) => toProblem(thrown, context),
    });
    const server = await listen((request) =>
      endpoint(request, { address: '192.0.2.7', checkRateLimit: async () => ({ headers: {} }) }),
    );
    const client = new Client(
      { name: 'frontage-test', version: '1.0.0' },
      { capabilities: TASKS_CAPABILITY, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    onTestFinished(async () => {
      await client.close();
      await server.stop();
    });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(server.origin), {
        requestInit: { headers: { authorization: `Bearer ${secret}` } },
      }),
    );
    const received: any[] = [];
    client.fallbackNotificationHandler = async (notification) => {
      expect(isTaskStatusNotificationV2({ jsonrpc: '2.0', ...notification })).toBe(true);
      received.push(notification.params);
    };
    const filter: object = { taskIds };
    return { received, subscription: await client.listen(filter) };
  };

  it('announces each change, whoever makes it, but no change to another key’s task', async () => {
    const { fixture } = pricedContext;
    const [key, otherKey] = [
      await makeKey(fixture, ['*'], '40.00'),
      await makeKey(fixture, ['*'], '20.00'),
    ];
    const [first, second, other] = [await start(key), await start(key), await start(otherKey)];
    const { received, subscription } = await subscribeWithKey(key, [first, other, second]);
    const listStates = () => received.map(({ taskId, status }) => [taskId, status]);
    const initialStates = [
      [first, 'working'],
      [second, 'working'],
    ];
    await expect.poll(listStates).toEqual(initialStates);

    const database = await openDatabase({ url: fixture.url, usesThread: false });
    await advanceTasks('another process', { ...fixture.context, database });
    pricedContext.job(first).state = { status: 'completed', result: VIDEO_RESULT };
    fixture.advanceClock(600_000);
    await advanceTasks('another process', { ...fixture.context, database });
    await database.close();
    await expect.poll(listStates).toEqual([...initialStates, [first, 'completed']]);
    expect(received.at(-1).result.structuredContent).toMatchObject({ result: VIDEO_RESULT });

    pricedContext.job(second).state = { status: 'failed', detail: 'No.' };
    fixture.advanceClock(600_000);
    await pricedContext.advance();
    expect(await subscription.closed).toBe('graceful');
    expect(received.at(-1)).toMatchObject({ taskId: second, status: 'completed' });
  });

  it('ends when its key is revoked', async () => {
    const key = await makeKey(pricedContext.fixture, ['*'], '20.00');
    const run = await start(key);
    const { received, subscription } = await subscribeWithKey(key, [run]);
    await expect.poll(() => received.length).toBe(1);
    await revokeKey(key.id, pricedContext.fixture.context);
    await pricedContext.advance();
    expect(await subscription.closed).toBe('graceful');
    expect(received.length).toBe(1);
  });
});
