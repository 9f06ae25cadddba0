import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { paths, serveNetwork } from '../mcp/setup/serve-network.ts';
import { launchChromium } from '../setup/chromium.ts';

let served: Awaited<ReturnType<typeof serveNetwork>>;
let browser: Browser;
/** Origin of the page on which the agent runs. */
const AGENT_ORIGIN = 'http://agents.example/';

beforeAll(async () => {
  served = await serveNetwork('mainBuild');
  // Without this flag, Chromium blocks requests from a public page to a local server, which
  // represents a public server here.
  browser = await launchChromium(['--disable-features=LocalNetworkAccessChecks']);
});
afterAll(async () => {
  await browser.close();
  await served.stop();
});

it.each(paths)(
  'an agent on a page from another origin lists and calls the tools of %s',
  async (path) => {
    const page = await browser.newPage();
    await page.route(AGENT_ORIGIN, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Agent</title>' }),
    );
    await page.goto(AGENT_ORIGIN);
    const tool = path === '/api/mcp' ? 'list_subsites' : 'search_capabilities';
    const results = await page.evaluate(
      async ({ url, name }) => {
        // The headers of Streamable HTTP clients of both versions; neither is CORS-safelisted.
        const request = async (method: string, params: object, headers: Record<string, string>) => {
          const response = await fetch(url, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              accept: 'application/json, text/event-stream',
              ...headers,
            },
            body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
          });
          const { result } = (await response.json()) as {
            result?: { tools?: unknown[]; content?: unknown[] };
          };
          return {
            status: response.status,
            limit: response.headers.get('ratelimit-policy'),
            result,
          };
        };
        const legacyHeaders = { 'mcp-protocol-version': '2025-11-25' };
        const _meta = {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        };
        return {
          list: await request('tools/list', {}, legacyHeaders),
          call: await request(
            'tools/call',
            { name, arguments: {}, _meta },
            {
              'mcp-protocol-version': '2026-07-28',
              'mcp-method': 'tools/call',
              'mcp-name': name,
            },
          ),
        };
      },
      { url: `${served.origin}${path}`, name: tool },
    );
    expect(results.list.status).toBe(200);
    expect(results.list.result?.tools?.length).toBeGreaterThan(2);
    expect(results.call.status).toBe(200);
    expect(results.call.result?.content).toHaveLength(1);
    await page.close();
  },
);
