import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { exampleValues } from '../../src/fields/fields.ts';
import type { Effect } from '../../src/registry/action.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { plannedDayInWords } from '../../src/site/words/words.ts';
import { usualBudgets } from '../operations/setup/budgets.ts';
import { verbsOf } from '../operations/setup/verbs.ts';
import { type Running, serveBuild } from '../server/serve-build.ts';
import { inputsOf } from '../transports/setup/send.ts';

describe('booking until a budget refuses', () => {
  const outDir = inject('mainBuild');
  const site = readBuiltSite(outDir);
  const { subsite, action } = verbsOf(site).find(
    ({ action: { effect } }) => effect?.kind === 'hold',
  )!;
  const effect = action.effect as Extract<Effect, { kind: 'hold' }>;
  const items = itemsOf(site.registry, effect.catalog);
  const single = items.find(({ units = 1 }) => units === 1)!;
  const others = items.filter((item) => item !== single);
  let running: Running;

  beforeAll(async () => {
    running = await serveBuild(outDir, 0, usualBudgets);
  });
  afterAll(() => running.stop());

  const now = Date.now();
  const day = (ahead: number) => new Date(now + ahead * 86_400_000).toISOString().slice(0, 10);
  const booking = (ahead: number, contact: object) => ({
    subsite: subsite.name,
    action: action.verb,
    contact,
    fields: {
      ...exampleValues(action.fields),
      [effect.itemField]: single.id,
      [effect.fromField]: day(ahead),
      [effect.toField]: day(ahead),
    },
  });
  /** A form as a browser without scripts posts it, and the text of the page that answers. */
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

  it('an agent reads which budget refuses and when it refills, a person what is free or when to try again', async () => {
    const client = new Client({ name: 'booking-agent', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${running.port}/api/mcp`)),
    );
    const book = (ahead: number) =>
      client.callTool({ name: 'submit_action', arguments: booking(ahead, {}) });

    expect((await book(20)).isError).toBeFalsy();
    const taken = await post(booking(20, { phone: '(727) 555-0142', name: 'Dana Reyes' }));
    expect(taken.status).toBe(409);
    const when = `on ${plannedDayInWords(day(20))}`;
    expect(taken.text).toContain('This has not been sent yet.');
    expect(taken.text).toContain(`Free ${when}: ${others.map(({ title }) => title).join(', ')}.`);
    expect(taken.text).toContain(
      `To keep this item, choose ${plannedDayInWords(day(19))} or ${plannedDayInWords(day(21))}. ${single.title} is free on ${plannedDayInWords(day(19))} or on ${plannedDayInWords(day(21))}.`,
    );
    expect(taken.html).toContain('value="Dana Reyes"');
    expect(taken.html).toContain('value="(727) 555-0142"');
    expect(taken.html).toContain(`value="${day(20)}"`);

    for (let ahead = 21; ahead <= 25; ahead++)
      expect((await book(ahead)).isError, `booking ${ahead}`).toBeFalsy();
    const refused = await book(26);
    expect(refused.isError).toBe(true);
    const [content] = refused.content as [{ type: string; text: string }];
    const problem = JSON.parse(content.text) as Record<string, unknown>;
    expect(problem).toMatchObject({
      code: 'budget_exceeded',
      status: 429,
      detail: expect.stringMatching(
        /^The budget is used up: at most 6 unconfirmed holds from one address at a time\. It refills at 20\S+Z, in \d+ seconds\. To make room at once, withdraw a request of yours .+\. Nothing was stored\.$/,
      ),
    });
    expect(problem['retryAfterSeconds']).toBeGreaterThan(60);
    await client.close();

    const over = await post(booking(27, { phone: '(727) 555-0142', name: 'Dana Reyes' }));
    expect(over.status).toBe(429);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(over.text).toMatch(
      /^This has not been sent yet\. Too many requests were sent or are still open\. Send it again after \w+, \w+ \d+, \d{4} at \d+:\d\d [AP]M \w+\.$/,
    );
    expect(over.html).toContain('value="Dana Reyes"');
    const rows = await running.context.database.reader.query.leads.findMany();
    expect(rows.length).toBe(6);
  });
});
