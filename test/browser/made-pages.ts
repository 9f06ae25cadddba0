import { sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { exampleValues } from '../../src/fields/fields.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { siteActions } from '../../src/leads/submit-action.ts';
import { createKey } from '../../src/keys/keys.ts';
import type { Running } from '../server/serve-build.ts';

/** A page that is made on request, with the way to it. */
export interface MadePage {
  /** What it is, in kebab-case. */
  name: string;
  open(page: Page): Promise<unknown>;
}

const READY = { waitUntil: 'load' } as const;

/**
 * One page of each template that is made on request: search results, receipts, storefronts in every
 * theme, answers, the inbox, a refused form, refusals and the page for unknown addresses. Files the
 * leads that they need.
 */
export async function madePages({ port, ask, context }: Running): Promise<MadePage[]> {
  const origin = `http://127.0.0.1:${port}`;
  const actions = siteActions(context.site.registry).filter(
    ({ action }) => action.effect?.kind !== 'import',
  );
  const at = (name: string, path: string): MadePage => ({
    name,
    open: (page) => page.goto(`${origin}${path}`, READY),
  });
  const file = async (
    { subsite, action }: (typeof actions)[number],
    fields: Record<string, unknown> = {},
  ): Promise<Record<string, string>> => {
    const body = {
      subsite: subsite.name,
      action: action.verb,
      fields: { ...exampleValues(action.fields), ...fields },
      contact: { name: 'Dana Reyes', email: 'dana@example.com', phone: '(727) 555-0142' },
    };
    const answer = await ask('/api/lead/action', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 200)
      throw new Error(
        `${subsite.name}.${action.verb} was answered ${answer.status}: ${answer.body.toString()}`,
      );
    return JSON.parse(answer.body.toString()) as Record<string, string>;
  };
  const made: MadePage[] = [
    at('unknown-address', '/no-such-page'),
    at('find', `/find?q=${encodeURIComponent(actions[0]!.action.title)}`),
    at('find-nothing', '/find?q=qqxxqqxx'),
    at('unknown-receipt', `/receipt/${'x'.repeat(21)}`),
    at('malformed-receipt', '/receipt/unknown'),
    at('receipt-sandbox', '/receipt/sandbox'),
    at('storefront-sandbox', '/biz/sandbox'),
    at('unknown-storefront', '/biz/no-such-business'),
    at('unknown-answer', '/answer/no-such-link'),
  ];

  for (const asked of actions) {
    const { effect, verb } = asked.action;
    if (effect?.kind === 'storefront')
      for (const [index, theme] of asked.action.fields[effect.themeField]!.enum!.entries()) {
        const { previewUrl, receiptUrl } = await file(asked, {
          [effect.themeField]: theme,
          [effect.nameField]: `Marlow and Daughters, ${theme}`,
        });
        made.push(at(`storefront-${theme}`, new URL(previewUrl!).pathname));
        if (index === 0) made.push(at(`receipt-${verb}`, new URL(receiptUrl!).pathname));
      }
    else if (effect?.kind === 'hold') {
      const [item] = itemsOf(context.site.registry, effect.catalog);
      made.push(at('free-days', `/free-days/${asked.subsite.name}/${item!.id}`));
    }
    if (effect && effect.kind !== 'storefront')
      made.push(at(`receipt-${verb}`, new URL((await file(asked)).receiptUrl!).pathname));
  }

  const plain = actions.find(
    ({ action }) => !action.effect && Object.values(action.fields).some(({ required }) => required),
  )!;
  const { receiptToken, receiptUrl } = await file(plain);
  const [{ id }] = (await context.database.writer.all(
    sql`select id from outbox where lead = ${receiptToken} and kind = 'lead.created'`,
  )) as [{ id: string }];
  const links = Object.entries((await readLeadEvent(id, context))!.links);
  made.push(
    at('receipt', new URL(receiptUrl!).pathname),
    at('not-me', `${new URL(receiptUrl!).pathname}/not-me`),
    ...links.map(([answer, url]) => at(`answer-${answer}`, new URL(url).pathname)),
  );
  const required = ({ action }: (typeof actions)[number]) =>
    Object.values(action.fields).filter((field) => field.required).length;
  const [asksMost] = actions.toSorted((one, other) => required(other) - required(one));
  made.push({
    name: 'refused-form',
    async open(page) {
      await page.goto(`${origin}${asksMost!.subsite.url}`, READY);
      await page
        .locator(`#${asksMost!.action.verb}-form`)
        .evaluate((form) => HTMLFormElement.prototype.submit.call(form));
      await page.waitForSelector('.fault-summary');
    },
  });

  const { key } = await createKey(
    { name: 'Front desk', scopes: ['inbox'], expiresAt: null },
    context,
  );
  const signIn = (secret: string) => async (page: Page) => {
    await page.goto(`${origin}/inbox`, READY);
    await page.fill('#key', secret);
    await page.click('.sign-in button');
    await page.waitForSelector(secret === key ? '.inbox-head' : '.fault-summary');
  };
  const inside = (name: string, path: string): MadePage => ({
    name,
    async open(page) {
      if ((await page.context().cookies()).length === 0) await signIn(key)(page);
      await page.goto(`${origin}${path}`, READY);
    },
  });
  return [
    ...made,
    at('inbox-sign-in', '/inbox'),
    { name: 'inbox-refused', open: signIn('fk_no') },
    inside('inbox', '/inbox'),
    inside('inbox-empty', '/inbox?status=expired'),
    inside('inbox-lead', `/inbox/${id}`),
    inside('inbox-unknown', '/inbox/no-such-lead'),
  ];
}
