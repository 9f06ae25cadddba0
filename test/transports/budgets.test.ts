import { describe, expect, it, vi } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import type { Problem } from '../../src/operation/problem.ts';
import { toProblem } from '../../src/http/faults.ts';
import { createMcpHandler } from '../../src/mcp/index.ts';
import { createKey } from '../../src/keys/keys.ts';
import { createEndpoint } from '../a2a/setup/endpoint.ts';
import { withBudgets } from '../operations/setup/budgets.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { createRpcClient, openMcpEndpoints } from './setup/mcp.ts';
import { client, inputsOf } from './setup/send.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const { subsite, action } = listActions(site).find(
  ({ action: { effect } }) => effect?.kind === 'hold',
)!;
const ADDRESS = '192.0.2.7';

/** The request body of a hold that starts the given number of days ahead. */
function createHoldBody(ahead: number) {
  const effect = action.effect as Extract<typeof action.effect, { kind: 'hold' }>;
  const day = new Date(Date.parse(site.generatedAt) + ahead * 86_400_000)
    .toISOString()
    .slice(0, 10);
  const fields = {
    ...exampleValuesOf(action.fields),
    [effect.fromField]: day,
    [effect.toField]: day,
  };
  return { subsite: subsite.name, action: action.verb, fields };
}

const createA2aMessage = (part: object) => ({
  message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [part] },
});

describe('an exhausted budget', async () => {
  const fixture = withBudgets(await openFixture(site), {
    holdsPerAddress: 1,
    questionsPerAddress: 2,
  });
  const endpoints = client(fixture);
  const mcp = await openMcpEndpoints(fixture.context, { sendsKey: false });
  const callA2a = (path: string, body: object) =>
    createEndpoint(fixture.context)(`${site.base}/a2a/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify(body),
    });
  const detailPattern = /^The budget is used up: at most 1 unconfirmed hold from one IP address/;
  it('returns the same refusal over JSON, form, MCP, and A2A, says when the budget refills, and stores nothing', async () => {
    const first = await endpoints.json('/api/lead/action', createHoldBody(20), {
      address: ADDRESS,
    });
    expect(first.status).toBe(200);

    const jsonResponse = await endpoints.json('/api/lead/action', createHoldBody(21), {
      address: ADDRESS,
    });
    expect(jsonResponse.status).toBe(429);
    const seconds = Number(jsonResponse.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(60);
    expect((await jsonResponse.json()) as Problem).toMatchObject({
      code: 'budget_exceeded',
      detail: expect.stringMatching(detailPattern),
      retryAfterSeconds: seconds,
    });

    const bodyWithContact = { ...createHoldBody(22), contact: { phone: '(727) 555-0142' } };
    const formResponse = await endpoints.form('/api/lead/action', inputsOf(bodyWithContact), {
      address: ADDRESS,
      headers: { accept: 'text/html' },
    });
    expect(formResponse.status).toBe(429);
    const retryAfter = Number(formResponse.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(60);
    expect(retryAfter).toBeLessThanOrEqual(Number(jsonResponse.headers.get('retry-after')));
    expect(await formResponse.text()).toContain('The budget is used up');

    const tool = await mcp.call('/api/mcp', 'submit_action', createHoldBody(23));
    expect(tool.isError).toBe(true);
    expect(JSON.stringify(tool)).toContain('budget_exceeded');
    expect(JSON.stringify(tool)).toContain('retryAfterSeconds');

    const message = await callA2a('/message:send', createA2aMessage({ data: createHoldBody(24) }));
    expect(message.status).toBe(429);
    expect(await message.text()).toContain('BUDGET_EXCEEDED');
    for (const table of ['leads', 'holds'] as const)
      expect((await fixture.rows(table)).length, table).toBe(1);
    expect(await fixture.rows('a2a_tasks')).toEqual([]);
  });

  it('counts questions over MCP and A2A together, by their length', async () => {
    const firstAnswer = await mcp.call('/api/v1/mcp', 'ask_knowledge', {
      question: 'x'.repeat(600),
    });
    expect(firstAnswer.isError).toBeUndefined();
    const secondAnswer = await mcp.call('/api/v1/mcp', 'ask_knowledge', {
      question: 'What is there?',
    });
    expect(secondAnswer.isError).toBe(true);
    expect(JSON.stringify(secondAnswer)).toContain(
      'at most 2 questions a minute from one IP address',
    );
    for (const [path, tool] of [
      ['/api/mcp', 'list_subsites'],
      ['/api/v1/mcp', 'search_capabilities'],
    ] as const) {
      expect((await mcp.call(path, tool, { query: 'a trailer' })).isError, tool).toBe(true);
      expect((await mcp.call(path, tool, {})).isError, tool).toBeUndefined();
    }
    const message = await callA2a('/message:send', createA2aMessage({ text: 'What is there?' }));
    expect(message.status).toBe(429);
    expect(message.headers.get('retry-after')).not.toBeNull();
  });
});

describe('the budgets of a caller with a key', async () => {
  const fixture = withBudgets(await openFixture(site), {
    holdsPerAddress: 1,
    questionsPerAddress: 1,
    a2aTasksPerAddress: 1,
  });
  const { context } = fixture;
  const endpoints = client(fixture);
  const dependencies = { context, toProblem: (thrown: unknown) => toProblem(thrown, context) };
  const handlers = {
    '/api/mcp': createMcpHandler('/api/mcp', dependencies),
    '/api/v1/mcp': createMcpHandler('/api/v1/mcp', dependencies),
  };
  const callTool = async (
    path: keyof typeof handlers,
    name: string,
    args: object,
    headers: Record<string, string>,
  ) => {
    const ask = createRpcClient(handlers[path], `${site.base}${path}`, headers);
    return JSON.stringify(await ask('tools/call', { name, arguments: args }));
  };
  const sendMessage = async (part: object, headers: Record<string, string>) => {
    const response = await createEndpoint(context)(`${site.base}/a2a/v1/message:send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
      body: JSON.stringify(createA2aMessage(part)),
    });
    return response.text();
  };
  const holdChannels: Record<string, (body: object, headers: Record<string, string>) => unknown> = {
    JSON: async (body, headers) =>
      (await endpoints.json('/api/lead/action', body, { address: ADDRESS, headers })).text(),
    MCP: (body, headers) => callTool('/api/mcp', 'submit_action', body, headers),
    A2A: (data, headers) => sendMessage({ data }, headers),
  };
  const questionChannels: Record<string, (headers: Record<string, string>) => unknown> = {
    MCP: (headers) =>
      callTool('/api/v1/mcp', 'ask_knowledge', { question: crypto.randomUUID() }, headers),
    A2A: (headers) => sendMessage({ text: 'What is there?' }, headers),
  };
  const createHeaders = async () => {
    const { key } = await createKey({ name: 'Agent', scopes: ['*'], expiresAt: null }, context);
    return { authorization: `Bearer ${key}` };
  };
  const invalidHeaders = { authorization: 'Bearer nope' };
  let ahead = 20;
  // These use up the address's budgets.
  await holdChannels['JSON']!(createHoldBody(ahead), {});
  await questionChannels['MCP']!({});

  it.each(Object.keys(holdChannels))(
    'count a hold over %s against the key, and against the address if the key is invalid',
    async (name) => {
      const send = holdChannels[name]!;
      const headers = await createHeaders();
      expect(await send(createHoldBody(++ahead), headers)).toContain('receiptToken');
      expect(await send(createHoldBody(++ahead), headers)).toContain(
        name === 'A2A'
          ? 'at most 1 A2A task from one key'
          : 'at most 1 unconfirmed hold from one key',
      );
      expect(await send(createHoldBody(++ahead), invalidHeaders)).toContain(
        'at most 1 unconfirmed hold from one IP address',
      );
    },
  );

  it.each(Object.keys(questionChannels))(
    'count a question over %s against the key, and against the address if the key is invalid',
    async (name) => {
      const ask = questionChannels[name]!;
      const headers = await createHeaders();
      const refusal = 'at most 1 question a minute from one';
      expect(await ask(headers)).not.toContain(refusal);
      expect(await ask(invalidHeaders)).toContain(`${refusal} IP address`);
    },
  );
});

describe('the budget for A2A tasks', async () => {
  const fixture = withBudgets(await openFixture(site), {
    a2aTasksPerAddress: 3,
    holdsPerAddress: 1,
  });
  const { subsite: plainSubsite, action: request } = listActions(site).find(
    ({ action: { effect } }) => !effect,
  )!;
  const send = async (data: object) => {
    const answer = await createEndpoint(fixture.context)(`${site.base}/a2a/v1/message:send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify(createA2aMessage({ data })),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const requestBody = {
    subsite: plainSubsite.name,
    action: request.verb,
    fields: exampleValuesOf(request.fields),
  };

  it('limits messages that arrive at the same time, and creates no lead beyond the limit', async () => {
    expect((await send(createHoldBody(20))).status).toBe(200);
    // A rejection that creates no task returns its share of the budget.
    expect((await send(createHoldBody(21))).text).toContain('BUDGET_EXCEEDED');
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(requestBody)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(2).fill(200), ...Array(10).fill(429)]);
    for (const { text } of answers.filter(({ status }) => status === 429))
      expect(text).toContain('at most 3 A2A tasks from one IP address in 24 hours');
    expect((await fixture.rows('a2a_tasks')).length).toBe(3);
    expect((await fixture.rows('leads')).length).toBe(3);
  });

  it('is not written to by a message that was refused before it counted', async () => {
    const limitedFixture = withBudgets(await openFixture(site), {
      a2aTasksPerAddress: 1,
      questionsPerAddress: 1,
    });
    const send = async (content: { data: object } | { text: string }) =>
      (
        await createEndpoint(limitedFixture.context)(`${site.base}/a2a/v1/message:send`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
          body: JSON.stringify(createA2aMessage(content)),
        })
      ).status;
    await send({ text: 'What is there?' });
    await send({ data: requestBody });
    const runSpy = vi.spyOn(limitedFixture.context.database.writer, 'run');
    expect(await send({ text: 'What is there?' })).toBe(429);
    expect(runSpy).not.toHaveBeenCalled();
    expect(await send({ data: requestBody })).toBe(429);
    // Only the statement that checks the budget runs.
    expect(runSpy).toHaveBeenCalledOnce();
  });
});
