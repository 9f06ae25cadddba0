import { Client as NewerClient } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as NewerTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createKey } from '../../src/keys/keys.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';

const CLIENT_INFO = { name: 'search-journey', version: '1.0.0' };

/**
 * Searches by tool: the member with the results, the property that identifies a result, and the
 * expected first result for each query.
 */
const searches = {
  '/api/mcp': {
    list_subsites: ['subsites', 'name', { 'my AC is broken': 'hvac', 'sell my house': 'homes' }],
    search_shop_items: ['items', 'title', { 'coffee grinder': 'Conical burr coffee grinder' }],
    get_trailer_fleet: ['items', 'title', { 'haul gravel with electric brakes': '7x14' }],
    get_generator_info: ['items', 'title', { 'quiet inverter on propane': '3,500' }],
    get_hvac_services: [
      'items',
      'title',
      { 'a new air conditioner': 'Replacement', 'what does a yearly check cost': 'Maintenance' },
    ],
    get_wd_pricing: ['items', 'title', { 'washer and dryer stacked': 'Compact stacked bundle' }],
  },
  '/api/v1/mcp': {
    search_capabilities: ['capabilities', 'id', createCapabilitySearches()],
    ask_knowledge: [
      'passages',
      'subsite',
      { 'how old must the driver of a trailer be': 'trailer' },
    ],
  },
  '/api/v1/agent-mcp': { search_capabilities: ['capabilities', 'id', createCapabilitySearches()] },
} satisfies Record<string, Record<string, [string, string, Record<string, string>]>>;

function createCapabilitySearches() {
  return {
    'my AC is broken': 'hvac.request_hvac_service',
    'rent a trailer': 'trailer.book_trailer',
    'garage clean-out price': 'cleanouts.request_cleanout_quote',
    'narrated video from my script': 'animate.create_video',
    hvac: 'hvac.',
  };
}

type Entry = Record<string, unknown>;

describe('an agent that searches', () => {
  let served: RunningService;
  let key: string;
  beforeAll(async () => {
    served = await serveBuild(inject('mainBuild'));
    ({ key } = await createKey({ name: 'Search', scopes: ['*'], expiresAt: null }, served.context));
  });
  afterAll(() => served.stop());

  const connections = {
    'the SDK 1 client': async (url: URL, requestInit: RequestInit) => {
      const client = new OlderClient(CLIENT_INFO);
      const transport = new OlderTransport(url, { requestInit });
      await client.connect(transport as Parameters<OlderClient['connect']>[0]);
      // The two clients differ only in overloads of the methods used here.
      return client as unknown as NewerClient;
    },
    'the SDK 2 client': async (url: URL, requestInit: RequestInit) => {
      const client = new NewerClient(CLIENT_INFO, {
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      });
      await client.connect(new NewerTransport(url, { requestInit }));
      return client;
    },
  };

  describe.each(Object.keys(connections) as (keyof typeof connections)[])('with %s', (kind) => {
    const connect = (path: string, bearer = key) =>
      connections[kind](new URL(`http://127.0.0.1:${served.port}${path}`), {
        headers: path.endsWith('agent-mcp') ? { authorization: `Bearer ${bearer}` } : {},
      });

    it.each(Object.entries(searches))('finds the expected entries at %s', async (path, tools) => {
      const client = await connect(path);
      const searchTools = (await client.listTools()).tools.filter(({ inputSchema }) =>
        ['query', 'question'].some((name) => inputSchema.properties?.[name]),
      );
      expect(Object.keys(tools).sort()).toEqual(searchTools.map(({ name }) => name).sort());
      for (const { name, inputSchema } of searchTools) {
        const [listName, idName, queries] = (tools as Record<string, [string, string, object]>)[
          name
        ]!;
        for (const [query, expectedFirstResult] of Object.entries(queries)) {
          const argument = inputSchema.properties?.['query'] ? 'query' : 'question';
          const result = await client.callTool({ name, arguments: { [argument]: query } });
          const text = (result.content as { text: string }[])[0]!.text;
          expect(result.isError, `${name} “${query}”: ${text}`).toBeFalsy();
          expect(result.structuredContent).toEqual(JSON.parse(text));
          const entries = (result.structuredContent as Record<string, Entry[]>)[listName]!;
          expect(String(entries[0]?.[idName]), `${name} “${query}”: ${text}`).toContain(
            expectedFirstResult,
          );
        }
      }
      await client.close();
    });

    it('finds only what its key permits', async () => {
      const { key: narrowKey } = await createKey(
        { name: 'Narrow', scopes: ['wd.*'], expiresAt: null },
        served.context,
      );
      const client = await connect('/api/v1/agent-mcp', narrowKey);
      for (const query of ['my AC is broken', 'rent a washer']) {
        const { structuredContent, isError } = await client.callTool({
          name: 'search_capabilities',
          arguments: { query },
        });
        expect(isError).toBeFalsy();
        const { capabilities } = structuredContent as { capabilities: { id: string }[] };
        expect(capabilities.filter(({ id }) => !id.startsWith('wd.'))).toEqual([]);
      }
      await client.close();
    });
  });
});
