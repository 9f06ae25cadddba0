import { readFileSync } from 'node:fs';
import { isLegacyJsonRpcMethod } from '@a2a-js/sdk/compat/v0_3';
import { describe, expect, it } from 'vitest';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { createEndpoint } from './setup/endpoint.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const page = readFileSync(`registry/pages${site.registry.network.agentArea}.md`, 'utf8');
const section = /\n## A2A\n(.*?)\n## /s.exec(page)?.[1] ?? '';
const { context } = await openFixture(site);
const endpoint = createEndpoint(context);
const post = async (
  path: string,
  body: string,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) =>
  (await endpoint(`${site.base}${path}`, { method: 'POST', headers, body })).json() as Promise<any>;

/** Sample requests in the section. */
const examples = [...section.matchAll(/curl -s "\$BASE(\S+)"(.*?) \\\n {2}-d '(.*?)'\n```/gs)].map(
  ([, path, headers, body]) => ({
    path: path!,
    headers: Object.fromEntries(
      [...headers!.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name!, value!]),
    ),
    body: body!,
  }),
);

describe('the A2A section of the agent services area', () => {
  it('shows a request for each binding in the agent card', () => {
    expect(examples.map(({ path }) => path)).toEqual(['/a2a/v1', '/a2a/v1/message:send']);
  });

  it.each(examples)(
    'has a request to $path that returns a receipt',
    async ({ path, headers, body }) => {
      const { result, ...answer } = await post(path, body, headers);
      const { task } = result ?? answer;
      expect([task.status.state, task.artifacts[0].parts[0].data]).toEqual([
        'TASK_STATE_COMPLETED',
        expect.objectContaining({ receiptToken: 'sandbox', sandbox: true }),
      ]);
    },
  );

  it('names only supported methods, in the format of their protocol version', async () => {
    const methods = [
      ...section.matchAll(/`([A-Z][A-Za-z]+Tasks?|SendMessage|(?!application\/)[a-z]+\/[a-z]+)`/g),
    ].map(([, name]) => name!);
    expect(methods.filter(isLegacyJsonRpcMethod).length).toBeGreaterThan(0);
    expect(methods.filter((name) => !isLegacyJsonRpcMethod(name)).length).toBeGreaterThan(0);
    for (const method of methods)
      expect([
        method,
        (await post('/a2a/v1', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }))).error
          ?.code,
      ]).not.toEqual([method, -32601]);
  });

  it('uses the correct state name for a waiting task', async () => {
    const { task } = await post(
      '/a2a/v1/message:send',
      JSON.stringify({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ data: {} }] } }),
    );
    expect(section).toContain(task.status.state);
  });
});
