import { afterAll, expect, it, vi } from 'vitest';
import type { ProviderAction } from '../../src/leads/conversation/conversation.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { topicOf } from '../../src/leads/deliveries/person/person-mail-topic.ts';
import { renderPersonMail } from '../../src/leads/deliveries/person/person-mail-text.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { shownTermsOf } from '../../src/leads/status/shown-terms.ts';
import { formatHours } from '../../src/site/calendar/opening-hours.ts';
import { formatHeadlinePrice } from '../../src/site/words/record-words.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { receiptOf } from '../conversation/receipt-view.ts';
import { kindOf } from '../../src/fields/fields.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';

/** Appends a mark to each word in a catalog, but not inside its placeholders. */
const mark = vi.hoisted(() => {
  // Setup files have imported the catalog.
  vi.resetModules();
  const markTexts = (texts: unknown): unknown =>
    typeof texts === 'string'
      ? texts.replaceAll(/(\{\w+\})|[A-Za-z’]+/g, (found, placeholder?: string) =>
          placeholder === undefined ? `${found}ˣ` : found,
        )
      : Object.fromEntries(
          Object.entries(texts as object).map(([key, value]) => [key, markTexts(value)]),
        );
  return markTexts as (texts: object) => object;
});

vi.mock('../../src/text/en/index.ts', async (importOriginal) =>
  mark(await importOriginal<object>()),
);

// Later test files in this worker would share the modules with the marked catalog.
afterAll(() => {
  vi.doUnmock('../../src/text/en/index.ts');
  vi.resetModules();
});

/** Three or more words in a row without marks, outside URLs. */
const findUnmarkedSentences = (text: string): string[] =>
  text
    .replaceAll(/\S*[/@]\S*/g, '|')
    .match(/(?<![\wˣ’])[A-Za-z’]+(?![A-Za-z’ˣ])(?: [A-Za-z’]+(?![A-Za-z’ˣ])){2,}/g) ?? [];

/** All text in a page's view. */
const textsOf = (view: unknown): string[] =>
  typeof view === 'string'
    ? [view]
    : typeof view === 'object' && view !== null
      ? Object.values(view).flatMap(textsOf)
      : [];

const normalize = (text: string) => text.replaceAll(/\W+/g, ' ').toLowerCase();

it.each(['hold', 'route', undefined] as const)(
  'mail about a request with the effect %s gets its sentences from the catalog',
  async (kind) => {
    const [{ site }] = sites as unknown as [(typeof sites)[number]];
    const fixture = await openFixture(site);
    const { context } = fixture;
    const { json } = client(fixture);
    const verb = listActions(site).find(({ action: { effect } }) => effect?.kind === kind)!;
    const { hours } = verb.subsite;
    const ownTexts = normalize(
      `${JSON.stringify(site.registry)} ${hours ? formatHours(hours) : ''}`,
    );
    const unmarked = new Set<string>();
    const lead = await submitLead(context, verb);
    const readMails = async () => {
      const events = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
      const event = (await readLeadEvent(String(events.at(-1)!['id']), context))!;
      const log = await readLog(lead, context);
      const topic = topicOf(event);
      const mails = [
        renderMail(event, site, shownTermsOf(log, context.now(), site)),
        ...(topic ? [renderPersonMail(topic, event, log, { site })] : []),
      ];
      for (const { subject, text } of mails)
        for (const found of findUnmarkedSentences(`${subject}\n\n${text}`))
          if (!ownTexts.includes(normalize(found))) unmarked.add(found);
    };
    const answer = async (action: ProviderAction, body: object) => {
      await sendAsProvider({ receiptToken: lead, action, actor: 'provider' }, body, context);
      await readMails();
    };
    const reply = async (body: object) => {
      await json('/api/lead/{receipt}/messages', body, { params: { receipt: lead } });
      await readMails();
    };
    await readMails();
    await answer('ask', { text: '1?' });
    await reply({ text: '2' });
    await answer('offer', { amount: '41', currency: 'USD', expires: '48h' });
    const { entries } = await readLog(lead, context);
    await reply({ accept: entries.at(-1)!.offer!.offerId });
    await answer('confirm', {});
    await answer('decline', { text: '3' });
    expect([...unmarked]).toEqual([]);
  },
);

it.each(sites)(
  'form controls and the receipt page of $name get their sentences from the catalog',
  async ({ site }) => {
    const fixture = await openFixture(site);
    // A price's unit is in English until code for another language replaces its rules.
    const units = site.registry.subsites.map((subsite) => formatHeadlinePrice(subsite)?.unit);
    const ownTexts = normalize(JSON.stringify([site.registry, units]));
    const texts = listActions(site).flatMap(({ action }) =>
      Object.entries(action.fields).flatMap(([name, field]) => {
        const { instruction, control } = kindOf(field);
        const options = control(field, { name, items: () => [], subsites: () => [] }).options ?? [];
        return [instruction(field), ...options.map(({ label }) => label)];
      }),
    );
    for (const verb of listActions(site)) {
      const lead = await submitLead(fixture.context, verb);
      texts.push(...textsOf(await receiptOf(fixture, lead)));
    }
    const unmarked = texts
      .flatMap(findUnmarkedSentences)
      .filter((found) => !ownTexts.includes(normalize(found)));
    expect([...new Set(unmarked)]).toEqual([]);
  },
);
