import { sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { listEmergencyChoices } from '../operations/setup/actions.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { listSiteActions } from '../../src/leads/submit/submit-action.ts';
import { createKey } from '../../src/keys/keys.ts';
import type { RunningService } from '../server/serve-build.ts';
import { submitExample } from '../server/submit-example.ts';
import { findAnswerPath, openConversations, openNamedStorefront } from './conversation-pages.ts';

/** A page rendered on request, and how to open it. */
export interface OnRequestPage {
  /** Name in kebab-case. */
  name: string;
  open(page: Page): Promise<unknown>;
}

const LOAD_OPTIONS = { waitUntil: 'load' } as const;

/**
 * One page for each template that is rendered on request: search results, receipts, storefronts in
 * every theme, answers, the inbox, a rejected form, rejections and the page for unknown URLs.
 * Submits the leads that these pages show.
 */
export async function openOnRequestPages(running: RunningService): Promise<OnRequestPage[]> {
  const { port, ask, context } = running;
  const origin = `http://127.0.0.1:${port}`;
  const actions = listSiteActions(context.site.registry).filter(
    ({ action }) => action.effect?.kind !== 'import',
  );
  const pageAt = (name: string, path: string): OnRequestPage => ({
    name,
    open: (page) => page.goto(`${origin}${path}`, LOAD_OPTIONS),
  });
  const submitLead = (verb: (typeof actions)[number], fields: Record<string, unknown> = {}) =>
    submitExample({ ask }, verb, {
      fields,
      contact: { name: 'Dana Reyes', email: 'dana@example.com', phone: '(727) 555-0142' },
    });
  const pages: OnRequestPage[] = [
    pageAt('unknown-address', '/no-such-page'),
    pageAt('find', `/find?q=${encodeURIComponent(actions[0]!.action.title)}`),
    pageAt('find-nothing', '/find?q=qqxxqqxx'),
    pageAt('unknown-receipt', `/receipt/${'x'.repeat(21)}`),
    pageAt('malformed-receipt', '/receipt/unknown'),
    pageAt('receipt-sandbox', '/receipt/sandbox'),
    pageAt('storefront-sandbox', '/biz/sandbox'),
    pageAt('unknown-storefront', '/biz/no-such-business'),
    pageAt('unknown-answer', '/answer/no-such-link'),
  ];

  for (const formCase of actions) {
    const { effect, verb } = formCase.action;
    if (effect?.kind === 'storefront') {
      pages.push(
        pageAt(
          'storefront-named',
          await openNamedStorefront(running, formCase, {
            [effect.nameField]: 'Marlow and Daughters',
          }),
        ),
      );
      for (const [index, theme] of formCase.action.fields[effect.themeField]!.enum!.entries()) {
        const { previewUrl, receiptUrl } = await submitLead(formCase, {
          [effect.themeField]: theme,
          [effect.nameField]: `Marlow and Daughters, ${theme}`,
        });
        pages.push(pageAt(`storefront-${theme}`, new URL(previewUrl!).pathname));
        if (index === 0) pages.push(pageAt(`receipt-${verb}`, new URL(receiptUrl!).pathname));
      }
    } else if (effect?.kind === 'hold') {
      const [item] = itemsOf(context.site.registry, effect.catalog);
      pages.push(pageAt('free-days', `/free-days/${formCase.subsite.name}/${item!.id}`));
    }
    if (effect && effect.kind !== 'storefront') {
      const { receiptToken, receiptUrl } = await submitLead(formCase);
      pages.push(pageAt(`receipt-${verb}`, new URL(receiptUrl!).pathname));
      if (effect.kind === 'hold')
        pages.push(
          pageAt('answer-offer-hold', await findAnswerPath(running, receiptToken, 'offer')),
        );
    }
  }

  const [urgent] = listEmergencyChoices(context.site.registry);
  if (urgent) {
    const formCase = actions.find(
      ({ subsite, action }) => subsite.name === urgent.subsite && action.verb === urgent.verb,
    )!;
    const receipt = await submitLead(formCase, { [urgent.field]: urgent.value });
    pages.push(pageAt('receipt-emergency', new URL(receipt.receiptUrl!).pathname));
  }

  const plainAction = actions.find(
    ({ action }) => !action.effect && Object.values(action.fields).some(({ required }) => required),
  )!;
  const { receiptToken, receiptUrl } = await submitLead(plainAction);
  const [{ id }] = (await context.database.writer.all(
    sql`select id from outbox where lead = ${receiptToken} and kind = 'lead.created'`,
  )) as [{ id: string }];
  const links = Object.entries((await readLeadEvent(id, context))!.links);
  pages.push(
    pageAt('receipt', new URL(receiptUrl!).pathname),
    pageAt('not-me', `${new URL(receiptUrl!).pathname}/not-me`),
    ...links.map(([answer, url]) => pageAt(`answer-${answer}`, new URL(url).pathname)),
  );
  for (const [name, path] of await openConversations(running, plainAction))
    pages.push(pageAt(name, path));
  const countRequiredFields = ({ action }: (typeof actions)[number]) =>
    Object.values(action.fields).filter((field) => field.required).length;
  const [longestForm] = actions.toSorted(
    (first, second) => countRequiredFields(second) - countRequiredFields(first),
  );
  pages.push({
    name: 'refused-form',
    async open(page) {
      await page.goto(`${origin}${longestForm!.subsite.url}`, LOAD_OPTIONS);
      await page
        .locator(`#${longestForm!.action.verb}-form`)
        .evaluate((form) => HTMLFormElement.prototype.submit.call(form));
      await page.waitForSelector('.fault-summary');
    },
  });

  const { key } = await createKey(
    { name: 'Front desk', scopes: ['inbox'], expiresAt: null },
    context,
  );
  const signIn = (secret: string) => async (page: Page) => {
    await page.goto(`${origin}/inbox`, LOAD_OPTIONS);
    await page.fill('#key', secret);
    await page.click('.sign-in button');
    await page.waitForSelector(secret === key ? '.inbox-head' : '.fault-summary');
  };
  const createInboxPage = (name: string, path: string): OnRequestPage => ({
    name,
    async open(page) {
      if ((await page.context().cookies()).length === 0) await signIn(key)(page);
      await page.goto(`${origin}${path}`, LOAD_OPTIONS);
    },
  });
  return [
    ...pages,
    pageAt('inbox-sign-in', '/inbox'),
    { name: 'inbox-refused', open: signIn('fk_no') },
    createInboxPage('inbox', '/inbox'),
    createInboxPage('inbox-empty', '/inbox?status=expired'),
    createInboxPage('inbox-lead', `/inbox/${id}`),
    createInboxPage('inbox-unknown', '/inbox/no-such-lead'),
  ];
}
