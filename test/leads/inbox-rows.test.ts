import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import type { ProviderAction } from '../../src/leads/conversation/conversation.ts';
import { answerAsProvider, sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import {
  describeRows,
  readNamedStates,
  listUpcomingLeads,
} from '../../src/leads/lists/inbox-rows.ts';
import { findAnsweredQuestions } from '../../src/leads/lists/answered-questions.ts';
import { readLead } from '../../src/leads/lists/lead-records.ts';
import { listLeads } from '../../src/leads/lists/list-leads.ts';
import { createInboxListView } from '../../src/http/pages/inbox-list.ts';
import type { InboxSession } from '../../src/keys/inbox-session.ts';
import { describeDeadlines } from '../../src/leads/lists/deadlines.ts';
import {
  listHeldLeads,
  listNewCancellations,
  MAX_NEXT_LEADS,
} from '../../src/leads/lists/next-leads.ts';
import { readInboxOverview } from '../../src/leads/lists/inbox-overview.ts';
import { listVisitsWithoutDay } from '../../src/leads/lists/visits-without-time.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { findOfferableHold } from '../../src/leads/holds/offered-hold.ts';
import { describeSentOffer } from '../../src/leads/conversation/offered-price.ts';
import { describeEarlyHoldEnd } from '../../src/leads/status/next-step.ts';
import { findNextAnswerDue } from '../../src/leads/status/promised-answer.ts';
import { findAgreement } from '../../src/leads/status/agreement.ts';
import { visitOf } from '../../src/leads/status/visit.ts';
import { isClosedOn } from '../../src/site/calendar/opening-hours.ts';
import { inbox } from '../../src/text/index.ts';
import { describeConfirmation } from '../../src/leads/status/describe-terms.ts';
import { shownTermsOf } from '../../src/leads/status/shown-terms.ts';
import { type LeadLog, readLog } from '../../src/leads/lead-log.ts';
import { readInbox } from '../../src/leads/lists/read-inbox.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { addHours } from '../../src/operation/time-arithmetic.ts';
import { addDays, toDateInTimeZone } from '../../src/site/calendar/days.ts';
import { itemsOf } from '../../src/site/registry.ts';
import {
  formatPlannedDay,
  formatPlannedDays,
  formatPromisedTime,
  formatShortDays,
} from '../../src/site/words/words.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const [verb] = listActions(site).flatMap((one) =>
  one.action.effect?.kind === 'hold' ? [{ ...one, effect: one.action.effect }] : [],
);
const { subsite, action, effect } = verb!;
const call = { channel: 'json' as const };
const price = { amount: '129', currency: 'USD', expires: '24h' };

const openInbox = async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const today = toDateInTimeZone(site.registry.network.timeZone, context.now());
  const items = itemsOf(site.registry, effect.catalog);
  /** Requests an item, by its index in the catalog, for days counted from today. */
  async function request(from: number, to: number, number = 0) {
    const days = { from: addDays(today, from), to: addDays(today, to) };
    const fields = {
      ...exampleValuesOf(action.fields),
      [effect.itemField]: items[number]!.id,
      [effect.fromField]: days.from,
      [effect.toField]: days.to,
    };
    const body = { subsite: subsite.name, action: action.verb, contact: { phone: '+17275550142' } };
    const input = submitAction.parse({ ...body, fields }, context);
    const { receiptToken } = (await submitAction.handle(input, call, context)).output;
    const outbox = await fixture.rows('outbox');
    const reference = outbox.find(({ lead }) => lead === receiptToken)!['id'] as string;
    return { receiptToken, reference, days };
  }
  const act = (receiptToken: string, name: ProviderAction, body: object = {}) =>
    sendAsProvider({ receiptToken, action: name, actor: 'provider' }, body, context);
  return { fixture, context, request, act, items };
};

it('an inbox row shows the item, the days and the open or accepted price', async () => {
  const { fixture, context, request, act, items } = await openInbox();
  const { receiptToken, reference, days } = await request(20, 21);
  const readRow = async () => (await describeRows([reference], context)).get(reference);
  const requestedText = `${items[0]!.title} · ${formatShortDays(days)}`;
  expect(await readRow()).toBe(requestedText);
  await act(receiptToken, 'offer', price);
  expect(await readRow()).toMatch(new RegExp(`^${requestedText} · \\$129`));
  const offer = (await fixture.rows('offers'))[0]!['id'] as string;
  const input = sendMessage.parse({ accept: offer, receipt: receiptToken }, context);
  await sendMessage.handle(input, call, context);
  expect(await readRow()).toContain(' · $129');
  await act(receiptToken, 'confirm');
  expect(await readRow()).toContain(' · $129');

  const second = await request(30, 31);
  await act(second.receiptToken, 'offer', price);
  fixture.advanceHours(25);
  expect((await describeRows([second.reference], context)).get(second.reference)).not.toContain(
    '$129',
  );
  await act(second.receiptToken, 'confirm');
  expect((await describeRows([second.reference], context)).get(second.reference)).not.toContain(
    '$129',
  );
});

it('an inbox row shows the different days of an offer once', async () => {
  const { context, request, act, items } = await openInbox();
  const { receiptToken, reference, days } = await request(20, 21);
  const offeredDays = { from: addDays(days.from, 5), to: addDays(days.to, 5) };
  await act(receiptToken, 'offer', { ...price, ...offeredDays });
  const readRow = async () => (await describeRows([reference], context)).get(reference)!;
  expect((await readRow()).split(' · ')).toEqual([
    items[0]!.title,
    formatShortDays(days),
    expect.stringMatching(new RegExp(`^${items[0]!.title}, .*\\$129`)),
  ]);
  await act(receiptToken, 'confirm', { accepted: true });
  expect((await readRow()).split(' · ')).toEqual([
    items[0]!.title,
    formatShortDays(offeredDays),
    expect.stringMatching(/^\$129/),
  ]);
});

it('the inbox lists confirmed requests that begin or end today or tomorrow', async () => {
  const { fixture, context, request, act } = await openInbox();
  const laterLead = await request(2, 2);
  const endingLead = await request(1, 3, 1);
  const beginningLead = await request(3, 4, 2);
  const unconfirmedLead = await request(3, 3);
  for (const { receiptToken } of [laterLead, endingLead, beginningLead])
    await act(receiptToken, 'confirm');
  fixture.advanceHours(48);
  const list = async (access: Parameters<typeof listUpcomingLeads>[0]) =>
    (await listUpcomingLeads(access, context)).map(({ reference, due }) => [reference, due]);
  const expected = [
    [laterLead.reference, 'Today'],
    [beginningLead.reference, 'Tomorrow'],
    [endingLead.reference, 'Ends tomorrow'],
  ];
  expect(await list('all')).toEqual(expected);
  expect(await list([subsite.name])).toEqual(expected);
  expect(expected.flat()).not.toContain(unconfirmedLead.reference);
  const other = site.registry.subsites.find(({ name }) => name !== subsite.name)!;
  expect(await list([other.name])).toEqual([]);
});

it('the inbox lists confirmed visits whose date is open or only in a message', async () => {
  const { fixture, context, request, act } = await openInbox();
  const visit = listActions(site).find((one) => one.action.visitField !== undefined)!;
  const dated = await request(2, 2);
  await act(dated.receiptToken, 'confirm');
  const confirmVisit = async (text?: string) => {
    const receiptToken = await submitLead(context, visit);
    await act(receiptToken, 'confirm', text === undefined ? {} : { text });
    return (await readLog(receiptToken, context)).reference!;
  };
  const inMessage = await confirmVisit('We will come on Friday at 9 AM.');
  const vague = await confirmVisit('Thank you, we will be in touch.');
  const open = await confirmVisit();
  const list = async (access: Parameters<typeof listVisitsWithoutDay>[0]) =>
    (await listVisitsWithoutDay(access, context)).map(({ reference }) => reference);
  expect(await list('all')).toEqual([open, vague, inMessage]);
  expect(await list([visit.subsite.name])).toEqual([open, vague, inMessage]);
  expect(await list([subsite.name])).toEqual([]);
  const start = await readInboxOverview('all', 10, context);
  // A visit whose time is still to be agreed on is already listed as the next to answer.
  expect(start.urgent.map(({ reference }) => reference)).toContain(open);
  expect(start.undated.map(({ reference }) => reference)).toEqual([vague, inMessage]);
  fixture.advanceHours(24 * 15);
  expect(await list('all')).toEqual([]);
});

it('the inbox still lists an answered request with a hold, and says when the hold ends', async () => {
  const { fixture, context, request } = await openInbox();
  const { receiptToken, reference } = await request(20, 21);
  const list = async (access: Parameters<typeof listHeldLeads>[0]) =>
    (await listHeldLeads(access, context)).map((lead) => lead.reference);
  expect(await list('all')).toEqual([reference]);
  const writeAsProvider = (action: 'reply' | 'offer', body: object) =>
    sendAsProvider({ receiptToken, action, actor: 'provider' }, body, context);
  await writeAsProvider('reply', { text: 'What will you carry?' });
  expect(await list('all')).toEqual([reference]);
  expect(await list([subsite.name])).toEqual([reference]);
  expect(await list(['another'])).toEqual([]);
  const facts = await describeDeadlines([reference], context);
  expect(facts.get(reference)!.at(-1)).toMatch(/^hold ends /);
  await writeAsProvider('offer', price);
  expect(await list('all')).toEqual([]);
  fixture.advanceHours(24 * 30);
  expect(await list('all')).toEqual([]);
});

it('the inbox lists first what is due first: an answer, the end of a hold, or a call', async () => {
  const { fixture, context, request, act } = await openInbox();
  const question = listActions(site).find(({ action }) => action.purpose === 'question')!;
  const phone = { name: 'Sam', phone: '+17275550142' };
  const referenceOf = async (token: string) => (await readLog(token, context)).reference!;
  const long = await request(30, 31);
  const asked = await submitLead(context, question);
  const short = await request(40, 41);
  const called = await submitLead(context, question, phone);
  await act(called, 'reply', { text: 'Yes, we do.' });
  const endHold = (token: string, hours: number) =>
    fixture.database.writer.run(
      sql`update holds set expires_at = ${addHours(context.now(), hours)} where lead = ${token}`,
    );
  await endHold(short.receiptToken, 0.5);
  await endHold(long.receiptToken, 24 * 20);
  const start = await readInboxOverview('all', 10, context);
  const order = start.urgent.map(({ reference }) => reference);
  expect(order.slice(0, 2)).toEqual([await referenceOf(called), short.reference]);
  expect(order.slice(2).sort()).toEqual([long.reference, await referenceOf(asked)].sort());
  expect(start.moreDue).toBe(0);
  // A lead can be listed because of a call although its answer is due after ten others.
  for (let count = 0; count < MAX_NEXT_LEADS; count++) await submitLead(context, question);
  await fixture.database.writer.run(
    sql`update leads set due_at = ${addHours(context.now(), 24 * 30)} where token = ${called}`,
  );
  const longStart = await readInboxOverview('all', 20, context);
  const listed = longStart.urgent.map(({ reference }) => reference);
  expect(listed).toContain(await referenceOf(called));
  // Everything listed here has a deadline.
  expect(listed.length + longStart.moreDue).toBe(MAX_NEXT_LEADS + 4);
});

it('the inbox lists a request with a hold after its newest offer has ended, even if an earlier offer lasts longer', async () => {
  const { fixture, context, request, act } = await openInbox();
  const { receiptToken, reference } = await request(20, 21);
  await act(receiptToken, 'offer', { ...price, expires: '48h' });
  await act(receiptToken, 'offer', { ...price, amount: '119', expires: '2h' });
  fixture.advanceHours(3);
  expect((await listHeldLeads('all', context)).map((lead) => lead.reference)).toEqual([reference]);
});

it('the inbox lists confirmed requests that the customer canceled in the last day', async () => {
  const { fixture, context, request, act } = await openInbox();
  const confirmedLead = await request(20, 21);
  const openLead = await request(22, 23);
  await act(confirmedLead.receiptToken, 'confirm');
  for (const { receiptToken } of [confirmedLead, openLead]) {
    const input = sendMessage.parse({ withdraw: true, receipt: receiptToken }, context);
    await sendMessage.handle(input, call, context);
  }
  const list = async (access: Parameters<typeof listNewCancellations>[0]) =>
    (await listNewCancellations(access, context)).map(({ reference }) => reference);
  expect(await list('all')).toEqual([confirmedLead.reference]);
  expect(await list([subsite.name])).toEqual([confirmedLead.reference]);
  expect(await list(['another'])).toEqual([]);
  fixture.advanceHours(25);
  expect(await list('all')).toEqual([]);
});

it('distinguishes a confirmed request that the provider canceled from a declined one', async () => {
  const { context, request, act } = await openInbox();
  const [canceled, declined] = [await request(20, 21), await request(30, 31)];
  await act(canceled.receiptToken, 'confirm');
  for (const { receiptToken } of [canceled, declined])
    await act(receiptToken, 'decline', { text: 'The trailer broke down.' });
  const rows = [canceled, declined].map(({ reference }) => ({
    reference,
    status: 'declined' as const,
  }));
  expect(await readNamedStates(rows, context)).toEqual(
    new Map([
      [canceled.reference, 'canceled'],
      [declined.reference, 'declined'],
    ]),
  );
  for (const subsites of [undefined, [subsite.name]]) {
    const find = async (wasConfirmed: boolean) => {
      const filter = { statuses: ['declined' as const], wasConfirmed, subsites };
      return (await readInbox(filter, {}, context)).leads.map(({ reference }) => reference);
    };
    expect(await find(true)).toEqual([canceled.reference]);
    expect(await find(false)).toEqual([declined.reference]);
  }
});

it('an inbox row says that the customer wrote, until the provider answers', async () => {
  const { context, request, act } = await openInbox();
  const { receiptToken, reference } = await request(20, 21);
  const write = (text: string) =>
    sendMessage.handle(sendMessage.parse({ receipt: receiptToken, text }, context), call, context);
  const read = async () =>
    (await describeDeadlines([reference], context)).get(reference)!.includes('the customer wrote');
  expect(await read()).toBe(false);
  await write('Could I have the next weekend instead?');
  expect(await read()).toBe(true);
  await act(receiptToken, 'acknowledge');
  expect(await read()).toBe(true);
  await act(receiptToken, 'ask', { text: 'Which truck do you have?' });
  expect(await read()).toBe(false);
  await write('f150');
  expect(await read()).toBe(true);
  await act(receiptToken, 'confirm');
  expect(await read()).toBe(false);
});

it('the provider is warned before confirming that the customer has written since, until it answers', async () => {
  const { fixture, context, request, act } = await openInbox();
  const { receiptToken } = await request(22, 23);
  const write = (text: string) =>
    sendMessage.handle(sendMessage.parse({ receipt: receiptToken, text }, context), call, context);
  const describe = async () =>
    describeConfirmation(
      shownTermsOf(await readLog(receiptToken, context), context.now(), site),
      'confirming',
    )!;
  const plainText = await describe();
  expect(plainText).toMatch(/^Books /);
  await write('Could I have\nthe next weekend instead?');
  const warning =
    'The customer has written since: “Could I have the next weekend instead?” Confirming does not change the days. If they want different days, do not confirm: send an offer with those days instead.';
  expect(await describe()).toBe(`${warning} ${plainText}`);
  // An acknowledgment without text answers nothing.
  await act(receiptToken, 'acknowledge');
  expect(await describe()).toBe(`${warning} ${plainText}`);
  const mail = (await fixture.rows('outbox')).at(-1)!['id'] as string;
  const event = (await readLeadEvent(mail, context))!;
  const terms = shownTermsOf(await readLog(receiptToken, context), context.now(), site);
  expect(renderMail(event, site, terms).text.replaceAll(/\s+/g, ' ')).toContain(warning);
  // Neither a question and its answer nor a message decides on the days that the customer asked for.
  await act(receiptToken, 'ask', { text: 'Which truck do you have?' });
  await write('f150');
  const warningWithAnswer = warning.replace('instead?”', 'instead?” “f150”');
  expect(await describe()).toBe(`${warningWithAnswer} ${plainText}`);
  await act(receiptToken, 'reply', { text: 'That one can tow it.' });
  expect(await describe()).toBe(`${warning} ${plainText}`);
  await act(receiptToken, 'offer', { amount: '120.00', currency: 'USD', expires: '48h' });
  expect(await describe()).not.toContain('has written since');
});

it('a question with an answer is shown as answered, unless something is due or was sold', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const question = listActions(site).find(({ action }) => action.purpose === 'question')!;
  const act = (receiptToken: string, name: ProviderAction, body: object = {}) =>
    sendAsProvider({ receiptToken, action: name, actor: 'provider' }, body, context);
  const write = (body: object) =>
    sendMessage.handle(sendMessage.parse(body, context), call, context);
  const isAnswered = async (lead: string) => {
    const { reference } = await readLead(lead, 'all', context);
    const [leadsOfList, { leads }] = await Promise.all([
      listLeads({}, { limit: 50 }, context),
      createInboxListView(
        { access: 'all' } as InboxSession,
        new URLSearchParams('status='),
        context,
      ),
    ]);
    const isFound = (await findAnsweredQuestions(leadsOfList, context)).has(reference);
    const row = leads.find((one) => one.reference === reference)!;
    expect(row.state).toBe(isFound ? 'answered' : row.status);
    return isFound;
  };
  const lead = await submitLead(context, question);
  expect(await isAnswered(lead)).toBe(false);
  await act(lead, 'reply', { text: 'It is 14 feet long.' });
  expect(await isAnswered(lead)).toBe(true);
  await write({ receipt: lead, text: 'And how wide?' });
  expect(await isAnswered(lead)).toBe(false);
  await act(lead, 'confirm', { text: 'Seven feet.' });
  expect(await isAnswered(lead)).toBe(true);
  const declined = await submitLead(context, question);
  await act(declined, 'decline', { text: 'No.' });
  expect(await isAnswered(declined)).toBe(true);
  const sold = await submitLead(context, question);
  await act(sold, 'offer', { ...price, confirmOnAccept: true });
  const [offer] = (await readLog(sold, context)).entries.flatMap((entry) => entry.offer ?? []);
  await write({ receipt: sold, accept: offer!.offerId });
  expect(await isAnswered(sold)).toBe(false);
  const other = await submitLead(context, verb!);
  await act(other, 'reply', { text: 'The yard opens at 7.' });
  expect(await isAnswered(other)).toBe(false);
});

it('a confirmation by command or program quotes the messages that it leaves undecided', async () => {
  const { context, request } = await openInbox();
  const { receiptToken } = await request(20, 21);
  const text = 'Could we make it a day later?';
  await sendMessage.handle(
    sendMessage.parse({ receipt: receiptToken, text }, context),
    call,
    context,
  );
  const message = {
    receiptToken,
    action: 'confirm',
    actor: 'operator',
    key: 'k'.repeat(16),
  } as const;
  const { says } = await answerAsProvider(message, {}, context);
  expect(says).toMatch(/^Booked: .* the customer had written: “Could we make it a day later\?” /);
});

it('an answer without a question settles messages that ask for no other days', async () => {
  const { context, request, act } = await openInbox();
  const { receiptToken } = await request(20, 21);
  const write = (text: string) =>
    sendMessage.handle(sendMessage.parse({ receipt: receiptToken, text }, context), call, context);
  const read = async () =>
    shownTermsOf(await readLog(receiptToken, context), context.now(), site).unanswered?.messages;
  await write('Can I pay in cash?');
  await act(receiptToken, 'ask', { text: 'Which truck do you have?' });
  await write('f150');
  expect(await read()).toEqual(['Can I pay in cash?', 'f150']);
  await act(receiptToken, 'reply', { text: 'Cash is fine. Will you come alone?' });
  expect(await read()).toEqual(['Can I pay in cash?', 'f150']);
  await act(receiptToken, 'reply', { text: 'Cash is fine.' });
  expect(await read()).toBeUndefined();
});

it('an erased request that was confirmed says in its row that it is no longer confirmed', async () => {
  const { context, request, act } = await openInbox();
  const [confirmed, open] = [await request(20, 21), await request(22, 23)];
  await act(confirmed.receiptToken, 'confirm');
  for (const { receiptToken } of [confirmed, open])
    await eraseLead(receiptToken, 'person', context);
  const facts = await describeDeadlines([confirmed.reference, open.reference], context);
  expect(facts.get(confirmed.reference)).toEqual([inbox.entry.nothingBooked]);
  expect(facts.get(open.reference)).toEqual([]);
});

it('the provider reads first that a hold ends before the promised answer', async () => {
  const { fixture, context, request, act } = await openInbox();
  const { receiptToken, reference } = await request(20, 21);
  const read = async () => {
    const log = await readLog(receiptToken, context);
    const terms = shownTermsOf(log, context.now(), site);
    const due = findNextAnswerDue(log, site.registry);
    const event = (await readLeadEvent(reference, context))!;
    return [
      describeEarlyHoldEnd(log, terms, due, site.registry),
      renderMail(event, site, terms).text.split('\n\n')[0],
    ];
  };
  expect((await read())[0]).toBeUndefined();
  const end = addHours(context.now(), 0.5);
  await fixture.database.writer.run(
    sql`update holds set expires_at = ${end} where lead = ${receiptToken}`,
  );
  const until = formatPromisedTime(end, site.registry.network.timeZone);
  const [step, firstLine] = await read();
  expect(step).toBe(`If you do not confirm by ${until}, the hold ends, and nothing is booked.`);
  expect(firstLine).toContain(`If you do not confirm by ${until}, its hold ends`);
  expect(firstLine!.indexOf(until)).toBeLessThan(firstLine!.indexOf('Please answer by'));
  // No due date follows an acknowledgment with a message, but the promised answer is still open.
  await act(receiptToken, 'acknowledge', { text: 'We will look.' });
  const [openStep, ...lines] = await read();
  expect(openStep).toBe(step);
  expect(lines.join()).toContain(step);
});

it('the provider is warned before it confirms or offers a day on which it is closed', async () => {
  const { context, request, act } = await openInbox();
  const today = toDateInTimeZone(site.registry.network.timeZone, context.now());
  const closedDay = [...Array(180).keys()]
    .map((ahead) => addDays(today, ahead + 1))
    .find((day) => isClosedOn(subsite, day))!;
  const ahead = (Date.parse(closedDay) - Date.parse(today)) / 86_400_000;
  const { receiptToken } = await request(ahead, ahead);
  const readTerms = async () =>
    shownTermsOf(await readLog(receiptToken, context), context.now(), site);
  const warning = `you are closed on ${formatPlannedDay(closedDay)}`;
  expect(describeConfirmation(await readTerms(), 'confirming')).toContain(warning);
  expect(describeConfirmation(await readTerms(), 'confirmed')).not.toContain(warning);
  const log = await readLog(receiptToken, context);
  const days = { from: addDays(closedDay, -2), to: addDays(closedDay, -1) };
  const offerable = findOfferableHold(log, context.now(), site.registry, days)!;
  expect(offerable.closedDays).toContain(formatPlannedDay(closedDay).split(',')[0]);
  const isFarFromClosedDays = (day: string) =>
    Array.from({ length: 29 }, (_, index) => addDays(day, index - 14)).every(
      (near) => !isClosedOn(subsite, near),
    );
  const farDay = [...Array(180).keys()]
    .map((ahead) => addDays(today, ahead + 1))
    .find(isFarFromClosedDays)!;
  const farDays = { from: farDay, to: farDay };
  expect(findOfferableHold(log, context.now(), site.registry, farDays)).not.toHaveProperty(
    'closedDays',
  );
  // The published price is that of the days in the form.
  expect(offerable).toMatchObject({
    ...days,
    published: expect.stringContaining(formatPlannedDays(days)),
  });
  const nonsense = { from: closedDay, to: 'never' };
  expect(findOfferableHold(log, context.now(), site.registry, nonsense)!.to).toBe(closedDay);
  await act(receiptToken, 'offer', price);
  const logWithOffer = await readLog(receiptToken, context);
  const { open } = shownTermsOf(logWithOffer, context.now(), site);
  expect(describeSentOffer(logWithOffer, open!, site.registry)).toContain(warning);
  // An offer for other days is not about the closed day anymore.
  await act(receiptToken, 'offer', { ...price, ...days });
  expect((await readTerms()).warnings?.map(({ code }) => code)).not.toContain('closed_day');
  await act(receiptToken, 'confirm', { accepted: false });
  const confirmedLog = await readLog(receiptToken, context);
  const closedText = `is closed on ${formatPlannedDay(closedDay)}.`;
  const readTime = (log: LeadLog) => visitOf(subsite, action, log, findAgreement(log)).time;
  expect(readTime(confirmedLog)).toContain(`${closedText} Ask them`);
  // What the provider wrote may say how it works on that day.
  await act(receiptToken, 'reply', { text: 'Come at 9 on that day. I will open for you.' });
  expect(readTime(await readLog(receiptToken, context))).toContain(
    `${closedText} Unless they wrote`,
  );
});
