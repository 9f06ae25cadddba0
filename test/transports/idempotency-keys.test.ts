import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { describeProtocolPaths } from '../../src/artifacts/openapi/protocols.ts';
import { idempotencyParameter } from '../../src/operation/idempotency.ts';
import { createEndpoint } from '../a2a/setup/endpoint.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { endpoints, type ListedTool, openMcpEndpoints } from './setup/mcp.ts';
import { client } from './setup/send.ts';

const MISTYPED_NAMES = ['idempotency_key', 'idempotencykey', 'idempotency-key', 'idempotencyKy'];
const createFault = (name: string) => ({
  pointer: `/${name}`,
  message: 'This name is unknown. Did you mean idempotencyKey?',
  allowed: expect.arrayContaining(['idempotencyKey']),
});

describe.each(sites)('idempotency keys as arguments in $name', ({ site }) => {
  describe.each(endpoints)('of the MCP tools at %s', (path) => {
    let channels: Awaited<ReturnType<typeof openMcpEndpoints>>;
    let tools: ListedTool[];
    let writeTools: ListedTool[];
    let examples: Record<string, Record<string, any>>;
    let others: Record<string, Record<string, any>>;

    /** The same arguments with one value changed, which makes them a different request. */
    const createChangedArgs = (name: string): object => {
      const { title, email, contact, capability, input, taskId, text } = examples[name]!;
      if (text) return { text: 'Another text' };
      if (taskId) return { taskId: others[name]!['taskId'] };
      if (capability) return { input: { ...input, question: 'Another question?' } };
      return contact
        ? { contact: { ...contact, name: 'Another Person' } }
        : email
          ? { email: 'another@example.com' }
          : { title: `${title} again` };
    };

    beforeAll(async () => {
      channels = await openMcpEndpoints((await openFixture(site)).context);
      tools = await channels.tools(path);
      writeTools = tools.filter(({ annotations }) => !annotations['readOnlyHint']);
      examples = await channels.examplesOf(path);
      others = await channels.examplesOf(path);
    });

    it('are listed for every tool that writes, and for no other', () => {
      expect(
        tools
          .filter(({ inputSchema }) => 'idempotencyKey' in inputSchema.properties)
          .map(({ name }) => name),
      ).toEqual(writeTools.map(({ name }) => name));
    });

    it('return the first response again for the same arguments, concurrently and later, and reject other arguments', async () => {
      for (const { name } of writeTools) {
        const args = { ...examples[name], idempotencyKey: `key-for-the-tool-${name}` };
        const answers = [
          ...(await Promise.all([
            channels.call(path, name, args),
            channels.call(path, name, args),
          ])),
          await channels.call(path, name, args),
        ];
        expect([name, ...answers.map(({ isError }) => isError)]).toEqual([
          name,
          undefined,
          undefined,
          undefined,
        ]);
        expect(new Set(answers.map(({ value }) => JSON.stringify(value))).size, name).toBe(1);
        expect([name, answers[2]!._meta]).toEqual([
          name,
          expect.objectContaining({ 'idempotent-replayed': true }),
        ]);
        const { text } = answers[2]!.content!.at(-1)!;
        // No tool reads the state of a link or a quote.
        expect(text.match(/\bget_\w+/g) ?? []).toEqual(
          ['get_lead_status', 'get_task'].filter(
            (tool) =>
              !['create_share_link', 'request_quote'].includes(name) &&
              tools.some((one) => one.name === tool),
          ),
        );
        const otherResult = await channels.call(path, name, {
          ...args,
          ...createChangedArgs(name),
        });
        expect([name, otherResult.isError, otherResult.value['code']]).toEqual([
          name,
          true,
          'idempotency_mismatch',
        ]);
        expect([name, otherResult.value['errors']]).toEqual([
          name,
          [{ pointer: '/idempotencyKey', message: expect.stringContaining('new key') }],
        ]);
        expect(otherResult.value['detail']).toContain('first used with another input, at 20');
        expect([
          name,
          (
            await channels.call(path, name, {
              ...args,
              ...createChangedArgs(name),
              idempotencyKey: `other-for-the-tool-${name}`,
            })
          ).isError,
        ]).toEqual([name, undefined]);
      }
    });

    it('are never the sample from the documentation, except with an API key or in the sandbox', async () => {
      const isPublic = path === '/api/mcp';
      for (const { name, inputSchema } of writeTools) {
        const args = { ...examples[name], idempotencyKey: idempotencyParameter.example };
        const realResult = await channels.call(path, name, { ...args, sandbox: undefined });
        expect([name, realResult.isError]).toEqual([name, isPublic || undefined]);
        if (isPublic)
          expect([name, realResult.value['code'], realResult.value['errors']]).toEqual([
            name,
            'invalid_input',
            [{ pointer: '/idempotencyKey', message: expect.stringContaining('sample') }],
          ]);
        if (!('sandbox' in inputSchema.properties)) continue;
        const trialResult = await channels.call(path, name, { ...args, sandbox: true });
        expect([name, trialResult.isError]).toEqual([name, undefined]);
      }
    });

    it.each(MISTYPED_NAMES)('are suggested when misspelled as %s', async (misspelledName) => {
      for (const { name } of writeTools) {
        const { value } = await channels.call(path, name, {
          ...examples[name],
          [misspelledName]: 'k',
        });
        expect([name, value['errors']]).toEqual([name, [createFault(misspelledName)]]);
      }
    });
  });

  it('are never the sample from the documentation in a header or over A2A', async () => {
    const fixture = await openFixture(site);
    const data = { email: 'dana@example.com', source: site.registry.subsites[0]!.leadSource };
    const idempotencyKey = String(idempotencyParameter.example);
    const headers = { 'idempotency-key': idempotencyKey };
    const { json } = client(fixture);
    const sendToA2a = async (body: object) => {
      const response = await createEndpoint(fixture.context)(`${site.base}/a2a/v1/message:send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
        body: JSON.stringify({
          message: {
            messageId: crypto.randomUUID(),
            role: 'ROLE_USER',
            parts: [{ data: { ...body, idempotencyKey } }],
          },
        }),
      });
      return ((await response.json()) as any).task.status;
    };

    const rejectedResponse = await json('/api/email-capture', data, { headers });
    expect([rejectedResponse.status, await rejectedResponse.json()]).toEqual([
      400,
      expect.objectContaining({
        code: 'invalid_input',
        errors: [{ pointer: '', message: expect.stringContaining('sample') }],
      }),
    ]);
    const { state, message } = await sendToA2a(data);
    expect([state, message.parts.at(-1).data.errors]).toEqual([
      'TASK_STATE_INPUT_REQUIRED',
      [{ pointer: '/idempotencyKey', message: expect.stringContaining('sample') }],
    ]);
    expect(await fixture.rows('leads')).toEqual([]);

    const trialBody = { ...data, sandbox: true };
    expect((await json('/api/email-capture', trialBody, { headers })).status).toBe(200);
    expect((await sendToA2a(trialBody)).state).toBe('TASK_STATE_COMPLETED');
  });

  it('are never the sample messageId from the documentation over A2A, except in the sandbox', async () => {
    const fixture = await openFixture(site);
    const { post } = Object.fromEntries(describeProtocolPaths(site))['/a2a/v1'] as any;
    for (const text of [
      JSON.stringify(post.requestBody),
      readFileSync(new URL('../../registry/pages/services/agent.md', import.meta.url), 'utf8'),
    ])
      expect(new Set([...text.matchAll(/"messageId": *"([^"]+)"/g)].map(([, id]) => id))).toEqual(
        new Set([idempotencyParameter.example]),
      );
    const send = async (data: object, text?: string) => {
      const response = await createEndpoint(fixture.context)(`${site.base}/a2a/v1/message:send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
        body: JSON.stringify({
          message: {
            messageId: idempotencyParameter.example,
            role: 'ROLE_USER',
            parts: [{ data }, ...(text ? [{ text }] : [])],
          },
        }),
      });
      return ((await response.json()) as any).task.status;
    };
    const data = { email: 'dana@example.com', source: site.registry.subsites[0]!.leadSource };
    const { state, message } = await send(data);
    expect([state, message.parts.at(-1).data.errors]).toEqual([
      'TASK_STATE_INPUT_REQUIRED',
      [{ pointer: '/messageId', message: expect.stringContaining('This messageId is the sample') }],
    ]);
    expect(await fixture.rows('leads')).toEqual([]);
    expect((await send({ ...data, sandbox: true })).state).toBe('TASK_STATE_COMPLETED');
    await send({ ...data, idempotencyKey: crypto.randomUUID() }, 'Ring the bell.');
    expect(await fixture.rows('leads')).toHaveLength(1);
    expect(JSON.stringify(await fixture.rows('lead_history'))).toContain('Ring the bell.');
  });

  it.each(MISTYPED_NAMES)(
    'are suggested by A2A and by tasks when misspelled as %s',
    async (misspelledName) => {
      const { context } = await openFixture(site);
      const data = {
        email: 'dana@example.com',
        source: site.registry.subsites[0]!.leadSource,
        [misspelledName]: 'k',
      };
      const params = {
        message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ data }] },
      };
      const response = await createEndpoint(context)(`${site.base}/a2a/v1`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params }),
      });
      const { result } = (await response.json()) as any;
      expect(result.task.status.message.parts.at(-1).data.errors).toEqual([
        createFault(misspelledName),
      ]);
      expect(() =>
        runCapability.parse({ capability: 'x', input: {}, [misspelledName]: 'k' }, context),
      ).toThrow(
        expect.objectContaining({
          errors: expect.arrayContaining([expect.objectContaining(createFault(misspelledName))]),
        }),
      );
    },
  );
});

it('a malformed key header does not replace the problem of a read, which needs no key', async () => {
  const { context } = await openFixture(sites[0]!.site);
  const response = await client({ context } as never).send('/api/lead/{receipt}', {
    method: 'GET',
    params: { receipt: 'nobody-has-this-receipt' },
    headers: { 'idempotency-key': 'short' },
  });
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    404,
    'unknown_receipt',
  ]);
});
