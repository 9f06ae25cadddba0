import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expireLeads } from '../../src/leads/expire-leads.ts';
import type { LeadView } from '../../src/http/views.ts';
import type { LeadAccess } from '../../src/keys/key-scopes.ts';
import { createKey } from '../../src/keys/keys.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { recordCall } from '../../src/leads/conversation/record-call.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { describeDeadlines } from '../../src/leads/lists/deadlines.ts';
import { describeRows } from '../../src/leads/lists/inbox-rows.ts';
import { readInboxOverview } from '../../src/leads/lists/inbox-overview.ts';
import { describeTerms } from '../../src/leads/status/describe-terms.ts';
import { shownTermsOf } from '../../src/leads/status/shown-terms.ts';
import {
  listAnsweredEmergencies,
  listLeadsToCall,
  listUrgentLeads,
  listWaitingLeads,
} from '../../src/leads/lists/next-leads.ts';
import { listVisitsWithoutTime } from '../../src/leads/lists/visits-without-time.ts';
import type { ProviderAction } from '../../src/leads/conversation/conversation.ts';
import type { AttemptResult, Channel } from '../../src/leads/deliveries/channel.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { redeliverLead } from '../../src/leads/deliveries/redeliver-leads.ts';
import { renderPersonMail } from '../../src/leads/deliveries/person/person-mail-text.ts';
import { composeMail } from '../../src/leads/deliveries/mail.ts';
import { listRemovedActionNotices } from '../../src/leads/lists/removed-actions.ts';
import { listLeads } from '../../src/leads/lists/list-leads.ts';
import { isUndecided, leadStatuses } from '../../src/leads/lead-states.ts';
import type { Subsite } from '../../src/registry/schemas/subsite.ts';
import {
  computeAnswerDeadline,
  findNextAnswerDue,
} from '../../src/leads/status/promised-answer.ts';
import { addDays, toDateInTimeZone, toTimeOnDay } from '../../src/site/calendar/days.ts';
import { hoursOn } from '../../src/site/calendar/opening-hours.ts';
import { phoneOf } from '../../src/site/phone.ts';
import { createLeadInState, makeOffer, site } from '../conversation/leads-in-states.ts';
import { drain, submitLead } from '../deliveries/setup/drain.ts';
import { type Fixture, openFixture } from '../operations/setup/fixture.ts';
import { inbox } from '../../src/text/index.ts';
import { chooseRepeatCount, createPropertyParameters } from '../setup/seeds.ts';
import { findEmergency, listActions } from '../operations/setup/actions.ts';
import { client } from '../transports/setup/send.ts';

const hours = site.registry.network.leadTerms.respondWithinHours;

type LeadForDeadline = Parameters<typeof computeAnswerDeadline>[1];

/**
 * States in which the provider owes an answer right after the lead enters them. An acknowledgment
 * without a message is not an answer.
 */
const statusesAwaitingAnswer = new Set(['new', 'acknowledged', 'accepted']);

it.each(leadStatuses)(
  'a lead of a removed subsite or action starts a warning while it is open: %s',
  async (status) => {
    const fixture = await openFixture(site);
    const { database } = fixture.context;
    await createLeadInState(fixture, status);
    const readNotices = () => listRemovedActionNotices({ site, database });
    const isOpen = isUndecided(status);
    const [{ name }] = site.registry.subsites as [Subsite];
    expect(await readNotices()).toEqual([]);
    await database.writer.run(sql`update leads set subsite = ${name}, action = 'former_action'`);
    const ofAction = `1 open lead belongs to the action former_action of the subsite ${name},`;
    expect(await readNotices()).toEqual(isOpen ? [expect.stringContaining(ofAction)] : []);
    await database.writer.run(sql`update leads set subsite = 'former'`);
    const ofSubsite = '1 open lead belongs to the subsite former,';
    expect(await readNotices()).toEqual(isOpen ? [expect.stringContaining(ofSubsite)] : []);
    await database.writer.run(sql`update leads set answer_owed = 0, due_at = null`);
    expect(await readNotices()).toEqual([]);
  },
);

it('the list and the page of a lead agree on whether the customer wrote something unanswered', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const web = client(fixture);
  const { key } = await createKey({ name: 'Desk', scopes: ['inbox'], expiresAt: null }, context);
  const signedIn = await web.form('/inbox', { key });
  const headers = { cookie: signedIn.headers.get('set-cookie')!.split(';')[0]! };
  const verb = listActions(site).find(({ action }) => !action.effect)!;
  const steps: Record<string, (lead: string, text: string) => Promise<unknown>> = {
    write: (receipt, text) =>
      sendMessage.handle(
        sendMessage.parse({ receipt, text }, context),
        { channel: 'json' },
        context,
      ),
    ...Object.fromEntries(
      (
        [
          ['acknowledge', {}],
          ['ask', { text: 'When?' }],
          ['reply', { text: 'At 7.' }],
          ['offer', { amount: '45', currency: 'USD', expires: '48h' }],
          ['confirm', {}],
        ] as const
      ).map(([action, body]) => [
        action,
        (receiptToken: string) =>
          sendAsProvider({ receiptToken, action, actor: 'provider' }, body, context),
      ]),
    ),
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('write', ...Object.keys(steps)), { minLength: 2, maxLength: 6 }),
      async (names) => {
        const lead = await submitLead(context, verb);
        const { reference } = await readLog(lead, context);
        for (const [index, name] of names.entries()) {
          // The state may not allow the step.
          await steps[name]!(lead, `Message ${index}`).catch(() => undefined);
          const facts = (await describeDeadlines([reference!], context)).get(reference!)!;
          const page = await web.get(`/inbox/${reference}`, {}, { headers });
          const { newMessages } = (await page.json()) as LeadView;
          expect(newMessages.length > 0).toBe(facts.includes(inbox.entry.customerWrote));
        }
      },
    ),
    createPropertyParameters(chooseRepeatCount(15, 200)),
  );
});

describe('the deadline in the operator’s list', () => {
  const readDeadlines = async ({ context }: Fixture, lead: string) => [
    (await listLeads({}, { limit: 1 }, context))[0]!.respondBy,
    findNextAnswerDue(await readLog(lead, context), site.registry) ?? null,
  ];

  it.each(leadStatuses.filter((status) => status !== 'erased'))(
    'is that of the next answer for a lead that is %s',
    async (status) => {
      const fixture = await openFixture(site);
      const { lead } = await createLeadInState(fixture, status);
      const [listed, shown] = await readDeadlines(fixture, lead);
      expect(listed).toBe(shown);
      expect(listed !== null).toBe(statusesAwaitingAnswer.has(status));
    },
  );

  it('stays after an acknowledgment with a message, until the next message', async () => {
    const fixture = await openFixture(site);
    const { lead } = await createLeadInState(fixture, 'new');
    for (const [index, action] of (['acknowledge', 'reply'] as const).entries()) {
      await sendAsProvider(
        { receiptToken: lead, action, actor: 'provider' },
        { text: 'We will look today.' },
        fixture.context,
      );
      const [listed, shown] = await readDeadlines(fixture, lead);
      expect(listed).toBe(shown);
      expect(listed !== null).toBe(index === 0);
    }
  });
});

describe('the inbox’s list of leads to answer next', () => {
  it.each(leadStatuses)(
    'includes a lead that is %s when the provider owes an answer',
    async (status) => {
      const fixture = await openFixture(site);
      await createLeadInState(fixture, status);
      const due = await listUrgentLeads('all', fixture.context);
      const expected = statusesAwaitingAnswer.has(status) ? [status] : [];
      expect(due.map((lead) => lead.status)).toEqual(expected);
      const waiting = await listLeads({ waiting: true }, { limit: 10 }, fixture.context);
      expect(waiting.map((lead) => lead.status)).toEqual(expected);
    },
  );

  it('lists every waiting lead by deadline, also for the command', async () => {
    const fixture = await openFixture(site);
    const created = [];
    for (let index = 0; index < 3; index++) {
      created.push((await createLeadInState(fixture, 'new')).lead);
      fixture.advanceHours(24);
    }
    const read = (limit: number) => listWaitingLeads({}, limit, fixture.context);
    const waiting = await read(10);
    expect(waiting).toHaveLength(created.length);
    expect(waiting.map(({ dueAt }) => dueAt)).toEqual(waiting.map(({ dueAt }) => dueAt).sort());
    expect(waiting[0]!.dueAt < waiting.at(-1)!.dueAt).toBe(true);
    expect(await read(1)).toEqual(waiting.slice(0, 1));
  });

  it('includes a lead from each customer message until the provider answers it', async () => {
    const fixture = await openFixture(site);
    const { context } = fixture;
    const { json: post } = client(fixture);
    const { lead } = await createLeadInState(fixture, 'needs_info');
    const params = { receipt: lead };
    const messages = '/api/lead/{receipt}/messages';
    const due = async () => (await listUrgentLeads('all', context)).map(({ dueAt }) => dueAt);
    expect(await due()).toEqual([]);

    fixture.advanceHours(1);
    const sent = context.now();
    await post(messages, { text: 'It has two doors.' }, { params });
    const first = await due();
    expect(first).toHaveLength(1);
    const [{ subsite, action }] = (await fixture.rows('leads')) as [LeadForDeadline];
    const promised = (time: Date) =>
      computeAnswerDeadline(site.registry, { subsite, action }, time);
    expect(first[0]! >= promised(sent)).toBe(true);
    expect(first[0]! <= promised(context.now())).toBe(true);
    fixture.advanceHours(1);
    await post(messages, { text: 'And a window.' }, { params });
    expect(await due()).toEqual(first);

    const offerId = await makeOffer(fixture, lead);
    expect(await due()).toEqual([]);
    await post(messages, { accept: offerId }, { params });
    const [accepted] = await due();
    expect(accepted! >= first[0]!).toBe(true);
  });

  it('excludes a lead that was confirmed by acceptance of its offer', async () => {
    const fixture = await openFixture(site);
    const { lead, offerId } = await createLeadInState(fixture, 'quoted', { confirmOnAccept: true });
    const { json: post } = client(fixture);
    const response = await post(
      '/api/lead/{receipt}/messages',
      { accept: offerId },
      { params: { receipt: lead } },
    );
    expect(await response.json()).toMatchObject({ status: 'confirmed' });
    expect(await listUrgentLeads('all', fixture.context)).toEqual([]);
  });

  it('includes an accepted offer that is overdue, because only new leads expire', async () => {
    const fixture = await openFixture(site);
    await createLeadInState(fixture, 'accepted');
    await createLeadInState(fixture, 'new');
    fixture.advanceHours(hours + 100);
    expect(await expireLeads(fixture.context)).toBe(1);
    const due = await listUrgentLeads('all', fixture.context);
    expect(due.map(({ status }) => status)).toEqual(['accepted']);
  });
});

it.each(site.registry.subsites.filter((subsite) => !subsite.hours))(
  'the answer of $name is due within the time that its form promises',
  ({ name }) => {
    for (const minute of [0, 1, 14, 15, 59]) {
      const moment = new Date(Date.UTC(2031, 4, 6, 12, minute, 30));
      const due = Date.parse(
        computeAnswerDeadline(site.registry, { subsite: name, action: null }, moment),
      );
      expect(due - moment.getTime()).toBeLessThanOrEqual(hours * 3_600_000);
      expect(due - moment.getTime()).toBeGreaterThan((hours - 0.26) * 3_600_000);
    }
  },
);

describe('requests that cannot wait in the inbox', () => {
  const { verb, name, emergency, other } = findEmergency(site);
  const phone = { phone: '(727) 555-0142' };

  it.each(['all', [verb.subsite.name]] as const)(
    'come first if they are emergencies, even after ten others that are due sooner, for %s',
    async (access) => {
      const { context, advanceHours } = await openFixture(site);
      for (let count = 0; count < 10; count++)
        await submitLead(context, verb, phone, { [name]: other });
      advanceHours(24);
      const lastLead = await submitLead(context, verb, phone, { [name]: emergency });
      const due = await listUrgentLeads(access, context);
      expect(due).toHaveLength(10);
      const log = await readLog(lastLead, context);
      expect(due[0]!.reference).toBe(log.reference);
      // The customer reads that they should call; the provider does not need to call its own number.
      const shown = shownTermsOf(log, context.now(), site);
      expect(shown.warnings!.map(({ code }) => code)).toContain('emergency');
      expect(describeTerms(shown, site).flat().join()).not.toContain('Do not wait');
      expect(new Set(due.map(({ reference }) => reference)).size).toBe(10);
      expect(due.map((lead) => lead.emergency)).toEqual([true, ...Array(9).fill(false)]);
      const listed = await listLeads({}, { limit: 2 }, context);
      expect(listed.map((lead) => lead.emergency)).toEqual([true, false]);
    },
  );

  it('stay listed for a call about an offer that is not emailed, until it is confirmed or ends', async () => {
    const fixture = await openFixture(site);
    const { context } = fixture;
    const send = (receiptToken: string, action: ProviderAction, body: object = {}) =>
      sendAsProvider({ receiptToken, action, actor: 'provider' }, body, context);
    const countLeadsToCall = async () => (await listLeadsToCall('all', context)).length;
    const offer = { amount: '95', currency: 'USD', expires: '24h' };
    const lead = await submitLead(context, verb, phone, { [name]: other });
    await send(lead, 'offer', offer);
    expect(await countLeadsToCall()).toBe(1);
    const { reference } = await readLog(lead, context);
    const newest = (await fixture.rows('outbox')).at(-1)!;
    const mail = await composeMail((await readLeadEvent(String(newest['id']), context))!, context);
    expect(mail.text).toContain('The customer may not know about your answer until you call them.');
    expect(mail.text).not.toContain('No answer is due from you');
    await send(lead, 'confirm', { accepted: true });
    // The provider talked to the customer about the acceptance.
    expect(await countLeadsToCall()).toBe(0);
    const visits = async (access: LeadAccess) =>
      (await listVisitsWithoutTime(access, context)).map((one) => one.reference);
    expect(await visits('all')).toEqual([reference]);
    expect(await visits([verb.subsite.name])).toEqual([reference]);
    expect(await visits(['another'])).toEqual([]);
    for (const text of ['Please clear the driveway.', 'Friday at 9?'])
      await send(lead, 'reply', { text });
    expect(await visits('all')).toEqual([reference]);
    await send(lead, 'confirm', { text: 'We will come at 8 AM.' });
    expect(await visits('all')).toEqual([]);
    const rows = await describeRows([reference!], context);
    expect(rows.get(reference!)).toMatch(/ · “We will come at 8 AM\.”$/);
    await send(lead, 'confirm', {
      text: `We will come at 9 AM. ${'🚿'.repeat(41)} ${'🚿'.repeat(50)}`,
    });
    expect((await describeRows([reference!], context)).get(reference!)).toMatch(
      / · “We will come at 9 AM\. 🚿{41}…”$/u,
    );
    const thankedLead = await submitLead(context, verb, phone, { [name]: other });
    await send(thankedLead, 'reply', { text: 'Thank you for your call.' });
    await send(thankedLead, 'confirm');
    expect(await visits('all')).toHaveLength(1);
    await send(thankedLead, 'reply', { text: 'We will come at 9 on Friday.' });
    expect(await visits('all')).toEqual([]);
    const timedLead = await submitLead(context, verb, phone, { [name]: other });
    await send(timedLead, 'offer', { ...offer, description: 'Visit today at 8 AM' });
    await send(timedLead, 'confirm', { accepted: true });
    expect(await visits('all')).toEqual([]);
  });

  it('await a confirmation on the day on which the customer accepts an offer', async () => {
    const fixture = await openFixture(site);
    const { context, advanceHours } = fixture;
    const { timeZone } = site.registry.network;
    const { subsite } = verb;
    const day = Array.from({ length: 14 }, (_, index) =>
      addDays(toDateInTimeZone(timeZone, context.now()), index + 1),
    ).find((one) => hoursOn(subsite, one) && hoursOn(subsite, addDays(one, 1)))!;
    const closing = toTimeOnDay(timeZone, day, hoursOn(subsite, day)!.closes).getTime();
    const advanceTo = (time: number) => advanceHours((time - context.now().getTime()) / 3_600_000);
    const acceptAt = async (time: number, choice: string) => {
      const receipt = await submitLead(context, verb, undefined, { [name]: choice });
      const offerId = await makeOffer(fixture, receipt);
      advanceTo(time);
      const input = sendMessage.parse({ receipt, accept: offerId }, context);
      await sendMessage.handle(input, { channel: 'json' }, context);
      const newest = (await fixture.rows('outbox')).at(-1)!;
      const log = await readLog(receipt, context);
      const event = (await readLeadEvent(String(newest['id']), context))!;
      const { text } = renderPersonMail('accepted', event, log, { site });
      return { text, due: Date.parse(log.dueAt!) };
    };
    const hour = 3_600_000;
    advanceTo(closing - 9 * hour);
    const ordinary = await acceptAt(closing - 3 * hour, other);
    expect(ordinary.due).toBeGreaterThan(closing);
    expect(ordinary.text).toContain('Answer promised by: ');
    advanceTo(closing - 2.5 * hour);
    const urgent = await acceptAt(closing - 2 * hour, emergency);
    expect(urgent.due).toBeLessThanOrEqual(closing);
    expect(urgent.due).toBeGreaterThan(closing - hour);
    const callInstruction = `If you hear nothing soon, call ${phoneOf(subsite, site.registry)}.`;
    // Outside its hours, only a call reaches the service.
    const late = await acceptAt(closing + hour, emergency);
    expect(late.due).toBeGreaterThan(closing + 12 * hour);
    for (const { text } of [urgent, late]) {
      expect(text).toContain(callInstruction);
      expect(text).not.toContain('Answer promised by: ');
    }
  });

  it('are listed as visits without a time even behind many newer visits with one', async () => {
    const { context } = await openFixture(site);
    const confirm = async (texts: readonly string[]) => {
      const receiptToken = await submitLead(context, verb, phone, { [name]: other });
      const send = (action: ProviderAction, body: object) =>
        sendAsProvider({ receiptToken, action, actor: 'provider' }, body, context);
      for (const text of texts) await send('acknowledge', { text });
      await send('confirm', {});
      return (await readLog(receiptToken, context)).reference;
    };
    const reference = await confirm([]);
    for (let count = 0; count < 51; count++) await confirm(['We will come at 8 AM.']);
    const visits = await listVisitsWithoutTime('all', context);
    expect(visits.map((one) => one.reference)).toEqual([reference]);
  });

  it.each([
    ['ask', { text: 'Gas?' }],
    ['offer', { amount: '95', currency: 'USD', expires: '24h' }],
    ['reply', { text: 'We have it.' }],
    ['confirm', { text: 'We will come at 2 PM.' }],
    ['decline', {}],
  ] as const)(
    'stay listed for a call after “%s” until the provider notes the call or the customer writes',
    async (action, body) => {
      const fixture = await openFixture(site);
      const { context } = fixture;
      const listReferencesToCall = async () =>
        (await listLeadsToCall('all', context)).map(({ reference }) => reference);
      const answer = async (contact: object) => {
        const lead = await submitLead(context, verb, contact, { [name]: other });
        await sendAsProvider({ receiptToken: lead, action, actor: 'provider' }, body, context);
        return lead;
      };
      const lead = await answer(phone);
      await answer({ ...phone, email: 'dana@example.com' });
      const { reference } = await readLog(lead, context);
      expect(await listReferencesToCall()).toEqual([reference]);
      fixture.advanceHours(100);
      expect(await listReferencesToCall()).toEqual([reference]);
      const { entries } = await readLog(lead, context);
      await recordCall(lead, undefined, context);
      expect(await listReferencesToCall()).toEqual([]);
      const called = await readLog(lead, context);
      expect(called.entries.at(-1)).toEqual({
        ...entries.at(-1),
        calledAt: expect.any(String) as string,
      });
      expect(shownTermsOf(called, context.now(), site).isCallDue).toBe(false);
      if (action === 'decline') return;
      await sendAsProvider(
        { receiptToken: lead, action: 'reply', actor: 'provider' },
        { text: 'Anything else?' },
        context,
      );
      expect(await listReferencesToCall()).toEqual([reference]);
      await client(fixture).json(
        '/api/lead/{receipt}/messages',
        { text: 'No.' },
        { params: { receipt: lead } },
      );
      expect(await listReferencesToCall()).toEqual([]);
    },
  );

  it('stay listed for a call about an answer that was sent while the page with the noted call was open', async () => {
    const fixture = await openFixture(site);
    const { context } = fixture;
    const lead = await submitLead(context, verb, phone, { [name]: other });
    const send = (text: string) =>
      sendAsProvider({ receiptToken: lead, action: 'reply', actor: 'provider' }, { text }, context);
    await send('We have it.');
    const { entries, reference } = await readLog(lead, context);
    await send('We will come at 2 PM.');
    const { key } = await createKey({ name: 'Desk', scopes: ['inbox'], expiresAt: null }, context);
    const web = client(fixture);
    const signedIn = await web.form('/inbox', { key });
    const headers = { cookie: signedIn.headers.get('set-cookie')!.split(';')[0]! };
    const path = `/inbox/${reference}`;
    const { formToken } = (await (await web.get(path, {}, { headers })).json()) as LeadView;
    const note = async (revision: number) => {
      const texts = { task: 'called', form: formToken, revision: `${revision}` };
      const { status, headers: sent } = await web.form(path, texts, { headers });
      return [status, sent.get('location')];
    };
    const declinedLead = await submitLead(context, verb, phone, { [name]: other });
    await sendAsProvider(
      { receiptToken: declinedLead, action: 'decline', actor: 'provider' },
      {},
      context,
    );
    const next = (await readLog(declinedLead, context)).reference;
    const listReferencesToCall = async () =>
      (await listLeadsToCall('all', context)).map((one) => one.reference);
    expect([await note(entries.length), await listReferencesToCall()]).toEqual([
      [409, null],
      [reference, next],
    ]);
    const recordedPath = `${path}?called`;
    expect([await note(entries.length + 1), await listReferencesToCall()]).toEqual([
      [303, recordedPath],
      [next],
    ]);
    const readRemainingCalls = async (page: string) =>
      ((await (await web.get(page, {}, { headers })).json()) as LeadView).remainingCalls;
    expect(await readRemainingCalls(recordedPath)).toMatchObject({
      count: '1',
      next: { reference: next },
    });
    expect(await readRemainingCalls(`/inbox/${next}?called`)).toBeUndefined();
    await recordCall(declinedLead, undefined, context);
    expect(await readRemainingCalls(recordedPath)).toEqual({ count: '0' });
    expect(await readRemainingCalls(path)).toBeUndefined();
  });

  it('are to be called if the mail server rejects their email address permanently', async () => {
    const fixture = await openFixture(site);
    const { context } = fixture;
    const listReferencesToCall = async () =>
      (await listLeadsToCall('all', context)).map((one) => one.reference);
    let result: AttemptResult = { outcome: 'address_rejected', response: '550 5.1.1' };
    const createChannel = (channelName: Channel['name'], send: Channel['send']): Channel => ({
      name: channelName,
      accepts: () => true,
      send,
    });
    const channels = [
      createChannel('person', () => Promise.resolve(result)),
      createChannel('mail', () => Promise.resolve({ outcome: 'sent' })),
    ];
    const deliverAll = () => drain(channels, context, { rounds: 2 });
    const contact = { ...phone, email: 'dana@bounce.example.com' };
    const submit = () => submitLead(context, verb, contact, { [name]: other });
    const ask = (receiptToken: string) =>
      sendAsProvider({ receiptToken, action: 'ask', actor: 'provider' }, { text: 'Gas?' }, context);
    const isCallDue = async (lead: string) =>
      shownTermsOf(await readLog(lead, context), context.now(), site).isCallDue;

    const lead = await submit();
    const { reference } = await readLog(lead, context);
    await deliverAll();
    expect([await listReferencesToCall(), await isCallDue(lead)]).toEqual([[], false]);
    await ask(lead);
    expect([await listReferencesToCall(), await isCallDue(lead)]).toEqual([[reference], true]);
    await recordCall(lead, undefined, context);
    await deliverAll();
    expect([await listReferencesToCall(), await isCallDue(lead)]).toEqual([[], false]);

    // The first email about another lead fails only after the answer.
    const later = await submit();
    await ask(later);
    expect(await listReferencesToCall()).toEqual([]);
    result = { outcome: 'address_rejected', response: '450 4.1.1' };
    await deliverAll();
    expect(await listReferencesToCall()).toEqual([]);
    result = { outcome: 'address_rejected', response: '550' };
    await deliverAll();
    expect(await listReferencesToCall()).toEqual([(await readLog(later, context)).reference]);
    expect(await isCallDue(later)).toBe(true);
    result = { outcome: 'sent' };
    await redeliverLead(later, context);
    await deliverAll();
    expect([await listReferencesToCall(), await isCallDue(later)]).toEqual([[], false]);
  });

  it('are listed for calls in the order of their answers, but first if they are confirmed', async () => {
    const fixture = await openFixture(site);
    const { context } = fixture;
    const answer = async (action: ProviderAction, text: string) => {
      const receiptToken = await submitLead(context, verb, phone, { [name]: other });
      await sendAsProvider({ receiptToken, action, actor: 'provider' }, { text }, context);
      fixture.advanceHours(1);
      return (await readLog(receiptToken, context)).reference!;
    };
    const [first, second] = [await answer('ask', 'Gas?'), await answer('decline', 'Too far.')];
    const confirmed = [
      await answer('confirm', 'We will come at 2 PM.'),
      await answer('confirm', 'We will come at 4 PM.'),
    ];
    const last = await answer('reply', 'We have it.');
    const listedLeads = await listLeadsToCall('all', context);
    expect(listedLeads.map(({ reference }) => reference)).toEqual([
      ...confirmed,
      first,
      second,
      last,
    ]);
  });

  it('are counted up to the maximum besides those that are listed', async () => {
    const { context } = await openFixture(site);
    for (let count = 0; count < 14; count++)
      await submitLead(context, verb, phone, { [name]: other });
    const readMoreDue = async (maxCount: number) =>
      (await readInboxOverview('all', maxCount, context)).moreDue;
    expect([await readMoreDue(100), await readMoreDue(3)]).toEqual([4, 3]);
    for (let count = 0; count < 12; count++)
      await sendAsProvider(
        {
          receiptToken: await submitLead(context, verb, phone, { [name]: other }),
          action: 'ask',
          actor: 'provider',
        },
        { text: 'Gas?' },
        context,
      );
    const readMoreToCall = async (access: LeadAccess, maxCount: number) =>
      (await readInboxOverview(access, maxCount, context)).moreToCall;
    expect([await readMoreToCall('all', 100), await readMoreToCall('all', 1)]).toEqual([2, 1]);
    expect(await readMoreToCall(['another'], 100)).toBe(0);
  });

  it.each(['reply', 'ask', 'offer'] as const)(
    'stay listed as emergencies after “%s”, until they are confirmed or end',
    async (action) => {
      const { context } = await openFixture(site);
      const send = (providerAction: ProviderAction, body: object) =>
        sendAsProvider(
          { receiptToken: lead, action: providerAction, actor: 'provider' },
          body,
          context,
        );
      const lead = await submitLead(context, verb, phone, { [name]: emergency });
      const { reference } = await readLog(lead, context);
      const listed = async (access: LeadAccess) =>
        (await listAnsweredEmergencies(access, context)).map((one) => one.reference);
      expect(await listed('all')).toEqual([]);
      await send(
        action,
        action === 'offer' ? { amount: '95', currency: 'USD', expires: '24h' } : { text: 'Gas?' },
      );
      expect(await listed('all')).toEqual([reference]);
      expect(await listed([verb.subsite.name])).toEqual([reference]);
      expect(await listed(['another'])).toEqual([]);
      const facts = await describeDeadlines([reference!], context);
      expect(facts.get(reference!)).toContain('nothing agreed yet');
      if (action === 'ask') await send('acknowledge', {});
      await send('confirm', { text: 'We will come at 2 PM.' });
      expect(await listed('all')).toEqual([]);
    },
  );

  it('are due no later after an acceptance than they were before', async () => {
    const fixture = await openFixture(site);
    // While the service is open, a deadline depends on the minute.
    fixture.advanceHours(22);
    const lead = await submitLead(fixture.context, verb, phone, { [name]: other });
    const { firstAnswerDue } = await readLog(lead, fixture.context);
    const accept = await makeOffer(fixture, lead);
    fixture.advanceHours(0.1);
    await client(fixture).json(
      '/api/lead/{receipt}/messages',
      { accept },
      { params: { receipt: lead } },
    );
    expect((await readLog(lead, fixture.context)).dueAt! <= firstAnswerDue).toBe(true);
  });

  it('come last if they are open questions to customers who get no email', async () => {
    const { context } = await openFixture(site);
    const askCustomer = async (contact: object) => {
      const lead = await submitLead(context, verb, contact, { [name]: other });
      await sendAsProvider(
        { receiptToken: lead, action: 'ask', actor: 'provider' },
        { text: 'Gas?' },
        context,
      );
      return lead;
    };
    const lead = await askCustomer(phone);
    await askCustomer({ ...phone, email: 'dana@example.com' });
    const listForAccess = async (access: LeadAccess) =>
      (await listLeadsToCall(access, context)).map(({ reference }) => reference);
    const expected = [(await readLog(lead, context)).reference];
    expect(await listForAccess('all')).toEqual(expected);
    expect(await listForAccess([verb.subsite.name])).toEqual(expected);
    expect(await listForAccess(['another'])).toEqual([]);
    await sendAsProvider(
      { receiptToken: lead, action: 'acknowledge', actor: 'provider' },
      {},
      context,
    );
    expect(await listForAccess('all')).toEqual([]);
  });
});
