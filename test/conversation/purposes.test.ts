import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { readAnswerableLead } from '../../src/leads/conversation/answer-lead.ts';
import type { ProviderAction } from '../../src/leads/conversation/conversation.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { topicOf } from '../../src/leads/deliveries/person/person-mail-topic.ts';
import { renderPersonMail } from '../../src/leads/deliveries/person/person-mail-text.ts';
import type { NotMeView, ReceiptView } from '../../src/http/views.ts';
import { receivesMail } from '../../src/leads/deliveries/person/stop-mail.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { findService } from '../../src/leads/find-service.ts';
import { createSubsiteDetails } from '../../src/mcp/subsite-views.ts';
import { expireLeads } from '../../src/leads/expire-leads.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { shownTermsOf } from '../../src/leads/status/shown-terms.ts';
import { DAYS_INPUT, DESIRED_DAYS_INPUT } from '../../src/site/forms/form-inputs.ts';
import { addDays, toDateInTimeZone } from '../../src/site/calendar/days.ts';
import { itemFieldOf, itemsOf } from '../../src/site/registry.ts';
import { formatHeadlinePriceLine, formatRetention } from '../../src/site/words/record-words.ts';
import { formatPlannedDays } from '../../src/site/words/words.ts';
import { receipt as receiptText, states, storefront } from '../../src/text/index.ts';
import { describePublishing } from '../../src/text/storefront-words.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { client } from '../transports/setup/send.ts';
import { makeOffer, site } from './leads-in-states.ts';
import { findServiceOf } from '../../src/site/service-of-request.ts';
import { headlineOf } from '../../src/components/receipt/headline.ts';
import { answerPageOf, receiptOf } from './receipt-view.ts';

const fixture = await openFixture(site);
const { context } = fixture;
const { json } = client(fixture);

const sendAction = (lead: string, name: ProviderAction, body: object = {}) =>
  sendAsProvider({ receiptToken: lead, action: name, actor: 'provider' }, body, context);
const send = (lead: string, body: object) =>
  json('/api/lead/{receipt}/messages', body, { params: { receipt: lead } });
const readAnswerPage = (url: string) => answerPageOf(fixture, url);

/** The newest mail to each side about a lead, with its links. */
async function renderNewestMails(lead: string) {
  const events = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
  const event = (await readLeadEvent(String(events.at(-1)!['id']), context))!;
  const log = await readLog(lead, context);
  const topic = topicOf(event);
  const person = topic && renderPersonMail(topic, event, log, { site });
  return {
    provider: renderMail(event, site, shownTermsOf(log, context.now(), site)).text,
    person: person?.text,
    subject: person?.subject,
    links: event.links,
  };
}

describe('a question about an item', () => {
  const verb = listActions(site).find(
    ({ action }) => action.purpose === 'question' && itemFieldOf(action) !== undefined,
  )!;
  const item = itemsOf(site.registry, verb.subsite.name).find(({ price }) => price)!;
  const ask = () => submitLead(context, verb, undefined, { [itemFieldOf(verb.action)!]: item.id });

  it('is confirmed without selling the item: neither side reads a price', async () => {
    const lead = await ask();
    const { provider, links } = await renderNewestMails(lead);
    expect(provider).toContain('Close as answered:\nThis books nothing and sets no price');
    expect(provider).not.toContain('Confirms at the published price');
    expect((await readAnswerPage(links.confirm!)).confirmationText).toMatch(
      /^This books nothing and sets no price/,
    );
    await sendAction(lead, 'confirm');
    const { person } = await renderNewestMails(lead);
    expect(person).toMatch(new RegExp(`^${verb.subsite.title} closed your .* as answered\\.`));
    expect(person).toContain('This does not buy or reserve anything for you.');
    const { state, lead: status } = await receiptOf(fixture, lead);
    expect(state.headlineKey).toBe('confirmed_question');
    expect(status.notice).toContain('does not buy, book or reserve anything');
    const notMeView = (await client(fixture).get(`/receipt/${lead}/not-me`, {})).json();
    expect(((await notMeView) as NotMeView).canceledByErasure).toBeUndefined();
  });

  it('stays answered when the customer writes thanks, and can be closed in words that fit', async () => {
    const lead = await ask();
    await sendAction(lead, 'reply', { text: 'It is 60 inches wide.' });
    await send(lead, { text: 'Thanks! I will call you.' });
    const { provider, links } = await renderNewestMails(lead);
    expect(provider).not.toContain('expires');
    const { state, lead: status } = await receiptOf(fixture, lead);
    expect(state).toMatchObject({
      headlineKey: 'replied',
      due: { deadline: status.respondBy, isLate: false, isOptional: true },
    });
    expect((await readAnswerPage(links.reply!)).lead.nextStep).not.toContain('expires');
    fixture.advanceHours(24 * 30);
    await expireLeads(context);
    expect((await readLog(lead, context)).status).toBe('new');
    await sendAction(lead, 'confirm');
    const closed = await renderNewestMails(lead);
    expect(closed.provider).toContain('You closed the question as answered.');
    expect(closed.person).toContain('as answered.');
    expect((await receiptOf(fixture, lead)).lead.respondBy).toBeUndefined();
  });

  it('is never called an unconfirmed booking, whatever the provider answers', async () => {
    const lead = await ask();
    for (const answer of ['acknowledge', 'reply'] as const) {
      await sendAction(lead, answer, { text: 'It is 60 inches wide.' });
      const { notice } = (await receiptOf(fixture, lead)).lead;
      expect(notice).toContain('does not buy, book or reserve anything');
      expect(notice).not.toContain('the provider confirms separately');
    }
  });

  it('tells both sides that nothing holds an item with an offer, and what an offer without text is for', async () => {
    const lead = await ask();
    const unheldNote = `${item.title} is not held`;
    const asked = await renderNewestMails(lead);
    expect(asked.provider).not.toContain(unheldNote);
    expect(asked.person).not.toContain(unheldNote);
    await sendAction(lead, 'offer', { amount: '150', currency: 'USD', expires: '24h' });
    const offered = await renderNewestMails(lead);
    expect((await readAnswerPage(offered.links.reply!)).lead.nextStep).toContain(unheldNote);
    expect(offered.person).toContain(unheldNote);
    expect(offered.person).toContain(`Offered: ${item.title}\n`);
    const view = await receiptOf(fixture, lead);
    expect(view).toMatchObject({
      offered: item.title,
      unheldText: expect.stringContaining(unheldNote),
      canceled: 'question',
    });
    await send(lead, { accept: view.lead.offer!.offerId });
    await sendAction(lead, 'confirm');
    const confirmed = await renderNewestMails(lead);
    expect(confirmed.person).toContain(unheldNote);
    // The person has to pay and to get the item, at the address or elsewhere.
    const receipt = await receiptOf(fixture, lead);
    const call = `Call ${receipt.lead.phone} now to agree on how you pay and how you get it. ${unheldNote}`;
    for (const text of [receipt.unheldText, receipt.lead.notice, confirmed.person])
      expect(text).toContain(call);
    expect(receipt.lead.visit!.where).toMatch(/, unless you agreed on delivery or another place$/);
    expect(receipt.canceled).toBe('request');
    expect((await readAnswerPage(confirmed.links.reply!)).lead.nextStep).toContain(unheldNote);
  });

  it.each(listActions(site).filter(({ action }) => action.purpose === 'question'))(
    'is answered with no, not declined like a service: $label',
    async (question) => {
      const lead = await submitLead(context, question);
      await sendAction(lead, 'decline', { text: 'It is too tall for a van.' });
      const { person } = await renderNewestMails(lead);
      const title = RegExp.escape(question.subsite.title);
      expect(person).toMatch(new RegExp(`^${title} said no to your [^,]*\\.`));
      expect(person).not.toContain('to ask what else you can do');
      expect((await receiptOf(fixture, lead)).state.headlineKey).toBe('declined_question');
    },
  );

  it('still sells it if the customer accepts an offer', async () => {
    const lead = await ask();
    const offer = await makeOffer(fixture, lead, { amount: '41.00' });
    await send(lead, { accept: offer });
    expect((await renderNewestMails(lead)).provider).toContain(
      'Confirms the accepted offer: $41 plus $2.87 sales tax = $43.87.',
    );
    await sendAction(lead, 'confirm');
    expect((await receiptOf(fixture, lead)).state.headlineKey).toBe('confirmed');
  });
});

describe('a subscription', () => {
  const verb = listActions(site).find(({ action }) => action.purpose === 'subscription')!;
  const subscribe = () => submitLead(context, verb);

  it('says that the person is on the list, what they will get, and how to unsubscribe', async () => {
    const lead = await subscribe();
    const { person, provider } = await renderNewestMails(lead);
    expect(person).toContain('You are on the list');
    expect(person).toContain(verb.action.intro);
    expect(person).toContain('Cancel the subscription');
    expect(person).not.toMatch(/Answer promised|provider confirms/);
    expect(provider).toMatch(/^You have a new subscriber\./);
    const { state, lead: status } = await receiptOf(fixture, lead);
    expect([state.headlineKey, status.respondBy]).toEqual(['subscribed', undefined]);
    expect(status.notice).toContain('not a confirmed booking or payment');
    const retention = formatRetention(verb.action);
    expect(status.notice).toContain(`or the address is erased, ${retention}.`);
    expect(person).toContain(`or the address is erased, ${retention}.`);
  });

  it('has no response time in /api/find and over MCP', async () => {
    const { action, subsite } = verb;
    const { output } = await findService.handle({ q: subsite.title }, { channel: 'json' }, context);
    const found = output.services.find(({ name }) => name === subsite.name)!;
    const details = createSubsiteDetails(subsite, site);
    for (const actions of [found.actions, details.actions]) {
      const shown = actions.find(({ verb: name }) => name === action.verb)!;
      expect(shown).toHaveProperty('description');
      expect(shown).not.toHaveProperty('respondWithinHours');
    }
  });

  it('is not called a request, which somebody would have to answer', async () => {
    const lead = await subscribe();
    const listWords = async () => {
      const { person, subject } = await renderNewestMails(lead);
      return [person, subject].join('\n').match(/\b(?:requests?|answers?|book\w*)\b/gi);
    };
    expect(await listWords()).toBeNull();
    await send(lead, { withdraw: true });
    expect(await listWords()).toBeNull();
  });

  it('never expires, and nobody has to answer it', async () => {
    const lead = await subscribe();
    fixture.advanceHours(24 * 60);
    await expireLeads(context);
    expect((await readLog(lead, context)).status).toBe('new');
    await sendAction(lead, 'acknowledge');
    const { state, lead: status } = await receiptOf(fixture, lead);
    expect([state.headlineKey, status.respondBy]).toEqual(['subscribed', undefined]);
  });

  it('tells the provider when it is canceled', async () => {
    const lead = await subscribe();
    await send(lead, { withdraw: true });
    expect((await renderNewestMails(lead)).provider).toContain(
      'Take the email address off your list.',
    );
    expect((await receiptOf(fixture, lead)).state.headlineKey).toBe('unsubscribed');
  });

  it.each([
    ['one click in a mail program', { 'List-Unsubscribe': 'One-Click' }],
    ['the button that stops the email', { do: 'stop' }],
  ])('ends with %s, which tells the provider but emails nobody', async (_, inputs) => {
    const lead = await subscribe();
    const page = { path: '/receipt/{token}/not-me', params: { token: lead } };
    const readView = async () =>
      (await (await client(fixture).get(page.path, page.params)).json()) as NotMeView;
    expect((await readView()).isUnsubscribed).toBe(false);
    for (const _repeat of [1, 2])
      expect((await client(fixture).form(page.path, inputs, page)).status).toBe(303);
    expect((await readView()).isUnsubscribed).toBe(true);
    expect((await renderNewestMails(lead)).provider).toContain(
      'Take the email address off your list.',
    );
    expect((await receiptOf(fixture, lead)).state.headlineKey).toBe('unsubscribed');
    expect(await receivesMail(lead, context)).toBe(false);
  });

  it('ends with its erasure, after which the provider takes the address off its list', async () => {
    const lead = await subscribe();
    await fixture.context.database.writer.run(
      sql`insert into deliveries (event, channel, lead, created_at, attempts) select id, 'mail', lead, created_at, 1 from outbox where lead = ${lead}`,
    );
    await eraseLead(lead, 'person', context);
    const events = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
    const event = (await readLeadEvent(String(events.at(-1)!['id']), context))!;
    expect(renderMail(event, site).text).toContain('Take the email address off your list');
  });
});

describe('a preview storefront', () => {
  const verb = listActions(site).find(({ action }) => action.effect?.kind === 'storefront')!;

  it('tells its owner, but not its visitors, who publishes it and when it costs money, and has its address, which the caller chose, only on the receipt', async () => {
    const lead = await submitLead(context, verb);
    const [first] = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
    const event = (await readLeadEvent(String(first!['id']), context))!;
    const previewUrl = `${site.base}/biz/sandbox`;
    const log = await readLog(lead, context);
    const { text } = renderPersonMail('receipt', event, log, { site, previewUrl });
    const operator = site.registry.network.organization.name;
    const price = formatHeadlinePriceLine(verb.subsite)!;
    expect(price).toMatch(/^\$\d+ a month/);
    for (const step of describePublishing(operator, price)) expect(text).toContain(`\n- ${step}\n`);
    expect(text).not.toContain('acknowledges');
    expect(text).not.toContain('/biz/');
    const published = renderPersonMail('receipt', event, log, {
      site,
      previewUrl,
      isPublished: true,
    });
    expect(published.text).toContain(`Your page: ${previewUrl}`);
    expect(published.text).not.toContain(describePublishing(operator, price)[0]);
    await sendAction(lead, 'confirm');
    const { provider } = await renderNewestMails(lead);
    expect(provider.replaceAll('\n', ' ')).toContain('send them the agreement.');
    expect(provider).not.toContain('No answer is due');
    expect((await renderNewestMails(lead)).person).toContain('The page can be published.');
    const receipt = await receiptOf(fixture, lead);
    expect(headlineOf(receipt, findServiceOf(site.registry, receipt.lead))).toBe(
      'Your web page can be published',
    );
    // Nothing was ever booked.
    await send(lead, { withdraw: true });
    const { person } = await renderNewestMails(lead);
    const { state } = await receiptOf(fixture, lead);
    expect([person, states[state.headlineKey].next].join()).not.toContain('booked');
    expect(receiptText.preview).toContain(' To change it or have it published, ');
    expect(Object.values(storefront).filter((line) => /your page/.test(line))).toEqual([]);
  });
});

describe('a confirmed hold', () => {
  const verb = listActions(site).find(({ action }) => action.effect?.kind === 'hold')!;
  const { fromField, toField } = verb.action.effect as { fromField: string; toField: string };
  const DAYS = { [fromField]: '2031-10-06', [toField]: '2031-10-07' };
  /** Other tests use the default contact. */
  const CONTACT = { email: 'robin@example.com' };
  const UNCHANGED = receiptText.daysUnchanged;

  it('names the booked days, and says that messages about other days did not change them', async () => {
    const lead = await submitLead(context, verb, CONTACT, DAYS);
    await send(lead, { text: 'Could I have Monday, October 13, 2031 instead?' });
    expect((await receiptOf(fixture, lead)).bookingText).toBeUndefined();
    await sendAction(lead, 'confirm', { text: 'OK' });
    const { person } = await renderNewestMails(lead);
    const { bookingText, lead: status } = await receiptOf(fixture, lead);
    expect(bookingText).toMatch(
      /^Booked: .*Monday, October 6, 2031 to Tuesday, October 7, 2031\. /,
    );
    for (const text of [bookingText, person, status.notice])
      expect(text).toContain(` 7, 2031. ${UNCHANGED}`);
  });

  it('lets what the provider wrote take precedence over what to bring and the published time', async () => {
    const confirm = async (day: string, text?: string) => {
      const days = { [fromField]: day, [toField]: day };
      const lead = await submitLead(context, verb, { email: 'sam@example.com' }, days);
      await sendAction(lead, 'confirm', text === undefined ? {} : { text });
      return (await renderNewestMails(lead)).person;
    };
    const { time } = verb.action.fields[fromField]!;
    const plain = await confirm('2031-11-18');
    expect(plain).toContain('\nWhat you need:\n');
    expect(plain).toMatch(new RegExp(`2031, ${time}$`, 'm'));
    const { provider } = findServiceOf(site.registry, {
      subsite: verb.subsite.name,
      action: verb.action.verb,
    });
    const written = await confirm('2031-11-20', 'Ready at 4 pm. A deposit of $100 is fine.');
    expect(plain).not.toContain('wrote you something different');
    expect(
      written!.split(`\nIf ${provider} wrote you something different, that applies instead.\n`),
    ).toHaveLength(2);
    expect(written).toContain('\nWhat you need:\n');
    expect(written).toMatch(new RegExp(`2031, ${time}$`, 'm'));
  });

  it.each([
    ['How about the 13th?', true],
    ['10/13 would be better.', true],
    ['My hitch is 2 inches.', false],
  ])('takes “%s” for a wish for other days: %s', async (text, isWish) => {
    const lead = await submitLead(context, verb, CONTACT, {
      [fromField]: '2031-11-06',
      [toField]: '2031-11-06',
    });
    await sendAction(lead, 'confirm');
    await send(lead, { text });
    const { bookingText } = await receiptOf(fixture, lead);
    expect(bookingText!.includes(UNCHANGED)).toBe(isWish);
    await send(lead, { withdraw: true });
  });

  it('keeps what the person typed while they choose other days', async () => {
    const today = toDateInTimeZone(site.registry.network.timeZone, context.now());
    const [held, first, second] = [20, 21, 22].map((ahead) => addDays(today, ahead)) as [
      string,
      string,
      string,
    ];
    const lead = await submitLead(context, verb, CONTACT, { [fromField]: held, [toField]: held });
    const typedText = 'Could I have the smaller one instead?';
    const chooseDays = async (
      text: string,
      days: object,
      desiredDays?: ReceiptView['desiredDays'],
    ) => {
      const response = await client(fixture).form(`/receipt/${lead}/draft`, {
        text,
        [DAYS_INPUT]: new URLSearchParams({ ...days }).toString(),
        ...(desiredDays && {
          [DESIRED_DAYS_INPUT]: new URLSearchParams({ ...desiredDays }).toString(),
        }),
      });
      const view = (await response.json()) as ReceiptView;
      return [view.enteredText, view.desiredDays] as const;
    };
    const desiredDays = { from: first, to: second };
    const text = `${typedText}\nCould I have ${formatPlannedDays(desiredDays)} instead?`;
    expect(await chooseDays(typedText, desiredDays)).toEqual([text, desiredDays]);
    const otherDays = { from: second, to: second };
    const otherText = `${typedText}\nCould I have ${formatPlannedDays(otherDays)} instead?`;
    expect(await chooseDays(text, otherDays, desiredDays)).toEqual([otherText, otherDays]);
    const withoutWish = [typedText, undefined];
    expect(await chooseDays(otherText, { from: first }, otherDays)).toEqual(withoutWish);
    expect(await chooseDays(typedText, { from: first }, { from: 'x', to: 'y' })).toEqual(
      withoutWish,
    );
  });

  it('says what remains if an open offer is not accepted', async () => {
    const lead = await submitLead(context, verb, CONTACT, {
      [fromField]: '2031-12-08',
      [toField]: '2031-12-08',
    });
    const readKey = async () => (await receiptOf(fixture, lead)).state.held!.sentenceKey;
    expect(await readKey()).toBe('held');
    await sendAction(lead, 'offer', { amount: '90', currency: 'USD', expires: '1h' });
    expect(await readKey()).toBe('heldPastOffer');
    expect((await renderNewestMails(lead)).person).toContain('The offer ends earlier.');
    await sendAction(lead, 'offer', { amount: '80', currency: 'USD', expires: '240h' });
    expect(await readKey()).toBe('heldWithOffer');
    expect((await renderNewestMails(lead)).person).toContain('the hold ends too');
  });
});

describe('declining a confirmed request', () => {
  const bookedAction = listActions(site).find(({ action }) => action.visitField !== undefined)!;

  it('is called a cancellation in the email and on the page', async () => {
    const lead = await submitLead(context, bookedAction);
    expect((await renderNewestMails(lead)).provider).toContain('\nDecline:\n');
    await sendAction(lead, 'confirm');
    expect((await receiptOf(fixture, lead)).isVisitTimeOpen).toBe(true);
    const { provider, links } = await renderNewestMails(lead);
    expect(provider).toContain('\nCancel the confirmed booking:\n');
    expect(provider).not.toContain('Declin');
    expect((await readAnswerPage(links.decline!)).lead.canceledByDecline).toBe('booking');
    await sendAction(lead, 'decline', { text: 'The truck broke down.' });
    expect((await readAnswerPage(links.decline!)).lead.canceledByDecline).toBe('booking');
  });
});

describe('a confirmed visit', () => {
  const visitAction = listActions(site).find(({ action }) => action.visitField !== undefined)!;
  const confirmVisit = async () => {
    const lead = await submitLead(context, visitAction);
    await sendAction(lead, 'confirm', { text: 'We come on Friday at 9 am.' });
    return lead;
  };

  it('is changed with new text only: the form shows what it replaces, and is empty', async () => {
    const lead = await confirmVisit();
    const page = await readAnswerPage((await renderNewestMails(lead)).links.confirm!);
    expect(page.formValues['text']).toBeUndefined();
    expect(page.lead.replaceableText).toBe('We come on Friday at 9 am.');
  });

  it('is not changed by a message, which says how to send a new time', async () => {
    const lead = await confirmVisit();
    const { links } = await renderNewestMails(lead);
    await sendAction(lead, 'reply', { text: 'Yes, Saturday at 4 pm is fine.' });
    expect((await readAnswerPage(links.reply!)).lead.sentText).toMatch(
      /^A message does not change the agreed time\. .* “Change the time”\.$/,
    );
    const later = await renderNewestMails(lead);
    expect((await readAnswerPage(later.links.decline!)).lead.agreedFacts).toEqual([
      'We come on Friday at 9 am.',
      'Yes, Saturday at 4 pm is fine.',
    ]);
    await sendAction(lead, 'reply', { text: 'Thank you.' });
    expect((await readAnswerPage(later.links.reply!)).lead.sentText).toBeUndefined();
  });
});

describe('another request of the same customer', () => {
  it('is named to the provider with its state and days', async () => {
    const verb = listActions(site).find(({ action }) => action.effect?.kind === 'hold')!;
    const { fromField, toField } = verb.action.effect as { fromField: string; toField: string };
    const days = { [fromField]: '2031-09-08', [toField]: '2031-09-08' };
    await sendAction(await submitLead(context, verb, undefined, days), 'confirm');
    const { provider } = await renderNewestMails(await submitLead(context, verb, undefined, days));
    expect(provider.replaceAll('\n', ' ')).toMatch(
      /another request of this kind: \S+ \(Confirmed: \w+day, \w+ \d/,
    );
  });
});

describe('the hint of an acknowledgment', () => {
  it('says that only a note is emailed', async () => {
    const lead = await submitLead(context, listActions(site)[0]!);
    const { links } = await renderNewestMails(lead);
    const token = links.acknowledge!.split('/').at(-1)!;
    const { notification } = await readAnswerableLead(token, {
      ...context,
      isCustomerEmailEnabled: true,
    });
    expect(notification.text).toContain('They get an email only if you write a note here.');
    await sendAction(lead, 'acknowledge');
    const { provider } = await renderNewestMails(lead);
    expect(provider.replaceAll('\n', ' ')).toContain(
      'The customer sees this on their page and gets no email about it.',
    );
  });
});

describe('the answer that ends the wait for the customer', () => {
  it('is not called an acknowledgment', async () => {
    const lead = await submitLead(context, listActions(site)[0]!);
    expect((await renderNewestMails(lead)).provider).toContain('\nAcknowledge:\n');
    await sendAction(lead, 'ask', { text: 'Which hitch?' });
    const { provider, links } = await renderNewestMails(lead);
    expect(provider).toContain('\nContinue without the answer:\n');
    expect(provider).not.toContain('Acknowledge');
    await sendAction(lead, 'acknowledge');
    expect((await readAnswerPage(links.acknowledge!)).lead.endsWaitForReply).toBe(true);
  });
});

describe('a question that the customer left open', () => {
  const verb = listActions(site).find(({ action }) => action.visitField !== undefined)!;
  const QUESTION = 'Is there a gate code?';
  async function createAcceptedLead(
    body: object,
    confirmOnAccept = false,
    laterQuestions: string[] = [],
  ) {
    const lead = await submitLead(context, verb);
    for (const text of [QUESTION, ...laterQuestions]) await sendAction(lead, 'ask', { text });
    await sendAction(lead, 'acknowledge');
    const offer = await makeOffer(fixture, lead, { amount: '41.00', confirmOnAccept });
    await send(lead, { accept: offer, ...body });
    return lead;
  }

  it('is repeated in the email about the acceptance, and stays on the receipt', async () => {
    const lead = await createAcceptedLead({});
    expect((await renderNewestMails(lead)).provider).toContain(
      `has not answered this:\n| ${QUESTION}`,
    );
    expect((await receiptOf(fixture, lead)).newMessages).toEqual([QUESTION]);
  });

  it('is repeated to the customer if the acceptance confirms the request', async () => {
    const lead = await createAcceptedLead({}, true);
    expect((await renderNewestMails(lead)).person).toContain(`| ${QUESTION}`);
  });

  it('is repeated with every question after it', async () => {
    const lead = await createAcceptedLead({}, true, ['And a dog?']);
    const { provider, person } = await renderNewestMails(lead);
    expect(provider).toContain(`has not answered this:\n| ${QUESTION}\n\n| And a dog?\n`);
    expect(person).toContain(`| ${QUESTION}\n\n| And a dog?\n`);
    expect((await receiptOf(fixture, lead)).newMessages).toEqual([QUESTION, 'And a dog?']);
  });

  it('is left out once it is answered', async () => {
    const lead = await createAcceptedLead({ text: 'It is 4711.' });
    expect((await renderNewestMails(lead)).provider).not.toContain(QUESTION);
    expect((await receiptOf(fixture, lead)).newMessages).toEqual([]);
  });
});

describe('what is published', () => {
  const trailerAction = listActions(site).find(
    ({ subsite, action: { effect } }) =>
      effect?.kind === 'hold' &&
      itemsOf(site.registry, effect.catalog)[0]?.price?.notes &&
      subsite.hours,
  )!;

  it('adds nothing to a free offer', async () => {
    const lead = await submitLead(context, trailerAction);
    await makeOffer(fixture, lead, { amount: '0.00' });
    expect((await renderNewestMails(lead)).person).not.toContain('tax');
  });

  it('comes after the times that the provider wrote', async () => {
    const day = trailerAction.action.effect as { fromField: string; toField: string };
    const lead = await submitLead(context, trailerAction, undefined, {
      [day.fromField]: '2031-08-01',
      [day.toField]: '2031-08-01',
    });
    const hours = async () =>
      Object.fromEntries((await receiptOf(fixture, lead)).visit)['Hours'] as string;
    const week = await hours();
    expect(week).not.toContain('wrote');
    await sendAction(lead, 'ask', { text: 'Which hitch?' });
    expect(await hours()).toBe(week);
    await send(lead, { text: 'A ball.' });
    await sendAction(lead, 'confirm', { text: 'On that day we open at 9.' });
    expect(await hours()).toBe(
      `${week}, unless ${trailerAction.subsite.title} gave you other times`,
    );
  });
});
