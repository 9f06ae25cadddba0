import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { answerLead, readAnswerableLead } from '../../src/leads/conversation/answer-lead.ts';
import type { Offer } from '../../src/leads/conversation/conversation.ts';
import { answerAsProvider, sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderPersonMail } from '../../src/leads/deliveries/person/person-mail-text.ts';
import { composeMail } from '../../src/leads/deliveries/mail.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { type LeadState, statusOf } from '../../src/leads/status/lead-status.ts';
import { computeAnswerDeadline } from '../../src/leads/status/promised-answer.ts';
import { receiptStateOf } from '../../src/leads/status/receipt-state.ts';
import { describeConfirmation } from '../../src/leads/status/describe-terms.ts';
import { findAgreedOffer } from '../../src/leads/status/agreement.ts';
import { shownTermsOf } from '../../src/leads/status/shown-terms.ts';
import { timelineOf } from '../../src/leads/status/timeline.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { Problem } from '../../src/operation/problem.ts';
import {
  addDays,
  toDateInTimeZone,
  countDaysBetween,
  endOfDay,
  toTimeOnDay,
} from '../../src/site/calendar/days.ts';
import { createProviderBody } from '../../src/http/pages/page-post.ts';
import type { AnswerView } from '../../src/http/views.ts';
import { computeRentalTotal } from '../../src/site/prices/rental.ts';
import { listRequirements } from '../../src/site/forms/requirements.ts';
import { findSubsite, itemsOf } from '../../src/site/registry.ts';
import { formatPlannedDay, formatPlannedDays } from '../../src/site/words/words.ts';
import { formatOfferedPrice } from '../../src/site/words/offer-words.ts';
import { openFixture, sites, type Fixture } from '../operations/setup/fixture.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { listActions } from '../operations/setup/actions.ts';
import { createPropertyParameters } from '../setup/seeds.ts';
import { client } from '../transports/setup/send.ts';

/** The hold actions of both networks. */
const holdActions = sites.flatMap(({ site }) =>
  listActions(site).flatMap((verb) =>
    verb.action.effect?.kind === 'hold' ? [{ ...verb, site, effect: verb.action.effect }] : [],
  ),
);
type HoldAction = (typeof holdActions)[number];

/** A requested or offered item with its days. */
interface HeldDays {
  item: string;
  from: string;
  to: string;
}

const price = { amount: '129', currency: 'USD', expires: '24h' };

/** Both sides of the requests for one hold action. */
function createSides({ subsite, action, effect }: HoldAction, { context }: Fixture) {
  const call = { channel: 'json' as const };
  return {
    async ask({ item, from, to }: HeldDays): Promise<string> {
      const body = {
        subsite: subsite.name,
        action: action.verb,
        contact: { email: 'dana@example.com' },
        fields: {
          ...exampleValuesOf(action.fields),
          [effect.itemField]: item,
          [effect.fromField]: from,
          [effect.toField]: to,
        },
      };
      const { output } = await submitAction.handle(
        submitAction.parse(body, context),
        call,
        context,
      );
      return output.receiptToken;
    },
    actAsProvider: (lead: string, action: 'offer' | 'confirm' | 'decline', body: object = {}) =>
      sendAsProvider({ receiptToken: lead, action, actor: 'provider' }, body, context),
    async answer(receipt: string, body: object): Promise<LeadState> {
      const input = sendMessage.parse({ ...body, receipt }, context);
      return (await sendMessage.handle(input, call, context)).output;
    },
  };
}

/** The rows of live holds. */
async function readLiveHolds({ rows, context }: Fixture) {
  const now = context.now().toISOString();
  return (await rows('holds')).filter(
    ({ released_at, expires_at }) =>
      released_at === null && (expires_at === null || expires_at > now),
  );
}

describe.each(holdActions)('an offer with another item or other days, $label', (verb) => {
  const items = itemsOf(verb.site.registry, verb.effect.catalog);
  const [first, second] = items as [(typeof items)[number], (typeof items)[number]];
  const requested = { item: first.id, from: '2027-05-03', to: '2027-05-04' };
  const offered = { item: second.id, from: '2027-05-10', to: '2027-05-12' };
  const openSides = async () => {
    const fixture = await openFixture(verb.site);
    return { fixture, ...createSides(verb, fixture), ...client(fixture) };
  };

  it('is not sent from the form without its days, which the form fills in', async () => {
    const { fixture, ask } = await openSides();
    const lead = await ask(requested);
    const problem = await problemOf(() =>
      sendAsProvider(
        { receiptToken: lead, action: 'offer', actor: 'provider', channel: 'form' },
        { ...price, item: second.id },
        fixture.context,
      ),
    );
    expect(problem.errors).toEqual([
      { pointer: '/from', message: 'Choose a day.' },
      { pointer: '/to', message: 'Choose a day.' },
    ]);
  });

  it('is held along with the request until it is answered, and booked instead of the request when accepted', async () => {
    const { fixture, ask, actAsProvider, answer, get, json } = await openSides();
    const lead = await ask(requested);
    const newest = async () =>
      (await readLeadEvent(String((await fixture.rows('outbox')).at(-1)!['id']), fixture.context))!;
    const { links } = await newest();
    await json(new URL(links.offer!).pathname, { ...price, ...offered });
    const mail = renderPersonMail('offer', await newest(), await readLog(lead, fixture.context), {
      site: verb.site,
    });
    expect(mail.text).toMatch(
      new RegExp(`Offered:[|\\s]+${second.title}, Monday, May 10, 2027 to Wednesday, May 12, 2027`),
    );
    expect(mail.text).toContain('It is held for you until the offer ends.');
    expect(mail.text).toMatch(/What you asked for is held for you until: \w+, /);
    expect(mail.text).not.toMatch(/^Held for you/m);
    const status = (await (await get('/api/lead/{receipt}', { receipt: lead })).json()) as any;
    expect(status.offer).toMatchObject({ ...offered, itemTitle: second.title });
    expect(status.messages.at(-1).offer).toMatchObject(offered);
    expect(status.hold).toMatchObject(requested);
    expect((await readLiveHolds(fixture)).map(({ item }) => item).sort()).toEqual(
      [first.id, second.id].sort(),
    );
    const accepted = await answer(lead, { accept: status.offer.offerId });
    expect(accepted.hold).toMatchObject(offered);
    expect((await readLiveHolds(fixture)).map(({ item }) => item)).toEqual([second.id]);
    const fields = Object.fromEntries(
      accepted.request.fields.map(({ name, value }) => [name, value]),
    );
    expect(fields).toMatchObject({
      [verb.effect.fromField]: offered.from,
      [verb.effect.toField]: offered.to,
    });
    await actAsProvider(lead, 'confirm');
    const log = await readLog(lead, fixture.context);
    expect(log.hold).toEqual({ ...offered, expiresAt: null });
    expect(log.fields[verb.effect.itemField]).toBe(second.id);
  });

  it('is to be confirmed in time for the accepted days', async () => {
    const { fixture, ask, actAsProvider, answer } = await openSides();
    const { context } = fixture;
    const { timeZone } = verb.site.registry.network;
    const lead = await ask(requested);
    const from = addDays(toDateInTimeZone(timeZone, context.now()), 1);
    await actAsProvider(lead, 'offer', { ...price, expires: '1h', from, to: from });
    const offer = (await readLog(lead, context)).entries.at(-1)!.offer!;
    const accepted = await answer(lead, { accept: offer.offerId });
    const { action, subsite, fields } = await readLog(lead, context);
    expect(accepted.respondBy).toBe(
      computeAnswerDeadline(verb.site.registry, { subsite, action, fields }, context.now()),
    );
    expect(accepted.respondBy! < endOfDay(timeZone, from).toISOString()).toBe(true);
  });

  it('is held no shorter after the acceptance than the request was before', async () => {
    const { fixture, ask, actAsProvider, answer } = await openSides();
    const lead = await ask(requested);
    const before = (await readLog(lead, fixture.context)).hold!.expiresAt!;
    await actAsProvider(lead, 'offer', { ...price, expires: '1h', ...offered });
    const offer = (await readLog(lead, fixture.context)).entries.at(-1)!.offer!;
    const { hold } = await answer(lead, { accept: offer.offerId });
    expect(hold).toMatchObject(offered);
    expect(hold!.expiresAt! >= before).toBe(true);
  });

  it('is shown separately from the request, whose hold is unchanged', async () => {
    const { fixture, ask, actAsProvider, answer } = await openSides();
    const { context } = fixture;
    const lead = await ask(requested);
    const readReceiptHold = async () => {
      const [log, now] = [await readLog(lead, context), context.now()];
      const status = statusOf(log, now, verb.site);
      return receiptStateOf(
        status,
        timelineOf(log.entries),
        { ...log, hours: [], timeZone: verb.site.registry.network.timeZone },
        now,
      ).held;
    };
    const { from, to } = requested;
    expect(await readReceiptHold()).toMatchObject({ sentenceKey: 'held', from, to });
    await actAsProvider(lead, 'offer', { ...price, ...offered });
    expect(await readReceiptHold()).toMatchObject({ sentenceKey: 'heldAlongsideOffer', from, to });
    const offer = (await readLog(lead, context)).entries.at(-1)!.offer!;
    await answer(lead, { accept: offer.offerId });
    expect(await readReceiptHold()).toMatchObject({
      sentenceKey: 'held',
      from: offered.from,
      to: offered.to,
    });
  });

  it('comes with what it requires and the published price for its own item and days', async () => {
    const { fixture, ask, actAsProvider } = await openSides();
    const lead = await ask(requested);
    const requirementsOf = (days: HeldDays) =>
      listRequirements(verb.action, { [verb.effect.itemField]: days.item });
    const requiredOnlyBefore = requirementsOf(requested).filter(
      (one) => !requirementsOf(offered).includes(one),
    );
    await actAsProvider(lead, 'offer', { ...price, ...offered });
    const { context } = fixture;
    const log = await readLog(lead, context);
    const terms = shownTermsOf(log, context.now(), verb.site);
    expect(terms.requirements).toEqual(requirementsOf(offered));
    const total = computeRentalTotal(
      { ...verb.effect, salesTaxPercent: verb.action.salesTaxPercent },
      second,
      offered,
    );
    expect(terms.published ?? '').toContain(total?.price ?? '');
    const event = await readLeadEvent(
      String((await fixture.rows('outbox')).at(-1)!['id']),
      context,
    );
    const { text } = renderPersonMail('offer', event!, log, { site: verb.site });
    for (const one of requirementsOf(offered)) expect(text).toContain(`- ${one}`);
    for (const one of requiredOnlyBefore) expect(text).not.toContain(one);
  });

  it('lists what was agreed in email about earlier events that is sent after acceptance', async () => {
    const { fixture, ask, actAsProvider, answer } = await openSides();
    const { context } = fixture;
    const lead = await ask(requested);
    await actAsProvider(lead, 'offer', { ...price, ...offered });
    const offer = (await readLog(lead, context)).entries.at(-1)!.offer!;
    await answer(lead, { accept: offer.offerId });
    const [requestEvent, , acceptEvent] = (await fixture.rows('outbox')).map(({ id }) =>
      String(id),
    );
    const renderMailsForEvent = async (id: string) => {
      const event = (await readLeadEvent(id, context))!;
      const log = await readLog(lead, context);
      const customerText = renderPersonMail('offer', event, log, { site: verb.site }).text;
      return [(await composeMail(event, context)).text, customerText].map((text) =>
        text.slice(text.indexOf('Service: ')).replaceAll(/[|\s]+/g, ' '),
      );
    };
    for (const text of (
      await Promise.all([requestEvent, acceptEvent].map((id) => renderMailsForEvent(id!)))
    ).flat()) {
      expect(text).toContain(second.title);
      expect(text).toContain(formatPlannedDay(offered.to));
      expect(text).not.toContain(first.title);
    }
  });

  it.each([
    ['declined', (open: Offer) => ({ decline: open.offerId })],
    ['withdrawn', () => ({ withdraw: true })],
  ])('is free for others once it is %s', async (_, createBody) => {
    const { fixture, ask, actAsProvider, answer } = await openSides();
    const lead = await ask(requested);
    await actAsProvider(lead, 'offer', { ...price, ...offered });
    const offer = (await readLog(lead, fixture.context)).entries.at(-1)!.offer!;
    const statusAfterAnswer = await answer(lead, createBody(offer));
    expect((await readLiveHolds(fixture)).map(({ item }) => item)).toEqual(
      statusAfterAnswer.status === 'acknowledged' ? [first.id] : [],
    );
  });

  it('is free for others once it has expired or been replaced', async () => {
    const { fixture, ask, actAsProvider } = await openSides();
    const lead = await ask(requested);
    await actAsProvider(lead, 'offer', { ...price, ...offered, expires: '1h' });
    fixture.advanceHours(2);
    expect(await readLiveHolds(fixture)).toMatchObject([createRequestedRow()]);
    await actAsProvider(lead, 'offer', { ...price, ...offered });
    await actAsProvider(lead, 'offer', price);
    expect(await readLiveHolds(fixture)).toMatchObject([createRequestedRow()]);
    await actAsProvider(lead, 'confirm');
    expect(await readLiveHolds(fixture)).toMatchObject([
      { ...createRequestedRow(), expires_at: null },
    ]);
  });

  it('is released by a confirmation that says that the customer wants what they requested', async () => {
    const { fixture, ask, actAsProvider } = await openSides();
    const lead = await ask(requested);
    await actAsProvider(lead, 'offer', { ...price, ...offered });
    const problem = await problemOf(() => actAsProvider(lead, 'confirm'));
    expect(problem.errors![0]!.message).toContain('send accepted: false');
    const body = createProviderBody({ asRequested: 'yes' }, 'confirm');
    await actAsProvider(lead, 'confirm', body);
    expect(await readLiveHolds(fixture)).toMatchObject([
      { ...createRequestedRow(), expires_at: null },
    ]);
    const log = await readLog(lead, fixture.context);
    expect(findAgreedOffer(log)).toBeUndefined();
    const bodyWithBoth = createProviderBody({ accepted: 'yes', asRequested: 'yes' }, 'confirm');
    expect(bodyWithBoth).toEqual({});
  });

  it('is booked by a confirmation that the customer accepted by phone, never the requested item', async () => {
    const { fixture, ask, actAsProvider } = await openSides();
    const { context } = fixture;
    const lead = await ask(requested);
    await actAsProvider(lead, 'offer', { ...price, ...offered });
    const problem = await problemOf(() => actAsProvider(lead, 'confirm'));
    expect([problem.code, problem.errors![0]!.pointer]).toEqual(['invalid_input', '/accepted']);
    expect(problem.errors![0]!.message).toContain('for a different item or different days');
    const terms = async () => shownTermsOf(await readLog(lead, context), context.now(), verb.site);
    const confirmationText = describeConfirmation(await terms(), 'confirming');
    expect(confirmationText).toContain(`${second.title}, ${formatPlannedDays(offered)}`);
    expect(confirmationText).toContain('check “The customer accepted this offer by phone”');
    expect(confirmationText).not.toContain('Books');
    const { links } = (await readLeadEvent(
      String((await fixture.rows('outbox')).at(-1)!['id']),
      context,
    ))!;
    const { json } = client(fixture);
    const response = await json(new URL(links.confirm!).pathname, { accepted: true });
    expect(await response.json()).toMatchObject({
      status: 'confirmed',
      price: { amount: '129.00' },
      says: expect.stringContaining(second.title) as string,
    });
    expect(await readLiveHolds(fixture)).toMatchObject([
      { item: second.id, from_day: offered.from, to_day: offered.to, offer: '', expires_at: null },
    ]);
    const log = await readLog(lead, context);
    const { next, offer, hold, price: agreed, messages } = statusOf(log, context.now(), verb.site);
    expect({ next, offer, hold }).toEqual({ next: ['reply', 'withdraw', 'erase'], hold: offered });
    expect(agreed!.offerId).toBe(messages[0]!.offer!.offerId);
    expect(messages[0]!.offer!.state).toBe('accepted');
    expect(timelineOf(log.entries).map(({ step }) => step)).toEqual([
      'new',
      'quoted',
      'phone_acceptance',
      'confirmed',
    ]);
  });
  const createRequestedRow = () => ({
    item: first.id,
    from_day: requested.from,
    to_day: requested.to,
  });

  it('is refused if the item is taken, with the free items and days', async () => {
    const { fixture, ask, actAsProvider } = await openSides();
    const lead = await ask(requested);
    for (let unit = 0; unit < (second.units ?? 1); unit++) await ask(offered);
    const problem = await problemOf(() => actAsProvider(lead, 'offer', { ...price, ...offered }));
    expect(problem.code).toBe('conflict');
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/item', '/from', '/to']);
    expect(problem.errors?.[0]?.allowed).toContain(first.id);
    expect(problem.errors?.[1]?.allowed).toContain('2027-05-13');
    expect((await readLog(lead, fixture.context)).status).toBe('new');
  });

  it('may offer the same item for other days that overlap the requested days', async () => {
    const { fixture, ask, actAsProvider, answer } = await openSides();
    const lead = await ask(requested);
    for (let unit = 1; unit < (first.units ?? 1); unit++) await ask(requested);
    await actAsProvider(lead, 'offer', { ...price, to: '2027-05-05', confirmOnAccept: true });
    const offer = (await readLog(lead, fixture.context)).entries.at(-1)!.offer!;
    expect(offer).toMatchObject({ ...requested, to: '2027-05-05' });
    expect((await answer(lead, { accept: offer.offerId })).hold).toEqual({
      ...requested,
      to: '2027-05-05',
    });
  });

  it('ends no later than when its first day begins', async () => {
    const { fixture, ask, actAsProvider } = await openSides();
    const { context } = fixture;
    const { timeZone } = verb.site.registry.network;
    const day = addDays(toDateInTimeZone(timeZone, context.now()), 3);
    const firstOffer = { item: first.id, from: day, to: addDays(day, 1) };
    const lead = await ask(requested);
    const secondLead = await ask({ ...firstOffer, item: second.id });
    for (const [token, days] of [
      [lead, firstOffer],
      [secondLead, {}],
    ] as const) {
      const offer = { ...price, ...days };
      const problem = await problemOf(() =>
        actAsProvider(token, 'offer', { ...offer, expires: '7d' }),
      );
      expect(problem.errors).toMatchObject([{ pointer: '/expires' }]);
      const hours = Number(/at most (\d+)h/.exec(problem.errors![0]!.message)?.[1]);
      expect(hours).toBeGreaterThan(24);
      expect(hours).toBeLessThan(24 * 4);
      const outcome = await answerAsProvider(
        { receiptToken: token, action: 'offer', actor: 'operator' },
        { ...offer, expires: `${hours}h` },
        context,
      );
      const shown = new Intl.DateTimeFormat('en-US', {
        timeZone,
        hour: 'numeric',
        minute: '2-digit',
      });
      const opens = findSubsite(verb.site.registry, verb.subsite.name)?.hours;
      expect(toDateInTimeZone(timeZone, new Date(outcome.expiresAt!))).toBe(day);
      if (!opens) expect(shown.format(new Date(outcome.expiresAt!))).toBe('12:00 AM');
      expect(outcome.says).toContain('The offer is open until');
    }
    const event = await readLeadEvent(
      String((await fixture.rows('outbox')).findLast((row) => row['lead'] === lead)!['id']),
      context,
    );
    const page = await readAnswerableLead(event!.links.offer!.split('/').at(-1)!, context);
    const { openUntil } = page.offerableHold!;
    await answerLead(
      event!.links.offer!.split('/').at(-1)!,
      () => ({
        ...price,
        ...{ expires: '30d', checkedAmount: price.amount },
        ...{ from: firstOffer.from, to: firstOffer.to },
      }),
      context,
      { channel: 'form', checkedDays: `${firstOffer.from}/${firstOffer.to}` },
    );
    const offer = (await readLog(lead, context)).entries.at(-1)!.offer!;
    expect(toDateInTimeZone(timeZone, new Date(offer.expiresAt))).toBe(day);
    expect(openUntil).toBeDefined();
  });

  it('can still be made on its first day until closing time, and after that only for other days', async () => {
    const { fixture, ask, actAsProvider } = await openSides();
    const { context } = fixture;
    const { timeZone } = verb.site.registry.network;
    const lead = await ask(requested);
    while (toDateInTimeZone(timeZone, context.now()) < requested.from) fixture.advanceHours(12);
    fixture.advanceHours(6);
    await actAsProvider(lead, 'offer', { ...price, expires: '1h' });
    const problem = await problemOf(() =>
      actAsProvider(lead, 'offer', { ...price, expires: '48h' }),
    );
    expect(problem.errors).toMatchObject([{ pointer: '/expires' }]);
    const { hours } = verb.subsite;
    fixture.advanceHours(18);
    expect(toDateInTimeZone(timeZone, context.now())).toBe(requested.to);
    for (const more of [{}, { amount: '140' }, { to: addDays(requested.to, 1) }]) {
      const refused = await problemOf(() => actAsProvider(lead, 'offer', { ...price, ...more }));
      expect(refused.errors).toMatchObject([
        { pointer: '/from', message: expect.stringContaining(`Choose ${requested.to}`) },
      ]);
    }
    await actAsProvider(lead, 'offer', { ...price, expires: '1h', from: requested.to });
    const closes = toTimeOnDay(timeZone, requested.to, hours?.[0]?.closes ?? '23:00');
    fixture.advanceHours((closes.getTime() - context.now().getTime()) / 3_600_000 + 0.1);
    const closed = problemOf(() => actAsProvider(lead, 'offer', { ...price, from: requested.to }));
    if (hours) expect((await closed).errors?.[0]?.message).toContain('we are closed until then');
  });

  it('never holds an item beyond its last day', async () => {
    const { fixture, ask, actAsProvider, answer } = await openSides();
    const { context } = fixture;
    const { timeZone } = verb.site.registry.network;
    const today = toDateInTimeZone(timeZone, context.now());
    const lead = await ask({ item: first.id, from: today, to: today });
    const end = endOfDay(timeZone, today).toISOString();
    const holdEndsByLastDay = async () => (await readLog(lead, context)).hold!.expiresAt! <= end;
    expect(await holdEndsByLastDay()).toBe(true);
    await actAsProvider(lead, 'offer', { ...price, expires: '1h' });
    const { offerId } = (await readLog(lead, context)).entries.at(-1)!.offer!;
    await answer(lead, { accept: offerId });
    expect(await holdEndsByLastDay()).toBe(true);
  });

  it('starts with the values of the latest offer, and is named on the page where it would end', async () => {
    const { fixture, ask, form, get } = await openSides();
    const lead = await ask(requested);
    const pageOf = async (action: 'offer' | 'confirm') => {
      const newest = (await fixture.rows('outbox')).at(-1)!;
      const { links } = (await readLeadEvent(String(newest['id']), fixture.context))!;
      const { pathname } = new URL(links[action]!);
      return { pathname, page: (await (await get(pathname, {})).json()) as AnswerView };
    };
    const { page: firstPage } = await pageOf('offer');
    expect(firstPage.formValues).toEqual({ expires: '48h' });
    const total = computeRentalTotal(
      { ...verb.effect, salesTaxPercent: verb.action.salesTaxPercent },
      second,
      offered,
    );
    const { says: confirmation } = await answerAsProvider(
      { receiptToken: lead, action: 'offer', actor: 'provider' },
      { ...price, ...offered, description: 'With a spare wheel', text: 'As agreed' },
      fixture.context,
    );
    if (total)
      expect(confirmation).toContain(
        `The published price of ${second.title} is ${[total.price, ...(total.withTax === undefined ? [] : [`${total.withTax} with sales tax`])].join(', ')}.`,
      );
    const { page, pathname } = await pageOf('offer');
    expect(page.lead.offerableHold).toMatchObject(offered);
    expect(page.formValues).toMatchObject({
      amount: '129.00',
      description: 'With a spare wheel',
    });
    expect(page.formValues).not.toHaveProperty('text');
    expect(page.lead.terms.openNote).toBe('As agreed');
    expect((await pageOf('confirm')).page.confirmationText).toContain(
      `(${second.title}, ${formatPlannedDays(offered)}, ${formatOfferedPrice({ amount: '129', currency: 'USD' }, 'provider', verb.action.salesTaxPercent)}) by phone`,
    );
    await form(pathname, {
      ...{ currency: 'USD', expires: '24h', free: 'yes', checkedAmount: '0' },
      ...requested,
    });
    const { offer } = (await readLog(lead, fixture.context)).entries.at(-1)!;
    expect(offer?.amount).toBe('0.00');
    await form((await pageOf('confirm')).pathname, { accepted: 'yes', text: '' });
    const decline = new URL(`/answer/${await readDeclineToken(fixture)}`, verb.site.base).pathname;
    expect(((await (await get(decline, {})).json()) as AnswerView).note).toBe('required');
  });
  const readDeclineToken = async (fixture: Fixture) => {
    const newest = (await fixture.rows('outbox')).at(-1)!;
    const { links } = (await readLeadEvent(String(newest['id']), fixture.context))!;
    return links.decline!.split('/').at(-1)!;
  };

  it('reports what is wrong with the item and the days', async () => {
    const { ask, actAsProvider } = await openSides();
    const lead = await ask(requested);
    for (const [wrongHold, pointer] of [
      [{ item: 'nothing-like-it' }, '/item'],
      [{ from: '2027-05-13' }, '/to'],
      [{ from: '2020-05-13' }, '/from'],
      [{ to: '2029-05-13' }, '/to'],
      [{ from: 'soon' }, '/from'],
    ] as const) {
      const problem = await problemOf(() =>
        actAsProvider(lead, 'offer', { ...price, ...wrongHold }),
      );
      expect(problem.code, JSON.stringify(wrongHold)).toBe('invalid_input');
      expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
    }
  });

  it('has all its errors reported at once, in the words of the form', async () => {
    const { fixture, ask, form } = await openSides();
    await ask(requested);
    const event = await readLeadEvent(
      String((await fixture.rows('outbox')).at(-1)!['id']),
      fixture.context,
    );
    const path = new URL(event!.links.offer!).pathname;
    const { faults } = (await (
      await form(path, {
        amount: 'sixty',
        currency: 'USD',
        expires: '24h',
        from: '2027-05-13',
        to: '2027-05-12',
      })
    ).json()) as AnswerView;
    expect(faults).toEqual({
      amount: 'The price has letters or words. Enter only the number, for example 450 or 450.00.',
      to: 'The last day is before the first day. Choose Thursday, May 13, 2027 or a later day.',
    });
  });

  it('never holds a unit for two requests on one day, and can be accepted while it is open', async () => {
    const day = (number: number) => addDays('2027-05-01', number);
    const anyHeldDays = fc
      .tuple(fc.constantFrom(first.id, second.id), fc.nat(5), fc.nat(2))
      .map(([item, from, days]) => ({ item, from: day(from), to: day(from + days) }));
    const anyStep = fc.oneof(
      { weight: 3, arbitrary: fc.record({ action: fc.constant('ask'), held: anyHeldDays }) },
      {
        weight: 4,
        arbitrary: fc.record({
          action: fc.constant('offer'),
          lead: fc.nat(9),
          held: anyHeldDays,
          confirmOnAccept: fc.boolean(),
        }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          action: fc.constantFrom('accept', 'accept', 'decline', 'withdraw', 'confirm'),
          lead: fc.nat(9),
          accepted: fc.boolean(),
        }),
      },
      { weight: 1, arbitrary: fc.record({ action: fc.constant('wait'), hours: fc.nat(40) }) },
    );
    type Step = {
      action: string;
      lead?: number;
      held?: HeldDays;
      hours?: number;
      confirmOnAccept?: boolean;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyStep, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
        async (rounds) => {
          const { fixture, ask, actAsProvider, answer } = await openSides();
          const leads: string[] = [];
          const runStep = async ({ action, lead: index = 0, held, hours, ...body }: Step) => {
            if (action === 'wait') return fixture.advanceHours(hours!);
            if (action === 'ask') return void leads.push(await ask(held!));
            const lead = leads[index % leads.length];
            if (lead === undefined) return;
            const { offerId } = (await readLog(lead, fixture.context)).entries.findLast(
              ({ offer }) => offer,
            )?.offer ?? { offerId: 'none' };
            if (action === 'offer')
              await actAsProvider(lead, 'offer', { ...price, ...held, ...body });
            else if (action === 'confirm') await actAsProvider(lead, 'confirm', body);
            else
              await answer(
                lead,
                action === 'withdraw' ? { withdraw: true } : { [action]: offerId },
              );
          };
          for (const round of rounds as Step[][]) {
            await Promise.all(
              round.map((step) =>
                runStep(step).catch((error: unknown) => {
                  if (!(error instanceof Problem)) throw error;
                  // A confirmation of an offer that is not open, or a second one, which changes the
                  // first and needs text.
                  const isRefused = ['/accepted', '/text'].includes(
                    error.errors?.[0]?.pointer ?? '',
                  );
                  if (error.code !== 'conflict' && !isRefused) throw error;
                }),
              ),
            );
            const days = new Map<string, string>();
            for (const { lead, item, unit, from_day, to_day } of await readLiveHolds(fixture))
              for (
                let dayOffset = countDaysBetween({ from: from_day, to: to_day });
                dayOffset >= 0;
                dayOffset--
              ) {
                const key = `${item} ${unit} ${addDays(from_day, dayOffset)}`;
                expect(days.get(key) ?? lead, key).toBe(lead);
                days.set(key, lead);
              }
          }
          for (const lead of leads) {
            const { next, offer } = (await (
              await client(fixture).get('/api/lead/{receipt}', { receipt: lead })
            ).json()) as LeadState;
            if (!next.includes('accept') || offer?.item === undefined) continue;
            const { hold } = await answer(lead, { accept: offer.offerId });
            expect(hold).toMatchObject({ item: offer.item, from: offer.from, to: offer.to });
          }
        },
      ),
      createPropertyParameters(20),
    );
  });
});
