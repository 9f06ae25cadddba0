import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toProblem } from '../../src/http/faults.ts';
import { createRateLimitCheck } from '../../src/http/rate-limit.ts';
import { createMcpHandler } from '../../src/mcp/index.ts';
import { clients } from '../mcp/setup/clients.ts';
import { listen } from '../mcp/setup/listen.ts';
import { readStructuredAnswer } from '../mcp/setup/tool-result.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const ADDRESS = '192.0.2.7';

describe.each(Object.entries(clients))('over the rate limit, %s', (_, connect) => {
  let checkRateLimit = createRateLimitCheck({ reads: 0, writes: 0 });
  let server: Awaited<ReturnType<typeof listen>>;
  let client: Client;

  beforeAll(async () => {
    const { context } = await openFixture(site);
    const handler = createMcpHandler('/api/mcp', {
      context,
      toProblem: (thrown) => toProblem(thrown, context),
    });
    server = await listen((request) =>
      handler(request, {
        address: ADDRESS,
        checkRateLimit: (caller, kind) => checkRateLimit(caller, kind),
      }),
    );
    // The clients differ only in overloads of the methods used here.
    client = (await connect(new URL(`${server.origin}/api/mcp`))) as unknown as Client;
    checkRateLimit = createRateLimitCheck({ reads: 1, writes: 1 });
    for (const kind of ['reads', 'writes'] as const)
      await checkRateLimit({ address: ADDRESS }, kind);
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  it.each([
    ['capture_lead', { email: 'dana@example.com', source: site.registry.subsites[0]!.leadSource }],
    ['list_subsites', {}],
  ])('tells a model why %s was refused and when to retry', async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError).toBe(true);
    expect(readStructuredAnswer(result)).toMatchObject({
      code: 'rate_limited',
      status: 429,
      detail: expect.stringMatching(
        /^Each IP address may send at most 1 (reads|writes) a minute\. Wait \d+ seconds?\.$/,
      ),
      retryAfterSeconds: expect.any(Number),
    });
  });

  it('has the same error for any other request', async () => {
    await expect(client.listTools()).rejects.toThrow(/at most 1 reads a minute\. Wait \d+/);
  });
});
