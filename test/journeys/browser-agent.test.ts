import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { paths, serveNetwork } from '../mcp/setup/served.ts';
import { launchChromium } from '../setup/chromium.ts';

let served: Awaited<ReturnType<typeof serveNetwork>>;
let browser: Browser;
/** Where the page stands in which an agent runs. */
const ELSEWHERE = 'http://agents.example/';

beforeAll(async () => {
  served = await serveNetwork('mainBuild');
  // A page of the internet may not reach a server of this machine otherwise, which stands for one
  // of the internet here.
  browser = await launchChromium(['--disable-features=LocalNetworkAccessChecks']);
});
afterAll(async () => {
  await browser.close();
  await served.stop();
});

it.each(paths)(
  'an agent in a page of another origin lists and calls the tools of %s',
  async (path) => {
    const page = await browser.newPage();
    await page.route(ELSEWHERE, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Agent</title>' }),
    );
    await page.goto(ELSEWHERE);
    const tool = path === '/api/mcp' ? 'list_subsites' : 'search_capabilities';
    const answers = await page.evaluate(
      async ({ url, name }) => {
        // As the Streamable HTTP clients of both eras send them: neither header is on the safe list
        // of CORS.
        const ask = async (method: string, params: object, headers: Record<string, string>) => {
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
        const older = { 'mcp-protocol-version': '2025-11-25' };
        const _meta = {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        };
        return {
          list: await ask('tools/list', {}, older),
          call: await ask(
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
    expect(answers.list.status).toBe(200);
    expect(answers.list.result?.tools?.length).toBeGreaterThan(2);
    expect(answers.call.status).toBe(200);
    expect(answers.call.result?.content).toHaveLength(1);
    await page.close();
  },
);
