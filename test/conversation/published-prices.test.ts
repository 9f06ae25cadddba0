import { describe, expect, it } from 'vitest';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { topicOf } from '../../src/leads/deliveries/person/person-mail-topic.ts';
import { renderPersonMail } from '../../src/leads/deliveries/person/person-mail-text.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { describeRows } from '../../src/leads/lists/inbox-rows.ts';
import { type LeadState, statusOf } from '../../src/leads/status/lead-status.ts';
import { shownTermsOf } from '../../src/leads/status/shown-terms.ts';
import { describeTerms } from '../../src/leads/status/describe-terms.ts';
import { findRequestedItem } from '../../src/site/forms/requested-item.ts';
import { itemsOf } from '../../src/site/registry.ts';
import type { Site } from '../../src/site/site.ts';
import { formatMinimumTerm } from '../../src/site/words/minimum-term.ts';
import { formatMoney, withDollarSigns } from '../../src/site/words/words.ts';
import { shownTerms as text } from '../../src/text/index.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { type Fixture, openFixture, sites, withItems } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { client } from '../transports/setup/send.ts';
import { makeOffer } from './leads-in-states.ts';
import { receiptOf } from './receipt-view.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];

describe('the email to a provider', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const pricedActions = listActions(site).filter(
    ({ subsite, action }) =>
      subsite.pricing && action.purpose !== 'subscription' && action.effect?.kind !== 'import',
  );

  it.each(pricedActions)(
    'names the published prices for the choices, and their notes, for $label',
    async (verb) => {
      const lead = await submitLead(context, verb);
      const log = await readLog(lead, context);
      const event = (await readLeadEvent(log.reference!, context))!;
      const terms = shownTermsOf(log, context.now(), site);
      const mail = renderMail(event, site, terms).text.replaceAll(/\n\|\s*/g, ' ');
      expect(describeTerms(terms, site).map(([name]) => name)).toContain(
        terms.total ? text.total : text.published,
      );
      const item = findRequestedItem(site.registry, verb.subsite.name, verb.action, log.fields);
      if (item) {
        expect(mail).toContain(terms.total?.price ?? item.price);
        if (item.notes !== undefined) expect(mail).toContain(item.notes);
        return;
      }
      for (const { amount, currency, notes, for: choices = {} } of verb.subsite.pricing!) {
        const priceApplies = Object.entries(choices).every(([name, values]) =>
          values.some((value) => value === log.fields[name]),
        );
        const price = `: ${amount === 0 ? 'free' : formatMoney(amount, currency)}.`;
        expect(mail.includes(price)).toBe(priceApplies);
        if (notes !== undefined) expect(mail.includes(withDollarSigns(notes))).toBe(priceApplies);
      }
      if (verb.subsite.commission)
        expect(mail).toContain(`Commission: ${verb.subsite.commission.percent}%.`);
    },
  );

  it.each(pricedActions)(
    'are also in the confirmation that the customer gets, if the receipt lists them, for $label',
    async (verb) => {
      const fixture = await openFixture(site);
      const { context } = fixture;
      const lead = await submitLead(context, verb);
      const { receiptPrices = [] } = shownTermsOf(
        await readLog(lead, context),
        context.now(),
        site,
      );
      if (verb.action.purpose === 'question') return;
      const confirmation = { receiptToken: lead, action: 'confirm', actor: 'provider' } as const;
      await sendAsProvider(confirmation, {}, context);
      const event = (await readLeadEvent(
        String((await fixture.rows('outbox')).at(-1)!['id']),
        context,
      ))!;
      const mail = renderPersonMail('confirmed', event, await readLog(lead, context), {
        site,
      }).text;
      for (const { price } of receiptPrices) expect(mail).toContain(price);
    },
  );
});

it.each(listActions(site).filter(({ subsite }) => subsite.minimumTerm))(
  'the shortest rental is among the terms that both sides read, for $label',
  async (verb) => {
    const fixture = await openFixture(site);
    const { context } = fixture;
    const lead = await submitLead(context, verb);
    const term = formatMinimumTerm(verb.subsite.minimumTerm!);
    const log = await readLog(lead, context);
    const event = (await readLeadEvent(log.reference!, context))!;
    const terms = shownTermsOf(log, context.now(), site);
    expect(renderMail(event, site, terms).text).toContain(`Shortest rental: ${term}`);
    expect(renderPersonMail('receipt', event, log, { site }).text).toContain(
      `Shortest rental: ${term}`,
    );
    expect((await receiptOf(fixture, lead)).minimumTerm).toBe(term);
    await makeOffer(fixture, lead, { amount: '41.00' });
    const offered = shownTermsOf(await readLog(lead, context), context.now(), site);
    expect([offered.minimumTerm, offered.publishedTerms]).toEqual([
      undefined,
      expect.stringContaining(`The shortest rental is ${term}.`),
    ]);
  },
);

/** The site with different prices, notes, deposits, taxes and commissions, as in a new release. */
const withOtherPrices = (site: Site): Site => {
  const change = <Price extends { amount: number }>(price: Price): Price => ({
    ...price,
    amount: price.amount + 6,
    notes: 'Only on Mondays.',
  });
  const registry = {
    ...site.registry,
    subsites: site.registry.subsites.map((subsite) => ({
      ...subsite,
      ...(subsite.pricing && { pricing: subsite.pricing.map(change) }),
      ...(subsite.commission && { commission: { percent: 43 } }),
      actions: subsite.actions.map((action) =>
        action.effect?.kind === 'hold'
          ? { ...action, salesTaxPercent: 43, effect: { ...action.effect, deposit: 431 } }
          : action,
      ),
    })),
  };
  const changed: Site = { ...site, registry };
  return Object.keys(registry.catalogs).reduce(
    (result, name) =>
      withItems(
        result,
        name,
        itemsOf(registry, name).map((item) => ({
          ...item,
          ...(item.price && { price: change(item.price) }),
        })),
      ),
    changed,
  );
};

describe.each(sites)('the prices that a customer saw, in $name', ({ site }) => {
  const changedSite = withOtherPrices(site);
  const actions = listActions(site).filter(({ action }) => action.effect?.kind !== 'import');

  /** Every text that states a price of a lead to either side, as a release shows it. */
  async function readTexts(fixture: Fixture, lead: string, now: Date, releasedSite: Site) {
    const context = { ...fixture.context, site: releasedSite, now: () => now };
    const log = await readLog(lead, context);
    const events = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
    const mails = await Promise.all(
      [events[0]!, events.at(-1)!].map(async (row) => {
        const event = (await readLeadEvent(String(row['id']), context))!;
        const topic = topicOf(event);
        const storefront = { previewUrl: 'https://network.example/preview', isPublished: false };
        return {
          provider: renderMail(event, releasedSite, shownTermsOf(log, now, releasedSite)).text,
          person:
            topic &&
            renderPersonMail(topic, event, log, { site: releasedSite, now, ...storefront }),
        };
      }),
    );
    const receipt = await receiptOf({ ...fixture, context }, lead);
    const { proof: _, ...status } = receipt.lead as LeadState;
    return {
      show: describeTerms(shownTermsOf(log, now, releasedSite), {
        registry: releasedSite.registry,
      }),
      row: (await describeRows([log.reference!], context)).get(log.reference!),
      status: statusOf(log, now, releasedSite),
      mails: mails.map(({ provider, person }) => ({
        provider: provider.replaceAll(/http\S+/g, ''),
        person,
      })),
      // The calendar for other days has today’s prices.
      receipt: { ...receipt, lead: status, formKey: undefined, otherDays: undefined },
    };
  }

  it.each(actions)('stay in every text after a change: $label', async (verb) => {
    const fixture = await openFixture(site);
    const lead = await submitLead(fixture.context, verb);
    const compareTexts = async () => {
      const now = fixture.context.now();
      const before = await readTexts(fixture, lead, now, site);
      expect(await readTexts(fixture, lead, now, changedSite)).toEqual(before);
      return JSON.stringify(before);
    };
    const texts = await compareTexts();
    if (verb.subsite.pricing && verb.action.purpose !== 'subscription')
      expect(texts).toMatch(/\$\d|free/);
    if (verb.action.purpose === 'subscription') return;
    const offerId = await makeOffer(fixture, lead, { amount: '41.00' });
    await compareTexts();
    await client(fixture).json(
      '/api/lead/{receipt}/messages',
      { accept: offerId },
      { params: { receipt: lead } },
    );
    expect((await compareTexts()).includes('$41')).toBe(true);
    await changeLead({ receiptToken: lead, to: 'withdrawn', actor: 'person' }, fixture.context);
    await compareTexts();
  });
});
