import { describe, expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { createSeeOtherResponse } from '../../src/http/pages/page.ts';
import { SHARED_LEAD_ENDPOINTS } from '../../src/site/registry.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openMcpEndpoints } from '../transports/setup/mcp.ts';
import { client, createTestApp } from '../transports/setup/send.ts';

const [, ACTION_PATH] = SHARED_LEAD_ENDPOINTS as [string, string];
const [{ site }] = sites as [(typeof sites)[number]];

describe('the URLs in a receipt', async () => {
  const fixture = await openFixture(site);
  const { json, get, send } = client(fixture);
  const { call } = await openMcpEndpoints(fixture.context);
  const callNetwork = (tool: string, args: object) => call('/api/mcp', tool, args);
  const [{ subsite, action }] = listActions(site) as [ReturnType<typeof listActions>[number]];
  const receipt = (await (
    await json(ACTION_PATH, {
      subsite: subsite.name,
      action: action.verb,
      fields: exampleValuesOf(action.fields),
      contact: { email: 'dana@example.com' },
    })
  ).json()) as Record<'receiptToken' | 'receiptUrl' | 'statusUrl', string>;

  it.each(['receiptUrl', 'statusUrl', 'receiptToken'] as const)(
    'identify the request to the tools as %s',
    async (name) => {
      const args = { receiptToken: receipt[name] };
      for (const [tool, more] of [
        ['get_lead_status', {}],
        ['reply_to_request', { text: `By ${name}.` }],
      ] as const) {
        const { isError, value } = await callNetwork(tool, { ...args, ...more });
        expect([tool, isError, value['receiptToken']]).toEqual([
          tool,
          undefined,
          receipt.receiptToken,
        ]);
      }
    },
  );

  it('are requested from a caller who sends a reference instead', async () => {
    const { value } = await callNetwork('get_lead_status', { receiptToken: '7QD4-3UL4-LYCP-JHCE' });
    expect(value['detail']).toBe(
      'This is a reference for phone calls. Send the receiptToken or the receiptUrl instead.',
    );
  });

  it('return the status as JSON to a program that asks for JSON', async () => {
    const path = new URL(receipt.receiptUrl).pathname;
    const jsonResponse = await get(path, {}, { headers: { accept: 'application/json' } });
    expect(jsonResponse.headers.get('content-type')).toBe('application/json');
    expect(jsonResponse.headers.get('cache-control')).toBe('no-store');
    expect(jsonResponse.headers.get('link')).toBe(`<${receipt.statusUrl}>; rel="latest-version"`);
    const status = await get(new URL(receipt.statusUrl).pathname, {});
    expect(await jsonResponse.json()).toEqual(await status.json());
    const page = await get(
      path,
      {},
      {
        headers: { accept: 'text/html,application/json;q=0.9' },
      },
    );
    expect(page.headers.get('content-type')).toBe('text/html');
  });

  it('redirect to an ASCII URL, whatever characters the request had', async () => {
    const response = await send('/api/lead/{receipt}/messages', {
      method: 'GET',
      headers: { accept: 'text/html' },
      params: { receipt: '漢/1' },
    });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/receipt/%E6%BC%A2%2F1',
    ]);
    const paths = createTestApp(fixture)
      .routes.map(({ path }) => path)
      .filter((path) => path.includes(':') && !path.includes('{'));
    expect(paths).toContain('/inbox/:reference');
    for (const path of new Set(paths))
      for (const method of ['GET', 'POST']) {
        const { status } = await send(path.replace(/:\w+/g, '%E6%BC%A2%E3%80%80'), {
          method,
          headers: {
            accept: 'text/html',
            'content-type': 'application/x-www-form-urlencoded',
          },
          ...(method === 'POST' && { body: 'sure=yes&withdraw=yes&text=x&do=reply' }),
        });
        expect(status, `${method} ${path}`).toBeLessThan(500);
      }
  });
});

describe('a redirect', () => {
  it('percent-encodes every character that a header cannot contain', () => {
    const { headers } = createSeeOtherResponse('/inbox/漢\r\n😀?q=a%20b&c=d#e');
    expect(headers.get('location')).toBe('/inbox/%E6%BC%A2%0D%0A%F0%9F%98%80?q=a%20b&c=d#e');
  });
});
