import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldsJsonSchemaOf } from '../../src/fields/fields.ts';
import { MCP_ENDPOINTS, MCP_PROTOCOL_VERSIONS } from '../../src/site/developer/mcp-endpoints.ts';
import { networks, paths, serveNetwork } from './setup/serve-network.ts';

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
}

interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  outputSchema: Schema;
  annotations: Record<string, unknown>;
}

const MAX_BYTES = 10_240;

describe.each(networks)('the MCP endpoints of %s', (network) => {
  let served: Awaited<ReturnType<typeof serveNetwork>>;
  beforeAll(async () => void (served = await serveNetwork(network)));
  afterAll(() => served.stop());

  const send = (path: string, message: object, headers: Record<string, string> = {}) =>
    fetch(`${served.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
  const sendModernRequest = (path: string, method: string) =>
    send(
      path,
      {
        method,
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
    );
  const listTools = async (path: string) =>
    ((await (await send(path, { method: 'tools/list' })).json()) as { result: { tools: Tool[] } })
      .result.tools;

  it.each(paths)(
    'at %s answer tools/list with at most 10 KB in both versions, and with the same bytes each time',
    async (path) => {
      for (const sendRequest of [
        () => send(path, { method: 'tools/list' }),
        () => sendModernRequest(path, 'tools/list'),
      ]) {
        const first = await (await sendRequest()).text();
        expect(Buffer.byteLength(first)).toBeLessThanOrEqual(MAX_BYTES);
        const { result } = JSON.parse(first) as { result: unknown };
        expect(((await (await sendRequest()).json()) as { result: unknown }).result).toEqual(
          result,
        );
      }
    },
  );

  it.each(paths)(
    'at %s have at most 15 tools, each with title, description, four hints, and object schemas',
    async (path) => {
      const list = await listTools(path);
      expect(list.length).toBeLessThanOrEqual(15);
      for (const { name, title, description, annotations, inputSchema, outputSchema } of list) {
        expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
        expect([name, Boolean(title), Boolean(description)]).toEqual([name, true, true]);
        expect(Object.entries(annotations).map(([hint, value]) => [hint, typeof value])).toEqual(
          ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'].map((hint) => [
            hint,
            'boolean',
          ]),
        );
        expect([name, inputSchema.type, outputSchema.type]).toEqual([name, 'object', 'object']);
        for (const required of inputSchema.required ?? [])
          expect(Object.keys(inputSchema.properties!), name).toContain(required);
      }
    },
  );

  it.each(paths)(
    'at %s announce no changes, need no key, and come with usage instructions of at most 1 KB',
    async (path) => {
      const { result } = (await (await sendModernRequest(path, 'server/discover')).json()) as {
        result: {
          instructions: string;
          capabilities: Record<string, { listChanged?: boolean }>;
          ttlMs: number;
          cacheScope: string;
        };
      };
      expect(Buffer.byteLength(result.instructions)).toBeLessThanOrEqual(1024);
      for (const [name, { listChanged }] of Object.entries(result.capabilities))
        expect([name, listChanged === true]).toEqual([name, false]);
      expect([result.ttlMs > 0, result.cacheScope]).toEqual([true, 'public']);
    },
  );

  it('support every protocol version on the server cards', async () => {
    for (const { path, slug } of MCP_ENDPOINTS.filter(({ requiresKey: bearer }) => !bearer)) {
      const discovery = (await (await sendModernRequest(path, 'server/discover')).json()) as {
        result: { supportedVersions: string[] };
      };
      const supportedVersions = new Set(discovery.result.supportedVersions);
      for (const protocolVersion of MCP_PROTOCOL_VERSIONS.filter(
        (version) => !supportedVersions.has(version),
      )) {
        const { result } = (await (
          await send(path, {
            method: 'initialize',
            params: {
              protocolVersion,
              capabilities: {},
              clientInfo: { name: 'test', version: '1' },
            },
          })
        ).json()) as {
          result: { protocolVersion: string; serverInfo: { name: string; version: string } };
        };
        expect(result.protocolVersion).toBe(protocolVersion);
        expect(result.serverInfo).toMatchObject({
          name: `${served.site.registry.network.namespace}/${slug}`,
          version: served.site.registry.network.version,
        });
      }
    }
  });

  it('describe every subsite in under 10 KB, with the fields of its actions', async () => {
    for (const { name, actions } of served.site.registry.subsites) {
      const body = await (
        await send('/api/mcp', {
          method: 'tools/call',
          params: { name: 'get_subsite_info', arguments: { name } },
        })
      ).text();
      expect(Buffer.byteLength(body), name).toBeLessThan(MAX_BYTES);
      const { subsite } = (
        JSON.parse(body) as {
          result: {
            structuredContent: { subsite: { actions: { verb: string; fields: object }[] } };
          };
        }
      ).result.structuredContent;
      expect(subsite.actions.map(({ verb, fields }) => [verb, Object.keys(fields)])).toEqual(
        actions.map(({ verb, fields }) => [
          verb,
          Object.keys(fieldsJsonSchemaOf(fields)['properties'] as object),
        ]),
      );
    }
  });

  it('return every list completely by cursors, with each entry once and each page under 10 KB', async () => {
    for (const path of paths)
      for (const { name, inputSchema } of await listTools(path)) {
        if (!inputSchema.properties!['cursor'] || inputSchema.required?.length) continue;
        const seenEntries: unknown[] = [];
        let cursor: string | undefined;
        let total: number;
        do {
          const body = await (
            await send(path, {
              method: 'tools/call',
              params: { name, arguments: { ...(cursor && { cursor }) } },
            })
          ).text();
          expect(Buffer.byteLength(body), name).toBeLessThan(MAX_BYTES);
          const page = (
            JSON.parse(body) as {
              result: {
                structuredContent: Record<string, unknown> & { total: number; nextCursor?: string };
              };
            }
          ).result.structuredContent;
          const entries = Object.values(page).find(Array.isArray) as unknown[];
          expect(entries.length, name).toBeGreaterThan(0);
          expect(entries.length, name).toBeLessThanOrEqual(20);
          seenEntries.push(...entries.map((entry) => JSON.stringify(entry)));
          ({ total, nextCursor: cursor } = page);
        } while (cursor);
        expect([name, seenEntries.length, new Set(seenEntries).size]).toEqual([name, total, total]);
      }
  });
});
