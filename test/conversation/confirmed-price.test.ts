import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { ProviderAction } from '../../src/leads/conversation/conversation.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { topicOf } from '../../src/leads/deliveries/person/person-mail-topic.ts';
import { renderPersonMail } from '../../src/leads/deliveries/person/person-mail-text.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { answerAsProvider, sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { statusOf } from '../../src/leads/status/lead-status.ts';
import { shownTermsOf } from '../../src/leads/status/shown-terms.ts';
import type { HoldEffect } from '../../src/registry/schemas/action.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { computeRequestTotal } from '../../src/site/prices/rental.ts';
import { withDollarSigns } from '../../src/site/words/words.ts';
import { listPossiblePrices, type PriceText } from '../../src/site/words/record-words.ts';
import { formatOfferedPrice } from '../../src/site/words/offer-words.ts';
import { capture, submitLead } from '../deliveries/setup/drain.ts';
import { openFixture, withItems } from '../operations/setup/fixture.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { listActions } from '../operations/setup/actions.ts';
import { client } from '../transports/setup/send.ts';
import { createLeadInState, makeOffer, site } from './leads-in-states.ts';
import { answerPageOf, receiptOf } from './receipt-view.ts';

const fixture = await openFixture(site);
const { context } = fixture;
const { json } = client(fixture);
const holdAction = listActions(site).find(
  ({ action: { effect } }) =>
    effect?.kind === 'hold' && itemsOf(site.registry, effect.catalog)[0]?.price?.notes,
)!;
const effect = holdAction.action.effect as HoldEffect;
const item = itemsOf(site.registry, effect.catalog)[0]!;
const notes = withDollarSigns(item.price!.notes!);
const fields = {
  [effect.itemField]: item.id,
  [effect.fromField]: '2031-05-06',
  [effect.toField!]: '2031-05-06',
};
const published = computeRequestTotal(site.registry, holdAction.action, fields)!;
const nextDay = { day: 6 };

/** Submits a request for a new day, because an item can be held only once per day. */
const submitRequest = () => {
  const day = `2031-05-${String(nextDay.day++).padStart(2, '0')}`;
  return submitLead(context, holdAction, undefined, {
    ...fields,
    [effect.fromField]: day,
    [effect.toField!]: day,
  });
};
const sendAction = (lead: string, name: ProviderAction, body: object = {}) =>
  sendAsProvider({ receiptToken: lead, action: name, actor: 'provider' }, body, context);
const send = (lead: string, body: object) =>
  json('/api/lead/{receipt}/messages', body, { params: { receipt: lead } });

/** The newest email to each side about a lead, with its links. */
async function renderNewestMails(lead: string) {
  const events = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
  const event = (await readLeadEvent(String(events.at(-1)!['id']), context))!;
  const log = await readLog(lead, context);
  const news = topicOf(event);
  return {
    provider: renderMail(event, site, shownTermsOf(log, context.now(), site)).text,
    person: news && renderPersonMail(news, event, log, { site }).text,
    links: event.links,
  };
}

const pageAt = (url: string) => answerPageOf(fixture, url);

const publishedPrice = `${published.price}, ${published.withTax} with sales tax`;
const offeredPrice = formatOfferedPrice(
  { amount: '41', currency: 'USD', deposit: published.depositAmount },
  'person',
  holdAction.action.salesTaxPercent,
);

/** The price of the offer if its description may change the deposit. */
const describedPrice = formatOfferedPrice(
  { amount: '41', currency: 'USD' },
  'person',
  holdAction.action.salesTaxPercent,
);

describe('a confirmation while an offer is open', () => {
  const booking = `${item.title}, Tuesday, May 6, 2031`;
  const confirmationNote = `Books ${booking}. Confirms at the published price: ${publishedPrice}. The open offer (${offeredPrice}) then ends without being accepted. If the customer accepted it by phone, check “The customer accepted this offer by phone”.`;
  const endedNotice = `The offer (${offeredPrice}) was not accepted and has ended. The published price applies: ${publishedPrice}.`;

  it('shows its price beforehand, and both sides learn afterward that the offer ended', async () => {
    const lead = await submitRequest();
    const mailsBefore = await renderNewestMails(lead);
    const noteWithoutOffer = `Books ${booking}. Confirms at the published price: ${publishedPrice}.`;
    expect(mailsBefore.provider).toContain(`Confirm:\n${noteWithoutOffer}\nhttp`);
    expect((await pageAt(mailsBefore.links.confirm!)).confirmationText).toBe(noteWithoutOffer);

    const offer = await makeOffer(fixture, lead, { amount: '41.00' });
    const { provider, links } = await renderNewestMails(lead);
    expect(provider).toContain(`Confirm:\n${confirmationNote}\nhttp`);
    expect((await pageAt(links.confirm!)).confirmationText).toBe(confirmationNote);

    const answer = (await (await json(new URL(links.confirm!).pathname, {})).json()) as any;
    const confirmation = `Booked: ${booking}. The request is confirmed at the published price: ${publishedPrice}. The open offer (${offeredPrice}) has ended.`;
    const price = expect.objectContaining({ amount: published.amount });
    expect(answer).toEqual({ status: 'confirmed', price, endedOffer: offer, says: confirmation });
    expect((await pageAt(links.confirm!)).confirmationText).toBe(confirmation);

    const mails = await renderNewestMails(lead);
    expect(mails.provider.replaceAll('\n', ' ')).toContain(
      `You confirmed the request. ${confirmation}`,
    );
    expect(mails.person).toContain(` request is confirmed.\n${endedNotice}\n`);
    expect(mails.person).toContain(`Price: ${published.price}`);
    const receipt = await receiptOf(fixture, lead);
    expect(receipt.endedOfferText).toBe(endedNotice);
    expect(receipt.lead.price?.amount).toBe(published.amount);
    expect(receipt.lead.notice).toContain('confirmed this request at the published price');
    const lateAnswer = (await (await send(lead, { accept: offer })).json()) as any;
    expect(lateAnswer.detail).toContain('the provider confirmed the request without it');
  });

  it('says that there is no price if no price is published', async () => {
    const { lead } = await createLeadInState(fixture, 'quoted');
    const { provider } = await renderNewestMails(lead);
    expect(provider).toContain(
      'Confirms without a price. The open offer ($450) then ends without being accepted. If the customer accepted it by phone, check “The customer accepted this offer by phone”.',
    );
    const message = { receiptToken: lead, action: 'confirm', actor: 'operator' } as const;
    const outcome = await answerAsProvider(message, {}, context);
    expect(outcome).toMatchObject({ status: 'confirmed', endedOffer: expect.any(String) });
    expect(outcome).not.toHaveProperty('price');
    const receipt = await receiptOf(fixture, lead);
    expect(receipt.endedOfferText).toContain('There is no agreed price; ask');
    expect(receipt.lead.notice).toContain('confirmed this request without a price');
  });

  it('has the published price of the service if it is the only one', async () => {
    const priced = (count: (length: number) => boolean) =>
      listActions(site).find(
        ({ subsite, action }) =>
          !action.purpose &&
          !action.effect &&
          count(listPossiblePrices(subsite, action, {}).length),
      )!;
    const confirm = { action: 'confirm', actor: 'operator' } as const;
    const ended = 'The offer ($450) was not accepted and has ended.';
    const single = priced((length) => length === 1);
    const [{ price }] = listPossiblePrices(single.subsite, single.action, {}) as [PriceText];
    const lead = await submitLead(context, single);
    expect((await renderNewestMails(lead)).provider).toContain(
      `Confirms at the published price: ${price}.`,
    );
    await makeOffer(fixture, lead);
    const { says } = await answerAsProvider({ ...confirm, receiptToken: lead }, {}, context);
    expect(says).toContain(
      `The request is confirmed at the published price: ${price}. The open offer ($450) has ended.`,
    );
    const endedText = `${ended} The published price applies: ${price}.`;
    expect((await renderNewestMails(lead)).person).toContain(endedText);
    const receipt = await receiptOf(fixture, lead);
    expect(receipt.endedOfferText).toBe(endedText);
    expect(receipt.lead.notice).toContain('confirmed this request at the published price');
    await answerAsProvider({ ...confirm, receiptToken: lead }, { text: 'Noon, $400.' }, context);
    expect((await receiptOf(fixture, lead)).endedOfferText).toMatch(/, unless the message from /);

    // Several prices are alternatives, or are added up; which apply is for the provider to say.
    const listed = priced((length) => length > 1);
    const other = await submitLead(context, listed);
    expect((await renderNewestMails(other)).provider).not.toContain('at the published price');
    await makeOffer(fixture, other);
    const outcome = await answerAsProvider({ ...confirm, receiptToken: other }, {}, context);
    expect(outcome.says).toContain('The request is confirmed without a price. The open offer');
    const { person } = await renderNewestMails(other);
    expect(person).toContain(`${ended} There is no agreed price; ask `);
    const { endedOfferText, lead: status, receiptPrices } = await receiptOf(fixture, other);
    expect(endedOfferText).toContain(`${ended} There is no agreed price; ask `);
    expect(receiptPrices).toHaveLength(
      listPossiblePrices(listed.subsite, listed.action, {}).length,
    );
    for (const one of receiptPrices!) expect(person).toContain(`- ${one.price}.`);
    expect(status.notice).toContain('confirmed this request without a price');
  });

  it('has its sales tax and total as numbers, like the offer before it', async () => {
    const lead = await submitRequest();
    const priceOf = async () => statusOf(await readLog(lead, context), context.now(), site);
    const percent = holdAction.action.salesTaxPercent!;
    const taxed = (amount: number) => ({
      amount: amount.toFixed(2),
      tax: ((amount * percent) / 100).toFixed(2),
      total: (amount * (1 + percent / 100)).toFixed(2),
    });
    expect((await priceOf()).price).toMatchObject(taxed(Number(published.amount)));
    const offerId = await makeOffer(fixture, lead, { amount: '41.00' });
    const { offer, price, messages } = await priceOf();
    expect([offer, price]).toEqual([expect.objectContaining(taxed(41)), undefined]);
    expect(messages.at(-1)!.offer).not.toHaveProperty('tax');
    await send(lead, { accept: offerId });
    expect((await priceOf()).price).toMatchObject(taxed(41));
    const freeLead = await submitRequest();
    await makeOffer(fixture, freeLead, { amount: '0' });
    expect(
      statusOf(await readLog(freeLead, context), context.now(), site).offer,
    ).not.toHaveProperty('tax');
  });

  it('has the price and text of an offer that the customer accepted by phone', async () => {
    const lead = await submitRequest();
    const refused = await problemOf(() => sendAction(lead, 'confirm', { accepted: true }));
    expect(refused.errors).toMatchObject([{ pointer: '/accepted' }]);
    const description = 'With straps.';
    const offerId = await makeOffer(fixture, lead, { amount: '41.00', description });
    const message = { receiptToken: lead, action: 'confirm', actor: 'operator' } as const;
    const outcome = await answerAsProvider(message, { accepted: true }, context);
    expect(outcome).toMatchObject({ status: 'confirmed', price: { offerId, amount: '41.00' } });
    expect(outcome).not.toHaveProperty('endedOffer');
    expect(outcome.says).toContain(`The request is confirmed as offered: ${describedPrice}.`);
    // There is nothing left to accept, so this must not become a change to what was confirmed.
    const again = { accepted: true, text: 'At noon.' };
    expect((await problemOf(() => sendAction(lead, 'confirm', again))).errors).toMatchObject([
      { pointer: '/accepted' },
    ]);
    // A message from the customer changes neither the price nor the agreement.
    await send(lead, { text: 'Thanks!' });
    const receipt = await receiptOf(fixture, lead);
    expect(receipt.lead.price).toMatchObject({ offerId, description });
    expect(receipt.agreement?.description).toBe(description);
    expect(receipt.endedOfferText).toBeUndefined();
    await send(lead, { withdraw: true });
    expect((await receiptOf(fixture, lead)).previousAgreement?.prices.person).toBe(describedPrice);
  });

  it('does not take an ended offer for accepted once the customer writes', async () => {
    const lead = await submitRequest();
    await makeOffer(fixture, lead, { amount: '41.00' });
    await sendAction(lead, 'confirm');
    await send(lead, { text: 'Thanks!' });
    const receipt = await receiptOf(fixture, lead);
    expect(receipt.lead.price?.amount).toBe(published.amount);
    expect(receipt.endedOfferText).toBe(endedNotice);
  });

  it('does not mention an offer that was accepted, declined or expired', async () => {
    const lead = await submitRequest();
    const offer = await makeOffer(fixture, lead, { amount: '41.00' });
    await send(lead, { accept: offer });
    expect((await renderNewestMails(lead)).provider).toContain(
      `Confirms the accepted offer: ${offeredPrice}.`,
    );
    await sendAction(lead, 'confirm');
    expect((await renderNewestMails(lead)).provider).toContain(
      `The request is confirmed as offered: ${offeredPrice}.`,
    );
    const declined = await submitRequest();
    await send(declined, { decline: await makeOffer(fixture, declined) });
    const expired = await submitRequest();
    await makeOffer(fixture, expired, { expiresAt: context.now().toISOString() });
    for (const other of [lead, declined, expired]) {
      if (other !== lead) await sendAction(other, 'confirm');
      const { person } = await renderNewestMails(other);
      expect(person).not.toContain('has ended');
      expect((await receiptOf(fixture, other)).endedOfferText).toBeUndefined();
    }
  });

  it('is not sent from a page that shows another price', async () => {
    const lead = await submitRequest();
    const offer = await makeOffer(fixture, lead, { amount: '41.00' });
    const { length } = (await readLog(lead, context)).entries;
    await send(lead, { accept: offer });
    const message = {
      receiptToken: lead,
      action: 'confirm',
      actor: 'provider',
      from: 'page',
    } as const;
    const problem = await problemOf(() =>
      sendAsProvider({ ...message, revision: length }, {}, context),
    );
    expect(problem.code).toBe('conflict');
    expect(problem.message).toContain('while you had this page open');
    const offered = { amount: '41', currency: 'USD', expires: '48h' };
    const refused = await problemOf(() =>
      sendAsProvider({ ...message, action: 'offer' }, offered, context),
    );
    expect(refused.message).toContain('cannot be answered with “Send an offer”.');
    expect(refused.message).toContain('“Confirm”, “Decline”, “Write to the customer”.');
  });
});

describe('the published terms of a price', () => {
  it('are shown with every price, including an offer’s price', async () => {
    const lead = await submitRequest();
    // The total with sales tax leaves nothing for the notes to add.
    const first = (await renderNewestMails(lead)).person;
    expect(first).toContain('Price with sales tax: ');
    expect(first).not.toContain('Sales tax (7 percent)');
    const offer = await makeOffer(fixture, lead, { amount: '41.00' });
    const terms = `${notes} Deposit: ${published.deposit}, refundable.`;
    const publishedTerms = `Published terms, unless the offer changes them: ${terms}`;
    const open = await renderNewestMails(lead);
    expect(open.person).toContain(publishedTerms);
    expect(open.provider).toContain(notes);
    expect((await pageAt(open.links.offer!)).lead.terms.publishedTerms).toBe(terms);
    await send(lead, { accept: offer });
    await sendAction(lead, 'confirm');
    const { person, provider } = await renderNewestMails(lead);
    // The provider wrote nothing that could change them.
    expect(person).toContain(`\nPublished terms: ${terms}\n`);
    expect(person).not.toMatch(/^Deposit/m);
    expect(provider).toContain('Published terms, unless the offer changes them');
    expect((await receiptOf(fixture, lead)).item?.notes).toBe(notes);
  });
});

describe('an agreed price', () => {
  it.each([true, false])(
    'is still shown after a withdrawal (agreed by an offer: %s)',
    async (offered) => {
      const lead = await submitRequest();
      if (offered)
        await send(lead, { accept: await makeOffer(fixture, lead, { amount: '41.00' }) });
      await sendAction(lead, 'confirm');
      await send(lead, { withdraw: true });
      const { previousAgreement, lead: status } = await receiptOf(fixture, lead);
      const price = offered ? offeredPrice : publishedPrice;
      expect(previousAgreement?.prices.person).toBe(price);
      expect(status.price).toBeUndefined();
      const { person, provider } = await renderNewestMails(lead);
      expect(person).toContain(`Previously agreed price: ${price}`);
      expect(provider).toContain('Previously agreed price');
    },
  );

  it('is not shown if no price was agreed on', async () => {
    const lead = await submitRequest();
    await makeOffer(fixture, lead);
    await send(lead, { withdraw: true });
    expect((await receiptOf(fixture, lead)).previousAgreement).toBeUndefined();
  });
});

describe('a confirmation of a request that holds nothing', () => {
  /**
   * The text about a confirmation in the email about a new request and on the page that its link
   * opens.
   */
  async function readExplanations(lead: string): Promise<string[]> {
    const { provider, links } = await renderNewestMails(lead);
    const { confirmationText } = await pageAt(links.confirm!);
    return [provider.replaceAll(/\s+/g, ' '), String(confirmationText)];
  }

  it('explains that nothing is booked, and how to answer a question', async () => {
    for (const text of await readExplanations(
      await capture(context, holdAction.subsite.leadSource),
    ))
      expect(text).toContain('This books nothing and sets no price');
    for (const text of await readExplanations(await submitRequest()))
      expect(text).not.toContain('This books nothing');
  });

  it('asks for the time of a visit', async () => {
    const visit = listActions(site).find(({ action }) => action.visitField !== undefined)!;
    for (const text of await readExplanations(await submitLead(context, visit))) {
      expect(text).toContain('Say in your message when you will come.');
      expect(text).not.toContain('This books nothing');
    }
  });
});

describe('a release with another price', () => {
  /** The service after a release in which the item has a different price, or is gone. */
  const release = (price: object | undefined) => {
    const changed = itemsOf(site.registry, effect.catalog).flatMap((other) =>
      other !== item ? [other] : price ? [{ ...item, price: { ...item.price!, ...price } }] : [],
    );
    return { ...context, site: withItems(site, effect.catalog, changed) };
  };
  const readState = async (lead: string, { site: releasedSite }: typeof context = context) =>
    statusOf(await readLog(lead, context), context.now(), releasedSite);

  it.each([
    ['dearer', { amount: item.price!.amount + 10, notes: 'Only on Mondays.' }],
    ['gone', undefined],
  ])('leaves the price of a request as it was promised when the item is %s', async (_, price) => {
    const releasedContext = release(price);
    const lead = await submitRequest();
    const before = await readState(lead);
    expect(before.price).toMatchObject({ amount: published.amount, terms: notes });
    expect(await readState(lead, releasedContext)).toEqual(before);
    await sendAction(lead, 'confirm');
    expect((await readState(lead, releasedContext)).price).toEqual(before.price);
    const log = await readLog(lead, context);
    expect(shownTermsOf(log, context.now(), releasedContext.site)).toMatchObject({
      priceIfConfirmed: publishedPrice,
      booking: expect.stringContaining(item.title) as string,
    });
  });

  it('applies to new requests, and to the item and days of an offer accepted since', async () => {
    const amount = item.price!.amount + 10;
    const releasedSite = release({ amount, notes: 'Only on Mondays.' });
    const lead = await submitRequest();
    const day = `2031-05-${String(nextDay.day++).padStart(2, '0')}`;
    await sendAsProvider(
      { receiptToken: lead, action: 'offer', actor: 'provider' },
      { amount: '41', currency: 'USD', expires: '24h', from: day, to: day },
      releasedSite,
    );
    const { offer } = (await readLog(lead, context)).entries.at(-1)!;
    const message = sendMessage.parse({ receipt: lead, accept: offer!.offerId }, releasedSite);
    await sendMessage.handle(message, { channel: 'json' }, releasedSite);
    expect((await readState(lead)).price?.publishedTerms).toContain('Only on Mondays.');
    const newLead = await submitLead(releasedSite, holdAction, undefined, {
      ...fields,
      [effect.fromField]: '2031-06-02',
      [effect.toField!]: '2031-06-02',
    });
    expect((await readState(newLead)).price?.amount).toBe(amount.toFixed(2));
  });

  it('does not give a price to a request whose terms are not stored', async () => {
    const lead = await submitRequest();
    await fixture.database.writer.run(sql`update leads set terms = null where token = ${lead}`);
    const releasedSite = release({ amount: item.price!.amount + 10 });
    expect(await readState(lead, releasedSite)).not.toHaveProperty('price');
  });
});
