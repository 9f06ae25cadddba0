import { expect, it } from 'vitest';
import { DatabaseUnavailableError } from '../../db/unavailable.ts';
import { createA2aEndpoint } from '../../src/a2a/endpoint.ts';
import { authenticateAndCount, findKey } from '../../src/http/bearer.ts';
import { toProblem } from '../../src/http/faults.ts';
import type { Caller } from '../../src/http/rate-limit.ts';
import { createMcpHandler } from '../../src/mcp/index.ts';
import { createKey } from '../../src/keys/keys.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';

const address = '192.0.2.7';

it('a request counts against a valid key wherever it is sent, and against its address otherwise', async () => {
  const { context } = await openFixture(sites[0]!.site);
  const { key, id } = await createKey(
    { name: 'Test agent', scopes: ['*'], expiresAt: null },
    context,
  );
  const dependencies = { context, toProblem: (thrown: unknown) => toProblem(thrown, context) };
  const callers: Caller[] = [];
  const recordCaller = async (caller: Caller) => {
    callers.push(caller);
    return { headers: {} };
  };
  const post = (path: string, method: string, authorization: string) =>
    new Request(`${context.site.base}${path}`, {
      method: 'POST',
      headers: {
        host: new URL(context.site.base).host,
        'content-type': 'application/json',
        'a2a-version': '1.0',
        authorization,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
    });
  const client = { address, checkRateLimit: recordCaller };
  for (const [authorization, keyId] of [
    [`Bearer ${key}`, id],
    ['Bearer nope', undefined],
  ] as const) {
    callers.length = 0;
    await authenticateAndCount(
      { requiresKey: false },
      { authorization, context, address, checkRateLimit: recordCaller },
      'writes',
    );
    await createMcpHandler('/api/mcp', dependencies)(
      post('/api/mcp', 'tools/list', authorization),
      client,
    );
    await createA2aEndpoint(dependencies)(post('/a2a/v1', 'ListTasks', authorization), '', client);
    expect(callers.map((caller) => caller.keyId)).toEqual([keyId, keyId, keyId]);
  }
});

it('a request that needs no key counts against its address while the database is down', async () => {
  const { context } = await openFixture(sites[0]!.site);
  const { key } = await createKey({ name: 'Test agent', scopes: ['*'], expiresAt: null }, context);
  const { database } = context;
  const throwUnavailable = () => {
    throw new DatabaseUnavailableError('unreachable');
  };
  const offlineContext = {
    ...context,
    database: new Proxy(database, { get: throwUnavailable }),
  };
  expect(await findKey(`Bearer ${key}`, offlineContext)).toBeUndefined();
});
