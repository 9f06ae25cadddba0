import { describe, expect, it } from 'vitest';
import { createA2aEndpoint } from '../../src/a2a/endpoint.ts';
import { listDocuments } from '../../src/artifacts/index.ts';
import { toProblem } from '../../src/http/faults.ts';
import { listOperations } from '../../src/http/operations.ts';
import { createKey } from '../../src/keys/keys.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { endpoints, openMcpEndpoints } from './setup/mcp.ts';
import { client } from './setup/send.ts';

interface Example {
  path: string;
  name: string;
  value: unknown;
}

describe.each(sites)(
  'every example of a body in the OpenAPI document of $name',
  async ({ site }) => {
    const fixture = await openFixture(site);
    const { context } = fixture;
    const { key } = await createKey({ name: 'Agent', scopes: ['*'], expiresAt: null }, context);
    const { json, send: ask } = client(fixture);
    const channels = await openMcpEndpoints(context);
    const a2a = createA2aEndpoint({ context, toProblem: (thrown) => toProblem(thrown, context) });

    const { body } = listDocuments(site).find(({ path }) => path === '/api/openapi.json')!;
    const { paths } = JSON.parse(body) as { paths: Record<string, any> };
    const examples = Object.entries(paths).flatMap(([path, { post }]): Example[] => {
      const { example, examples = {} } = post?.requestBody?.content['application/json'] ?? {};
      const namedExamples = Object.entries<any>(examples).map(([name, { value }]) => ({
        path,
        name,
        value,
      }));
      return example === undefined
        ? namedExamples
        : [...namedExamples, { path, name: 'example', value: example }];
    });

    async function send({ path, value }: Example): Promise<Response> {
      const headers = { authorization: `Bearer ${key}` };
      const text = JSON.stringify(value);
      if (endpoints.includes(path)) return channels.send(path, text);
      if (path !== '/a2a/v1') return json(path, value, { headers });
      const request = new Request(`${site.base}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
      });
      const checkRateLimit = async () => ({ headers: {} });
      return a2a(request, '', { address: '192.0.2.7', checkRateLimit });
    }

    it('covers every operation', () => {
      expect(new Set(examples.map(({ path }) => path)).size).toBeGreaterThan(7);
    });

    it.each(examples)('is accepted as written: $path $name', async (example) => {
      const response = await send(example);
      const answer = (await response.json()) as { error?: unknown; status?: string };
      expect([response.status, answer.error]).toEqual([200, undefined]);
    });

    it('has example addresses that can be opened as written', async () => {
      for (const { path, method, requiresKey: bearer } of listOperations(site)) {
        const parameters: any[] = paths[path]?.[method.toLowerCase()]?.parameters ?? [];
        const requiredParameters = parameters.filter(
          (each) => each.required && each.in !== 'header',
        );
        if (
          method !== 'GET' ||
          bearer ||
          requiredParameters.some(({ example }) => example === undefined)
        )
          continue;
        const pathParameters = requiredParameters.filter((each) => each.in === 'path');
        const query = new URLSearchParams(
          requiredParameters
            .filter((each) => each.in === 'query')
            .map(({ name, example }) => [name, example]),
        );
        const { status } = await ask(`${path}${query.size ? `?${query}` : ''}`, {
          method,
          params: Object.fromEntries(pathParameters.map(({ name, example }) => [name, example])),
        });
        expect([path, status < 400]).toEqual([path, true]);
      }
    });

    it('creates no lead', async () => {
      expect(await fixture.rows('leads')).toEqual([]);
    });
  },
);
