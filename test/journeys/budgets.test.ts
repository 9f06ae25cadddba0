import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { leads } from '../../db/schema.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import type { Effect } from '../../src/registry/schemas/action.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { formatPlannedDay } from '../../src/site/words/words.ts';
import { defaultBudgets } from '../operations/setup/budgets.ts';
import { listActions } from '../operations/setup/actions.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';
import { inputsOf } from '../transports/setup/send.ts';

describe('booking until a budget is exhausted', () => {
  const outDir = inject('mainBuild');
  const site = readBuiltSite(outDir);
  const { subsite, action } = listActions(site).find(
    ({ action: { effect } }) => effect?.kind === 'hold',
  )!;
  const effect = action.effect as Extract<Effect, { kind: 'hold' }>;
  const items = itemsOf(site.registry, effect.catalog);
  const singleUnitItem = items.find(({ units = 1 }) => units === 1)!;
  const otherItems = items.filter((item) => item !== singleUnitItem);
  let running: RunningService;

  beforeAll(async () => {
    running = await serveBuild(outDir, 0, defaultBudgets);
  });
  afterAll(() => running.stop());

  const now = Date.now();
  const dayAhead = (daysAhead: number) =>
    new Date(now + daysAhead * 86_400_000).toISOString().slice(0, 10);
  const createBookingBody = (daysAhead: number, contact: object) => ({
    subsite: subsite.name,
    action: action.verb,
    contact,
    fields: {
      ...exampleValuesOf(action.fields),
      [effect.itemField]: singleUnitItem.id,
      [effect.fromField]: dayAhead(daysAhead),
      [effect.toField]: dayAhead(daysAhead),
    },
  });
  /**
   * Posts a form as a browser without scripts does; returns the response and the text of its error
   * summary.
   */
  async function post(body: object) {
    const response = await fetch(`http://127.0.0.1:${running.port}/api/lead/action`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html' },
      body: new URLSearchParams(inputsOf(body)),
    });
    const html = await response.text();
    const [summary = ''] = /<div class="fault-summary"[\s\S]*?<\/div>/.exec(html) ?? [];
    const text = summary
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return { status: response.status, headers: response.headers, html, text };
  }

  it('tells an agent which budget is exhausted and when it refills, and tells a person what is free or when to retry', async () => {
    const client = new Client({ name: 'booking-agent', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${running.port}/api/mcp`)),
    );
    const book = (daysAhead: number) =>
      client.callTool({ name: 'submit_action', arguments: createBookingBody(daysAhead, {}) });

    expect((await book(20)).isError).toBeFalsy();
    const conflict = await post(
      createBookingBody(20, { phone: '(727) 555-0142', name: 'Dana Reyes' }),
    );
    expect(conflict.status).toBe(409);
    const dayPhrase = `on ${formatPlannedDay(dayAhead(20))}`;
    expect(conflict.text).toContain('This has not been sent yet.');
    expect(conflict.text).toContain(
      `Free ${dayPhrase}: ${otherItems.map(({ title }) => title).join(', ')}.`,
    );
    expect(conflict.text).toContain(
      `To keep this item, choose ${formatPlannedDay(dayAhead(19))} or ${formatPlannedDay(dayAhead(21))}. ${singleUnitItem.title} is free on ${formatPlannedDay(dayAhead(19))} or on ${formatPlannedDay(dayAhead(21))}.`,
    );
    expect(conflict.html).toContain('value="Dana Reyes"');
    expect(conflict.html).toContain('value="(727) 555-0142"');
    expect(conflict.html).toContain(`value="${dayAhead(20)}"`);

    for (let daysAhead = 21; daysAhead <= 25; daysAhead++)
      expect((await book(daysAhead)).isError, `booking ${daysAhead}`).toBeFalsy();
    const refused = await book(26);
    expect(refused.isError).toBe(true);
    const [content] = refused.content as [{ type: string; text: string }];
    const problem = JSON.parse(content.text) as Record<string, unknown>;
    expect(problem).toMatchObject({
      code: 'budget_exceeded',
      status: 429,
      detail: expect.stringMatching(
        /^The budget is used up: at most 6 unconfirmed holds from one IP address at a time\. It refills at 20\S+Z, in \d+ seconds\. To make room now, withdraw a request .+\. Nothing was stored\.$/,
      ),
    });
    expect(problem['retryAfterSeconds']).toBeGreaterThan(60);
    await client.close();

    const refusal = await post(
      createBookingBody(27, { phone: '(727) 555-0142', name: 'Dana Reyes' }),
    );
    expect(refusal.status).toBe(429);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(refusal.text).toMatch(
      /^This has not been sent yet\. We limit the number of requests from one contact or one internet connection, which several people may share\. Send it again after \w+, \w+ \d+, \d{4} at (?:\d+(?::\d\d)? [ap]m|noon) \w+, or call \(\d{3}\) \d{3}-\d{4} ?\.$/,
    );
    expect(refusal.html).toMatch(/or call <a href="tel:\d+">/);
    expect(refusal.html).toContain('value="Dana Reyes"');
    const rows = await running.context.database.reader.select().from(leads);
    expect(rows.length).toBe(6);
  });
});
