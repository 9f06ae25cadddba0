import { expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { findService } from '../../src/leads/find-service.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderPersonMail } from '../../src/leads/deliveries/person/person-mail-text.ts';
import { describeVisit, visitOf } from '../../src/leads/status/visit.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { readStatus } from '../../src/leads/status/read-lead-status.ts';
import { phoneOf } from '../../src/site/phone.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { hoursOn } from '../../src/site/calendar/opening-hours.ts';
import { renderResult } from '../../src/components/search/search-result.ts';
import { createServiceDocument } from '../../src/search/services.ts';
import { toDateInTimeZone } from '../../src/site/calendar/days.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { client } from '../transports/setup/send.ts';

const { site } = sites[0]!;
const { timeZone } = site.registry.network;
/** 6 pm in New York on the day before Thanksgiving, 2026. */
const EVE = '2026-11-25T23:00:00Z';
const HOURS_TO_EVE = (Date.parse(EVE) - Date.parse(site.generatedAt)) / 3_600_000;

/**
 * Actions with a promised answer and without dates of their own, for services that open on Friday.
 */
const verbs = listActions(site).filter(
  ({ subsite, action }) =>
    hoursOn(subsite, '2026-11-27') &&
    action.purpose !== 'subscription' &&
    action.respondWithinHours <= 24 &&
    Object.values(action.fields).every(({ type }) => type !== 'date'),
);

it('some actions can be sent', () => expect(verbs.length).toBeGreaterThan(2));

it.each(verbs)(
  'a request sent on the eve of Thanksgiving is answered on Friday, not on the holiday: $label',
  async ({ subsite, action }) => {
    const fixture = await openFixture(site);
    const { json, get } = client(fixture);
    fixture.advanceHours(HOURS_TO_EVE);
    const response = await json('/api/lead/action', {
      subsite: subsite.name,
      action: action.verb,
      fields: exampleValuesOf(action.fields),
      contact: { name: 'Dana Reyes', email: 'dana@example.com' },
    });
    const receipt = (await response.json()) as { receiptToken: string; respondBy: string };
    const promisedDay = toDateInTimeZone(timeZone, new Date(receipt.respondBy));
    const hoursOnEve = hoursOn(subsite, '2026-11-25')!;
    const canAnswerToday = 18 + action.respondWithinHours <= Number(hoursOnEve.closes.slice(0, 2));
    expect(promisedDay).toBe(canAnswerToday ? '2026-11-25' : '2026-11-27');
    const status = await get('/api/lead/{receipt}', { receipt: receipt.receiptToken });
    expect(((await status.json()) as typeof receipt).respondBy).toBe(receipt.respondBy);
    const log = await readLog(receipt.receiptToken, fixture.context);
    expect(log.dueAt).toBe(receipt.respondBy);
    const event = (await readLeadEvent(log.reference!, fixture.context))!;
    const { text } = renderPersonMail('receipt', event, log, { site });
    expect(text).toContain(canAnswerToday ? 'November 25' : 'Friday, November 27');
  },
);

const todayChoices = listActions(site).flatMap(({ subsite, action, label }) =>
  Object.entries(action.fields).flatMap(([name, { today }]) =>
    today === undefined || !subsite.hours ? [] : [{ label, subsite, action, name, today }],
  ),
);

it('some actions can be asked for today', () => expect(todayChoices.length).toBeGreaterThan(2));

it.each(todayChoices)(
  'a request for today on Thanksgiving says to call, and no other request does: $label',
  async ({ subsite, action, name, today }) => {
    const fixture = await openFixture(site);
    const { json } = client(fixture);
    fixture.advanceHours(HOURS_TO_EVE + 18);
    const send = async (choice: string) => {
      const response = await json('/api/lead/action', {
        subsite: subsite.name,
        action: action.verb,
        fields: { ...exampleValuesOf(action.fields), [name]: choice },
        contact: { name: 'Dana Reyes', email: 'dana@example.com' },
      });
      const { warnings = [] } = (await response.json()) as { warnings?: { code: string }[] };
      return warnings.map(({ code }) => code);
    };
    expect(await send(today)).toContain('answer_after_first_day');
    const other = action.fields[name]!.enum!.at(-1)!;
    expect(await send(other)).not.toContain('answer_after_first_day');
  },
);

it.each(todayChoices)(
  'a request for today says to call after an offer for it is accepted on Thanksgiving: $label',
  async ({ subsite, action, name, today }) => {
    const fixture = await openFixture(site);
    const { context } = fixture;
    fixture.advanceHours(HOURS_TO_EVE + 18);
    const fields = { [name]: today };
    const readWarnings = async (token: string) => (await readStatus(token, context)).warnings ?? [];
    const submitAndOffer = async () => {
      const receiptToken = await submitLead(context, { subsite, action }, undefined, fields);
      await sendAsProvider(
        { receiptToken, action: 'offer', actor: 'provider' },
        { amount: '120', currency: 'USD', expires: '48h' },
        context,
      );
      return receiptToken;
    };
    const accept = async (receiptToken: string) => {
      const { offerId } = (await readStatus(receiptToken, context)).offer!;
      const input = sendMessage.parse({ receipt: receiptToken, accept: offerId }, context);
      await sendMessage.handle(input, { channel: 'json' }, context);
    };
    const [early, late] = [await submitAndOffer(), await submitAndOffer()];
    await accept(early);
    expect(await readWarnings(early)).toContainEqual({
      code: 'answer_after_first_day',
      message: expect.stringContaining(phoneOf(subsite, site.registry)),
    });
    fixture.advanceHours(26);
    await accept(late);
    const codes = (await readWarnings(late)).map(({ code }) => code);
    expect(codes).not.toContain('answer_after_first_day');
  },
);

it('the search says on Thanksgiving that the service is closed', async () => {
  const fixture = await openFixture(site);
  fixture.advanceHours(HOURS_TO_EVE + 18);
  const input = findService.parse({ q: 'my AC is broken' }, fixture.context);
  const { output } = await findService.handle(input, { channel: 'json' }, fixture.context);
  expect(output.services[0]?.opening).toBe(
    'Closed today (Thanksgiving), opens tomorrow at 7 am; emergency visits nights, Sundays and holidays if you call',
  );
});

it('the search says while a service is open which calls it takes after hours', async () => {
  const fixture = await openFixture(site);
  fixture.advanceHours(HOURS_TO_EVE - 4);
  const input = findService.parse({ q: 'my AC is broken' }, fixture.context);
  const { output } = await findService.handle(input, { channel: 'json' }, fixture.context);
  expect(output.services[0]?.opening).toMatch(
    /^Open now, until \d+ pm; emergency visits nights, Sundays and holidays if you call$/,
  );
  const { index } = createServiceDocument(site.registry);
  const [found] = index.stored.filter(({ entry }) => entry.afterHours !== undefined);
  expect(renderResult(found!.entry, timeZone, fixture.context.now())).toMatch(
    /Open now, until [^<]*; emergency visits/,
  );
});

it('after closing time on the eve of Thanksgiving, the first day to book is Friday', async () => {
  const datedActions = listActions(site).filter(
    ({ subsite, action }) => action.effect?.kind === 'hold' && subsite.hours && !subsite.afterHours,
  );
  expect(datedActions.length).toBeGreaterThan(0);
  for (const { subsite, action } of datedActions) {
    if (action.effect?.kind !== 'hold') continue;
    const fixture = await openFixture(site);
    fixture.advanceHours(HOURS_TO_EVE + 5.5);
    const { fromField, toField } = action.effect;
    const ask = (from: string) =>
      client(fixture).json('/api/lead/action', {
        subsite: subsite.name,
        action: action.verb,
        fields: { ...exampleValuesOf(action.fields), [fromField]: from, [toField]: '2026-11-28' },
        contact: { name: 'Dana Reyes', email: 'dana@example.com' },
      });
    const refused = await ask('2026-11-26');
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('2026-11-27 or a later day: we are closed until then'),
    ]);
    expect((await ask('2026-11-27')).status).toBe(200);
  }
});

it('a visit to the provider names the closed days within its dates, or the next three if it has no dates', () => {
  const actionsAtProvider = listActions(site).filter(
    ({ subsite, action }) => subsite.hours && action.visitField === undefined,
  );
  const datedAction = actionsAtProvider.find(({ action }) => action.effect?.kind === 'hold')!;
  const { fromField, toField } = datedAction.action.effect as {
    fromField: string;
    toField: string;
  };
  const createEntryOn = (day: string) =>
    ({ status: 'new', at: `${day}T15:00:00.000Z`, actor: 'person', note: null }) as const;
  const hoursFor = (from: string, to: string) =>
    visitOf(datedAction.subsite, datedAction.action, {
      fields: { [fromField]: from, [toField]: to },
      status: 'new',
      entries: [createEntryOn('2026-11-06')],
    }).hours;
  expect(hoursFor('2026-11-25', '2026-11-28')).toMatch(
    /; closed on Thursday, November 26 \(Thanksgiving\)$/,
  );
  expect(hoursFor('2026-11-27', '2026-11-28')).not.toContain('closed on');
  const undatedAction = actionsAtProvider.find(({ action }) =>
    Object.values(action.fields).every(({ type }) => type !== 'date'),
  )!;
  const describeVisitAskedOn = (day: string) =>
    describeVisit(
      visitOf(undatedAction.subsite, undatedAction.action, {
        fields: {},
        status: 'new',
        entries: [createEntryOn(day)],
      }),
    ).join();
  expect(describeVisitAskedOn('2026-11-30')).toMatch(
    /closed on Friday, December 25 \(Christmas Day\); Friday, January 1, 2027 \(New Year’s Day\); Monday, May 31, 2027 \(Memorial Day\)/,
  );
});

it('a confirmed web page has no visit, even if its provider has hours', () => {
  const { subsite, action } = listActions(site).find(
    ({ action: { effect } }) => effect?.kind === 'storefront',
  )!;
  const entries = [
    { status: 'confirmed', at: '2026-11-30T15:00:00.000Z', actor: 'provider', note: null } as const,
  ];
  expect(subsite.hours).toBeDefined();
  expect(visitOf(subsite, action, { fields: {}, status: 'confirmed', entries })).toEqual({});
});
