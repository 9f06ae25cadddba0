import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../server/serve-build.ts';
import { type ToolResult, readStructuredAnswer } from './setup/tool-result.ts';
import { networks, paths, serveNetwork } from './setup/serve-network.ts';

const LIST_REQUEST = JSON.stringify({ jsonrpc: '2.0', id: 'a"b', method: 'tools/list' });
const MARKER = 'zq-marker-7731';

describe.each(networks)('an MCP request to %s', (network) => {
  let served: Awaited<ReturnType<typeof serveNetwork>>;
  let port: number;
  beforeAll(async () => {
    served = await serveNetwork(network);
    port = Number(new URL(served.origin).port);
  });
  afterAll(() => served.stop());

  describe.each(paths)('at %s', (path) => {
    const post = (body: string, headers: Record<string, string> = {}) =>
      ask(port, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
    const call = async (name: string, args: unknown) =>
      JSON.parse(
        String(
          (
            await post(
              JSON.stringify({
                jsonrpc: '2.0',
                id: 1,
                method: 'tools/call',
                params: { name, arguments: args },
              }),
            )
          ).body,
        ),
      ) as {
        result?: { isError?: boolean };
        error?: { code: number };
      };

    it.each([
      '*/*',
      'application/json',
      'text/event-stream',
      'application/json, text/event-stream',
      'text/html',
      '',
    ])('gets JSON with Accept: "%s"', async (accept) => {
      const { status, headers, body } = await post(LIST_REQUEST, accept ? { accept } : {});
      expect([status, headers['content-type'], headers['mcp-session-id']]).toEqual([
        200,
        'application/json',
        undefined,
      ]);
      expect((JSON.parse(String(body)) as { id: string }).id).toBe('a"b');
    });

    it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'])(
      'by %s gets 405 with the allowed methods',
      async (method) => {
        const { status, headers } = await ask(port, path, {
          method,
          headers: { accept: 'text/event-stream' },
        });
        expect([status, headers.allow, headers['content-type']]).toEqual([
          405,
          'POST, OPTIONS',
          'application/problem+json',
        ]);
      },
    );

    it('is rejected as a batch, as invalid JSON, as an invalid message, and with another media type', async () => {
      const readRefusal = async (body: string, headers?: Record<string, string>) => {
        const answer = await post(body, headers);
        const { error, code } = JSON.parse(String(answer.body)) as {
          error?: { code: number };
          code?: string;
        };
        return [answer.status, error?.code ?? code];
      };
      expect(await readRefusal(`[${LIST_REQUEST}]`)).toEqual([400, -32600]);
      expect(await readRefusal('{"jsonrpc"')).toEqual([400, -32700]);
      expect(await readRefusal('')).toEqual([400, -32700]);
      expect(await readRefusal('7')).toEqual([400, -32600]);
      expect(await readRefusal('{"a":'.repeat(200) + '1' + '}'.repeat(200))).toEqual([400, -32700]);
      expect(await readRefusal('{"jsonrpc":"2.0","id":1e400}')).toEqual([400, -32700]);
      expect(await readRefusal(LIST_REQUEST, { 'content-type': 'text/plain' })).toEqual([
        415,
        'unsupported_media_type',
      ]);
    });

    it('may be up to 300 KiB long', async () => {
      const padRequest = (bytes: number) =>
        LIST_REQUEST.slice(0, -1) + ' '.repeat(bytes - LIST_REQUEST.length) + '}';
      expect((await post(padRequest(300 * 1024))).status).toBe(200);
      const { status, body } = await post(padRequest(300 * 1024 + 1));
      expect([status, (JSON.parse(String(body)) as { code: string }).code]).toEqual([
        413,
        'too_large',
      ]);
    });

    it('is rejected with the wrong Host, without revealing why', async () => {
      for (const headers of [
        { host: `${MARKER}.example` },
        { host: `${MARKER}.example`, origin: `https://${MARKER}.example` },
      ] as Record<string, string>[]) {
        const { status, body, headers: response } = await post(LIST_REQUEST, headers);
        expect([JSON.stringify(headers), status, response['access-control-allow-origin']]).toEqual([
          JSON.stringify(headers),
          403,
          undefined,
        ]);
        expect(String(body)).not.toContain(MARKER);
      }
    });

    it.each(['https://agents.example', 'null'])(
      'is allowed from pages on the origin %s, including preflight',
      async (origin) => {
        const preflight = await ask(port, path, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'POST' },
        });
        expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([
          204,
          '*',
        ]);
        for (const name of [
          'authorization',
          'content-type',
          'accept',
          'mcp-protocol-version',
          'mcp-method',
          'mcp-name',
        ])
          expect(preflight.headers['access-control-allow-headers']).toContain(name);
        const response = await post(LIST_REQUEST, { origin });
        expect([response.status, response.headers['access-control-allow-origin']]).toEqual([
          200,
          '*',
        ]);
        for (const name of ['www-authenticate', 'retry-after'])
          expect(response.headers['access-control-expose-headers']).toContain(name);
      },
    );

    it('never gets its own content back in an error', async () => {
      const { result } = JSON.parse(String((await post(LIST_REQUEST)).body)) as {
        result: { tools: { name: string; inputSchema: { properties: Record<string, unknown> } }[] };
      };
      for (const { name, inputSchema } of result.tools) {
        const invalidArgs = Object.fromEntries(
          Object.keys(inputSchema.properties).map((property) => [property, { deep: [MARKER] }]),
        );
        for (const args of [
          invalidArgs,
          MARKER,
          [MARKER],
          7,
          Object.fromEntries(
            Object.keys(invalidArgs).map((property) => [property, `${MARKER} ${'x'.repeat(5000)}`]),
          ),
        ]) {
          const response = await call(name, args);
          expect([name, response.result?.isError ?? response.error !== undefined]).toEqual([
            name,
            true,
          ]);
          expect(JSON.stringify(response), name).not.toContain(MARKER);
        }
      }
      expect(JSON.stringify(await call(`tool_${MARKER}`, {}))).not.toContain(MARKER);
      expect((await call('no_such_tool', {})).error?.code).toBe(-32602);
    });

    it('is answered separately for each ID, and a valid request never gets a cached error', async () => {
      const [{ name }] = (
        JSON.parse(String((await post(LIST_REQUEST)).body)) as {
          result: { tools: [{ name: string }] };
        }
      ).result.tools;
      expect((await call(name, { nonsense: 1 })).result?.isError).toBe(true);
      for (const id of [1, 'two', 3]) {
        const response = JSON.parse(
          String((await post(JSON.stringify({ jsonrpc: '2.0', id, method: 'prompts/list' }))).body),
        ) as { id: unknown; result: { prompts: unknown[] } };
        expect([response.id, response.result.prompts.length > 0]).toEqual([id, true]);
      }
    });

    it('with a wrong or unknown protocol version is rejected even after a request with the right version', async () => {
      expect((await post(LIST_REQUEST, { 'mcp-protocol-version': '2025-11-25' })).status).toBe(200);
      expect((await post(LIST_REQUEST, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
      expect((await post(LIST_REQUEST, { 'mcp-protocol-version': '2026-07-28' })).status).toBe(400);
    });
  });

  it('creates one lead per idempotency key, and marks a repeated response', async () => {
    const [subsite] = served.site.registry.subsites;
    const send = (email: string) =>
      ask(port, '/api/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'capture_lead',
            arguments: {
              email,
              source: subsite!.leadSource,
              idempotencyKey: 'requests-are-created-once',
            },
          },
        }),
      }).then(
        ({ body }) =>
          (
            JSON.parse(String(body)) as {
              result: ToolResult & { _meta?: unknown };
            }
          ).result,
      );
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('dana@example.com')));
    expect(
      new Set(answers.map((answer) => readStructuredAnswer(answer)['receiptToken'])).size,
    ).toBe(1);
    expect(
      answers.filter(({ _meta }) => JSON.stringify(_meta) === '{"idempotent-replayed":true}'),
    ).toHaveLength(4);
    const other = await send('other@example.com');
    expect([other.isError, readStructuredAnswer(other)['code']]).toEqual([
      true,
      'idempotency_mismatch',
    ]);
  });
});
