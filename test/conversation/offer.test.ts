import { describe, expect, it } from 'vitest';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { renderPersonMail } from '../../src/leads/deliveries/person/person-mail-text.ts';
import {
  createOfferInputs,
  latestOfferInputsOf,
} from '../../src/leads/conversation/offer-inputs.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { type ProviderAction, renderOpenOffer } from '../../src/leads/conversation/conversation.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { describeConfirmation, describeTerms } from '../../src/leads/status/describe-terms.ts';
import { shownTermsOf } from '../../src/leads/status/shown-terms.ts';
import type { HoldEffect } from '../../src/registry/schemas/action.ts';
import { toTimeOfDay } from '../../src/site/calendar/opening-hours.ts';
import { priceLabelOf } from '../../src/components/receipt/offer/answer-inputs.ts';
import type { Subsite } from '../../src/registry/schemas/subsite.ts';
import { isPricedByMonth } from '../../src/site/prices/prices.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { computeRequestTotal } from '../../src/site/prices/rental.ts';
import { computeTax } from '../../src/site/prices/sales-tax.ts';
import { toDecimalAmount } from '../../src/site/forms/typed-amount.ts';
import { priceMistakes } from '../../src/text/index.ts';
import { listPricesFor } from '../../src/site/words/record-words.ts';
import { formatPriceWithPayer } from '../../src/site/words/offer-words.ts';
import { withDollarSigns } from '../../src/site/words/words.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { listActions } from '../operations/setup/actions.ts';
import { client } from '../transports/setup/send.ts';
import { createLeadInState, site } from './leads-in-states.ts';
import { answerPageOf, receiptOf } from './receipt-view.ts';

describe('a provider’s offer', async () => {
  const fixture = await openFixture(site);
  const sendAction = (lead: string, name: ProviderAction, body: object) =>
    sendAsProvider({ receiptToken: lead, action: name, actor: 'provider' }, body, fixture.context);

  const readNewestEvent = async () =>
    (await readLeadEvent(String((await fixture.rows('outbox')).at(-1)!['id']), fixture.context))!;

  it('has a price of 0 if it is deliberately free, and above 0 otherwise', async () => {
    const { lead } = await createLeadInState(fixture, 'new');
    const freeOffer = { amount: '0', currency: 'USD', expires: '48h' };
    for (const contradiction of [{}, { amount: '130', free: true }]) {
      const problem = await problemOf(() =>
        sendAction(lead, 'offer', { ...freeOffer, ...contradiction }),
      );
      expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/amount']);
    }
    expect(await sendAction(lead, 'offer', { ...freeOffer, free: true })).toBe('quoted');
  });

  it('ends on the full hour if it was made with a form, unless it is open for hours', async () => {
    fixture.advanceHours(0.4);
    const price = { amount: '130', currency: 'USD' };
    const readHoursOpen = async (channel: 'form' | undefined, expires = '48h') => {
      const { lead } = await createLeadInState(fixture, 'acknowledged');
      await sendAsProvider(
        { receiptToken: lead, action: 'offer', actor: 'provider', channel },
        { ...price, expires },
        fixture.context,
      );
      const offer = (await receiptOf(fixture, lead)).lead.offer!;
      const { timeZone } = site.registry.network;
      return [
        toTimeOfDay(timeZone, new Date(offer.expiresAt)).slice(3),
        Math.floor((Date.parse(offer.expiresAt) - fixture.context.now().getTime()) / 3_600_000),
      ];
    };
    expect(await readHoursOpen('form')).toEqual(['00', 48]);
    expect((await readHoursOpen(undefined))[0]).not.toBe('00');
    const [minute, hours] = await readHoursOpen('form', '2h');
    expect(minute).not.toBe('00');
    expect(hours).toBe(1);
  });

  it.each([
    ['-45', 'negative'],
    ['$-45', 'negative'],
    ['four', 'letters'],
    ['45 pesos', 'letters'],
    ['4.50.00', 'twoDecimalMarks'],
    ['1.200,50', 'twoDecimalMarks'],
    ['1,200,50', 'twoDecimalMarks'],
    ['450,50', 'comma'],
    ['450.505', 'decimals'],
    ['9999999999', 'tooLarge'],
    ['9,999,999,999.00', 'tooLarge'],
  ] as const)(
    'with the price “%s” is refused, and the error names the mistake: %s',
    async (typedPrice, mistake) => {
      const { lead } = await createLeadInState(fixture, 'new');
      const body = { amount: toDecimalAmount(typedPrice, 'USD'), currency: 'USD', expires: '48h' };
      const problem = await problemOf(() => sendAction(lead, 'offer', body));
      expect(problem.errors).toEqual([
        expect.objectContaining({ pointer: '/amount', message: priceMistakes[mistake] }),
      ]);
    },
  );

  it('sets the agreed price when the customer accepts it, but not when the provider confirms first', async () => {
    const { lead } = await createLeadInState(fixture, 'quoted');
    await sendAction(lead, 'confirm', {});
    expect((await receiptOf(fixture, lead)).lead.price).toBeUndefined();
    const { lead: other, offerId } = await createLeadInState(fixture, 'quoted');
    await client(fixture).json(
      '/api/lead/{receipt}/messages',
      { accept: offerId },
      { params: { receipt: other } },
    );
    await sendAction(other, 'confirm', {});
    expect((await receiptOf(fixture, other)).lead.price).toEqual({
      amount: '450.00',
      currency: 'USD',
      offerId,
    });
    // The provider’s confirmation decides, even if acceptance would have confirmed.
    for (const firstActor of ['person', 'provider'] as const) {
      const { lead: third, offerId: id } = await createLeadInState(fixture, 'quoted', {
        confirmOnAccept: true,
      });
      await (firstActor === 'provider'
        ? sendAction(third, 'confirm', {})
        : client(fixture).json(
            '/api/lead/{receipt}/messages',
            { accept: id },
            { params: { receipt: third } },
          ));
      expect((await receiptOf(fixture, third)).lead.price?.offerId).toBe(
        firstActor === 'person' ? id : undefined,
      );
    }
  });

  it('starts with the total shown to the customer, which the email and page repeat', async () => {
    const holdAction = listActions(site).find(({ action }) => action.effect?.kind === 'hold')!;
    const effect = holdAction.action.effect as HoldEffect;
    const fields = {
      [effect.itemField]: itemsOf(site.registry, effect.catalog)[0]!.id,
      [effect.fromField]: '2031-05-06',
      [effect.toField!]: '2031-05-08',
    };
    const lead = await submitLead(fixture.context, holdAction, undefined, fields);
    const total = computeRequestTotal(site.registry, holdAction.action, fields)!;
    const readNewestMail = async () => {
      const events = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
      const event = (await readLeadEvent(String(events.at(-1)!['id']), fixture.context))!;
      const terms = shownTermsOf(await readLog(lead, fixture.context), fixture.context.now(), site);
      return { event, text: renderMail(event, site, terms).text };
    };
    const status = async () => (await receiptOf(fixture, lead)).lead;
    expect((await status()).price).toEqual({
      amount: total.amount,
      tax: '7.35',
      total: '112.35',
      currency: total.currency,
      deposit: total.depositAmount,
      terms: expect.stringContaining('Sales tax (7 percent) is added.'),
    });
    const { event, text } = await readNewestMail();
    expect(text).toContain(total.price);
    // Values that the form itself fills in are not repeated.
    for (const [name, { known, label }] of Object.entries(holdAction.action.fields))
      if (known !== undefined && event.lead.fields[name] === known)
        expect(text).not.toContain(`${label}: ${known}`);
    const page = await answerPageOf(fixture, event.links.offer!);
    expect(page.lead.terms.total?.amount).toBe(total.amount);

    const description = 'Tax included, no deposit';
    const publishedTerms = `${withDollarSigns(total.notes!)} Deposit: ${total.deposit}, refundable.`;
    await sendAction(lead, 'offer', {
      amount: '110',
      currency: 'USD',
      description,
      expires: '48h',
    });
    expect((await readNewestMail()).text.split('\nANSWER\n')[0]).not.toContain(total.price);
    expect((await status()).price).toBeUndefined();
    expect((await status()).offer).toMatchObject({ description, publishedTerms });
    expect((await receiptOf(fixture, lead)).publishedPrice).toContain(total.price);
    const { offerId } = (await readLog(lead, fixture.context)).entries.at(-1)!.offer!;
    await client(fixture).json(
      '/api/lead/{receipt}/messages',
      { accept: offerId },
      { params: { receipt: lead } },
    );
    await sendAction(lead, 'confirm', {});
    expect((await receiptOf(fixture, lead)).publishedPrice).toBeUndefined();
    expect((await readNewestMail()).text).toContain('$110');
    expect((await status()).price).toEqual({
      amount: '110.00',
      tax: '7.70',
      total: '117.70',
      currency: 'USD',
      offerId,
      description,
      publishedTerms,
    });
  });

  it('can be to pay the customer, and says so to both sides everywhere', async () => {
    const buyingAction = listActions(site).find(({ action }) => action.providerMayPay)!;
    const lead = await submitLead(fixture.context, buyingAction);
    const readNewestEvent = async () => {
      const events = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
      const event = (await readLeadEvent(String(events.at(-1)!['id']), fixture.context))!;
      const log = await readLog(lead, fixture.context);
      const terms = shownTermsOf(log, fixture.context.now(), site);
      return { event, log, terms, mail: renderMail(event, site, terms).text };
    };
    const { links } = (await readNewestEvent()).event;
    const path = new URL(links.offer!).pathname;
    const { form, json } = client(fixture);
    const inputs = { payer: 'provider', currency: 'USD', expires: '48h', text: '' };
    expect((await answerPageOf(fixture, links.offer!)).lead.terms.providerMayPay).toBe(true);
    for (const [fault, more] of [
      ['amount', { amount: '0', free: 'yes' }],
      ['payer', { amount: '450', payer: 'nobody' }],
    ] as const)
      expect(await (await form(path, { ...inputs, ...more })).json()).toMatchObject({
        faults: { [fault]: expect.any(String) },
      });
    expect((await form(path, { ...inputs, amount: '450' })).status).toBe(303);
    expect((await answerPageOf(fixture, links.offer!)).lead.offered).toContain(
      'Your offer: $450, paid to the customer.',
    );
    const price = { amount: '450.00', currency: 'USD', payer: 'provider' };
    const offered = await receiptOf(fixture, lead);
    expect(offered.lead.offer).toMatchObject(price);
    expect(renderOpenOffer(offered.lead.offer!)[0]).toContain(
      'Offer: 450.00 USD, which the provider pays to the person.',
    );
    const { event, log, terms, mail } = await readNewestEvent();
    expect(event.change?.offer).toMatchObject(price);
    expect(mail).toContain('Price: you pay the customer $450');
    expect(latestOfferInputsOf(log)).toMatchObject({ payer: 'provider' });
    expect(renderPersonMail('offer', event, log, { site }).text).toContain(
      'Price: you receive $450\n',
    );
    expect(
      Object.fromEntries(describeTerms(terms, { registry: site.registry })),
    ).not.toHaveProperty('Published price');
    const { offerId } = offered.lead.offer!;
    const params = { receipt: lead };
    await json('/api/lead/{receipt}/messages', { accept: offerId }, { params });
    expect((await receiptOf(fixture, lead)).lead.price).toMatchObject({ ...price, offerId });
    expect(describeConfirmation((await readNewestEvent()).terms, 'confirming')).toContain(
      'Confirms the accepted offer: $450, paid to the customer.',
    );
    await json('/api/lead/{receipt}/messages', { withdraw: true }, { params });
    expect((await receiptOf(fixture, lead)).previousAgreement?.prices).toEqual({
      person: '$450, paid to you',
      provider: '$450, paid to the customer',
    });
  });

  it('is monthly on both sides if the service publishes only monthly prices', async () => {
    const isMonthly = ({ subsite }: { subsite: Subsite }) => isPricedByMonth(subsite);
    const monthlyAction = listActions(site).find(isMonthly)!;
    const lead = await submitLead(fixture.context, monthlyAction);
    const form = await answerPageOf(fixture, (await readNewestEvent()).links.offer!);
    expect(priceLabelOf(form.lead.terms)).toBe('Monthly price that the customer pays');
    const price = { amount: '29.00', currency: 'USD', expires: '48h' };
    await sendAction(lead, 'offer', price);
    const { offer } = (await receiptOf(fixture, lead)).lead;
    expect(offer).toMatchObject({ amount: '29.00', per: 'month' });
    expect(renderOpenOffer(offer!)[0]).toMatch(/^Offer: 29\.00 USD.* per month/);
    expect(formatPriceWithPayer(offer!, 'person')).toBe('you pay $29 a month');
    const event = await readNewestEvent();
    const log = await readLog(lead, fixture.context);
    expect(renderPersonMail('offer', event, log, { site }).text).toContain(
      'Price: you pay $29 a month\n',
    );
    await client(fixture).json(
      '/api/lead/{receipt}/messages',
      { accept: offer!.offerId },
      { params: { receipt: lead } },
    );
    expect((await receiptOf(fixture, lead)).lead.price).toMatchObject({ per: 'month' });
    const other = listActions(site).find(
      ({ subsite, action }) => action.purpose === undefined && !isPricedByMonth(subsite),
    )!;
    const oneTimeLead = await submitLead(fixture.context, other);
    await sendAction(oneTimeLead, 'offer', price);
    expect((await receiptOf(fixture, oneTimeLead)).lead.offer).not.toHaveProperty('per');
  });

  it.each(listActions(site).filter(({ action }) => action.salesTaxPercent !== undefined))(
    'has the sales tax and the total in every channel, for $label',
    async (verb) => {
      const lead = await submitLead(fixture.context, verb);
      await sendAction(lead, 'offer', { amount: '150', currency: 'USD', expires: '48h' });
      const { tax, total } = computeTax('150', verb.action.salesTaxPercent);
      const { offer } = (await receiptOf(fixture, lead)).lead;
      expect(offer).toMatchObject({ amount: '150.00', tax, total });
      expect(renderOpenOffer(offer!)[0]).toContain(
        `Offer: 150.00 USD plus ${tax} USD sales tax = ${total} USD`,
      );
      const mail = renderPersonMail(
        'offer',
        await readNewestEvent(),
        await readLog(lead, fixture.context),
        { site },
      ).text;
      expect(mail).toContain(`Price: you pay $150 plus $${tax} sales tax = $${total}`);
    },
  );

  it('adds no sales tax and no published terms to what the customer receives', async () => {
    const holdAction = listActions(site).find(({ action }) => action.effect?.kind === 'hold')!;
    const effect = holdAction.action.effect as HoldEffect;
    const lead = await submitLead(fixture.context, holdAction, undefined, {
      [effect.itemField]: itemsOf(site.registry, effect.catalog)[0]!.id,
      [effect.fromField]: '2031-07-06',
      [effect.toField]: '2031-07-06',
    });
    await sendAction(lead, 'offer', {
      amount: '5',
      currency: 'USD',
      payer: 'provider',
      expires: '48h',
    });
    const { offer } = (await receiptOf(fixture, lead)).lead;
    expect(formatPriceWithPayer(offer!, 'person', holdAction.action.salesTaxPercent)).toBe(
      'you receive $5',
    );
    expect(offer!.publishedTerms).not.toContain('tax');
  });

  it.each([
    // The service is open Monday to Saturday, 9 am to 6 pm in New York; June 7 is a Saturday.
    [{ hasEmail: true }, '2031-06-06T22:00:00Z', '48h'],
    [{ hasEmail: false }, '2031-06-04T14:00:00Z', '48h'],
    [{ hasEmail: false }, '2031-06-07T21:00:00Z', '7d'],
    [{ hasEmail: true, mustBeCalled: true }, '2031-06-07T21:00:00Z', '7d'],
    [{ hasEmail: false, isEmergency: true }, '2031-06-07T21:00:00Z', '2h'],
  ])('is open long enough for a customer with %o at %s', async (contact, at, expires) => {
    const { lead } = await createLeadInState(fixture, 'new');
    const log = await readLog(lead, fixture.context);
    const inputs = createOfferInputs(
      { ...log, isEmergency: false, ...contact, subsite: 'estate' },
      new Date(at),
      site.registry,
    );
    expect(inputs['expires']).toBe(expires);
  });

  /** A request that holds the first item on June 6, 2031, and the path of the link for an offer. */
  async function createHold() {
    const holdAction = listActions(site).find(({ action }) => action.effect?.kind === 'hold')!;
    const effect = holdAction.action.effect as HoldEffect;
    const [item] = itemsOf(site.registry, effect.catalog);
    const lead = await submitLead(fixture.context, holdAction, undefined, {
      [effect.itemField]: item!.id,
      [effect.fromField]: '2031-06-06',
      [effect.toField!]: '2031-06-06',
    });
    const event = (await fixture.rows('outbox')).find((row) => row['lead'] === lead)!;
    const { links } = (await readLeadEvent(String(event['id']), fixture.context))!;
    return { item: item!, path: new URL(links.offer!).pathname };
  }

  it('is sent with an unlikely price only after a confirmation', async () => {
    const { item, path } = await createHold();
    const { form, get } = client(fixture);
    const published = item.price!.amount;
    const days = { from: '2031-06-06', to: '2031-06-06' };
    const inputs = { ...days, currency: 'USD', expires: '48h', text: '' };
    for (const amount of [published * 2 + 1, published / 2 - 1].map(String)) {
      const refusal = await form(path, { ...inputs, amount });
      expect(refusal.status).toBe(400);
      const { faults } = (await refusal.json()) as { faults: Record<string, string> };
      expect(faults).toEqual({ checkedAmount: expect.stringContaining(`= $${published}`) });
      const secondResponse = await form(path, { ...inputs, amount, checkedAmount: '9' });
      expect(secondResponse.status).toBe(400);
    }
    for (const [contradiction, fault] of [
      [{ amount: '0' }, /check “Free of charge: the price is 0”/],
      [{ amount: '129', free: 'yes' }, /^You checked “Free of charge: the price is 0”/],
    ] as const) {
      const refused = await form(path, { ...inputs, ...contradiction });
      expect(await refused.json()).toMatchObject({
        faults: { amount: expect.stringMatching(fault) },
      });
    }
    for (const amount of ['', '0']) {
      const unconfirmedResponse = await form(path, { ...inputs, amount, free: 'yes' });
      expect(await unconfirmedResponse.json()).toMatchObject({
        faults: { checkedAmount: expect.stringContaining(`= $${published}`) },
      });
    }
    const amount = String(published * 100);
    expect((await form(path, { ...inputs, amount, checkedAmount: amount })).status).toBe(303);
    const page = (await (await get(path, {})).json()) as { lead: { offered: string } };
    expect(page.lead.offered).toMatch(
      new RegExp(
        `^Your offer: \\$[\\d,]+ plus \\$[\\d,.]+ sales tax = \\$[\\d,.]+, and a refundable deposit of \\$\\d+\\. .* Published price .*= \\$${published}, \\$[\\d.]+ with sales tax\\.$`,
      ),
    );
  });

  it('for other days than requested is sent with another than their published price only after a confirmation', async () => {
    const { item, path } = await createHold();
    const { form } = client(fixture);
    const amount = String(item.price!.amount);
    const values = {
      ...{ from: '2031-06-05', to: '2031-06-06', amount },
      ...{ currency: 'USD', expires: '48h', text: 'Soon.' },
    };
    expect(await (await form(path, values)).json()).toMatchObject({
      faults: {
        checkedAmount: expect.stringMatching(/^The published price of .*, and you entered/),
      },
      formValues: values,
    });
    expect((await form(path, { ...values, checkedAmount: amount })).status).toBe(303);
  });

  it('is sent with a price far from those of the service, or a large sum, only after a confirmation', async () => {
    const { form } = client(fixture);
    const listed = listActions(site).flatMap((verb) => {
      const [price] = listPricesFor(verb.subsite, {}).length ? (verb.subsite.pricing ?? []) : [];
      const isPlain =
        verb.action.purpose === undefined && !verb.action.effect && !verb.action.providerMayPay;
      return isPlain && price && price.amount > 0 && !price.extra && !price.for
        ? [{ verb, prices: verb.subsite.pricing! }]
        : [];
    });
    const unlisted = listActions(site).find(
      ({ subsite, action }) => !subsite.pricing?.length && !action.effect && !action.purpose,
    );
    const cases = [
      ...listed.slice(0, 1).flatMap(({ verb, prices }) => {
        const amounts = prices.flatMap(({ amount, extra }) =>
          amount > 0 && !extra ? [amount] : [],
        );
        return [
          { verb, amount: Math.max(...amounts) * 10 + 1, ratio: /^\$.* more than ten times / },
          {
            verb,
            amount: Math.floor((Math.min(...amounts) / 10) * 99) / 100,
            ratio: /less than a tenth/,
          },
        ];
      }),
      ...(unlisted ? [{ verb: unlisted, amount: 100_001, ratio: /is a large sum/ }] : []),
    ];
    expect(cases.length).toBeGreaterThan(1);
    for (const { verb, amount, ratio } of cases) {
      const lead = await submitLead(fixture.context, verb, undefined, {});
      const event = (await fixture.rows('outbox')).find((row) => row['lead'] === lead)!;
      const { links } = (await readLeadEvent(String(event['id']), fixture.context))!;
      const path = new URL(links.offer!).pathname;
      const values = { amount: String(amount), currency: 'USD', expires: '48h', text: 'Soon.' };
      const refused = await form(path, values);
      expect(await refused.json()).toMatchObject({
        faults: { checkedAmount: expect.stringMatching(ratio) },
        formValues: values,
      });
      expect((await readLog(lead, fixture.context)).entries).toHaveLength(1);
      expect((await form(path, { ...values, checkedAmount: values.amount })).status).toBe(303);
    }
  });

  it('of a service that takes a commission keeps its published prices, even if it is free of charge', async () => {
    const verb = listActions(site).find(
      ({ subsite, action }) => subsite.commission !== undefined && action.visitField !== undefined,
    )!;
    const prices = listPricesFor(verb.subsite, {}).map(({ price }) => price);
    expect(prices.length).toBeGreaterThan(1);
    const lead = await submitLead(fixture.context, verb, { email: 'dana@example.com' }, {});
    await sendAction(lead, 'offer', { amount: '0', free: true, currency: 'USD', expires: '48h' });
    const { offer } = (await receiptOf(fixture, lead)).lead;
    for (const price of prices) expect(offer!.publishedTerms).toContain(price);
    await client(fixture).json(
      '/api/lead/{receipt}/messages',
      { accept: offer!.offerId },
      { params: { receipt: lead } },
    );
    await sendAction(lead, 'confirm', { text: 'See you tomorrow at 3 pm.' });
    const { price } = (await receiptOf(fixture, lead)).lead;
    for (const one of prices) expect(price!.publishedTerms).toContain(one);
    await sendAction(lead, 'decline', { text: 'We are closed.' });
    const bought = await submitLead(fixture.context, verb, undefined, {});
    const payment = { amount: '900', payer: 'provider', currency: 'USD', expires: '48h' };
    await sendAction(bought, 'offer', payment);
    expect((await receiptOf(fixture, bought)).lead.offer!.publishedTerms).toBeUndefined();
  });

  it('made through a link is shown with the time of use on every later view', async () => {
    const { lead } = await createLeadInState(fixture, 'new');
    const [first] = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
    const { links } = (await readLeadEvent(String(first!['id']), fixture.context))!;
    const path = new URL(links.confirm!).pathname;
    const { json, form, get } = client(fixture);
    const sent = await form(path, { text: 'See you.' });
    expect(sent.status).toBe(303);
    const shown = await (await get(sent.headers.get('location')!, {})).json();
    expect(shown).toMatchObject({ isAnswerJustSent: true, lead: { link: 'used' } });
    const page = async () => (await answerPageOf(fixture, links.confirm!)).lead;
    const reopenedPage = await answerPageOf(fixture, links.confirm!);
    expect(reopenedPage).toMatchObject({
      isAnswerJustSent: false,
      lead: { answeredAt: expect.any(String) },
    });
    await json('/api/lead/{receipt}/messages', { withdraw: true }, { params: { receipt: lead } });
    expect(await page()).toMatchObject({ link: 'used', answeredAt: expect.any(String) });
  });
});
