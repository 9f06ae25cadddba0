import { describe, expect, it } from 'vitest';
import { exampleValuesOf, listFutureDateFields } from '../../src/fields/fields.ts';
import { toDateInTimeZone, addDays } from '../../src/site/calendar/days.ts';
import { findFirstBookableDay } from '../../src/site/calendar/opening-hours.ts';
import type { ProblemDetails } from '../../src/operation/problem.ts';
import { findDayFaults } from '../../src/leads/submit/requested-days.ts';
import { findDaysInFields } from '../../src/leads/status/agreement.ts';
import { listDaysInFields } from '../../src/leads/status/first-day.ts';
import { SHARED_LEAD_ENDPOINTS } from '../../src/site/registry.ts';
import { createBindingClient, message } from '../a2a/setup/endpoint.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openMcpEndpoints } from '../transports/setup/mcp.ts';
import { client, inputsOf } from '../transports/setup/send.ts';

const [, ACTION_PATH] = SHARED_LEAD_ENDPOINTS as [string, string];
const [{ site }] = sites as [(typeof sites)[number]];
const datedActions = listActions(site)
  .filter(({ subsite }) => subsite.leadEndpoint === ACTION_PATH)
  .map((verb) => [verb, listFutureDateFields(verb.action.fields)] as const)
  .filter(([, fields]) => fields.length > 0);
const todayAt = (now: Date) => toDateInTimeZone(site.registry.network.timeZone, now);

const createBody = ([{ subsite, action }, days]: (typeof datedActions)[number], day: string) => ({
  subsite: subsite.name,
  action: action.verb,
  fields: {
    ...exampleValuesOf(action.fields),
    ...Object.fromEntries(days.map((field) => [field, day])),
  },
  contact: { email: 'dana@example.com' },
});

describe('a field for past days', () => {
  it('does not count as a requested day in mail, calendars or receipts', () => {
    const date = { type: 'date', label: 'Day', required: true } as const;
    const action = { fields: { bought: { ...date, past: true }, pickup: date } };
    const values = { bought: '2024-03-01', pickup: '2031-05-06' };
    expect(findDaysInFields(action, values)).toEqual({ from: '2031-05-06', to: '2031-05-06' });
    expect(listDaysInFields(action.fields, values)).toEqual(['2031-05-06']);
    expect(findDaysInFields(action, { bought: '2024-03-01' })).toBeUndefined();
  });
});

describe('a hold too far ahead', () => {
  it('has errors whose limits allow earlier days', () => {
    const now = new Date('2026-11-27T12:00:00Z');
    const effect = { kind: 'hold', catalog: 'x', itemField: 'x', fromField: 'from', toField: 'to' };
    const faults = findDayFaults(
      { fields: {}, effect: { ...effect, hours: 72, furthestDays: 180, longestDays: 30 } } as never,
      { from: '2030-01-01', to: '2030-01-02' },
      {
        context: { site: site as never, budgets: {} as never },
        service: undefined,
        now,
        channel: 'json',
        fieldsPath: ['fields'],
      },
    );
    expect(faults.map(({ min }) => min)).toEqual(['2026-11-27', '2026-11-27']);
  });
});

describe('a first day that has passed', () => {
  const effect = { kind: 'hold', catalog: 'x', itemField: 'x', fromField: 'from', toField: 'to' };
  it.each([
    ['2027-02-11', ['/fields/from']],
    ['2028-02-11', ['/fields/from', '/fields/to']],
  ])('leaves a last day %s that another first day allows', (to, pointers) => {
    const faults = findDayFaults(
      {
        fields: { from: { type: 'date' } },
        effect: { ...effect, hours: 72, furthestDays: 180, longestDays: 30 },
      } as never,
      { from: '2025-01-01', to },
      {
        context: { site: site as never, budgets: {} as never },
        service: undefined,
        now: new Date('2026-11-27T12:00:00Z'),
        channel: 'json',
        fieldsPath: ['fields'],
      },
    );
    expect(faults.map(({ pointer }) => pointer)).toEqual(pointers);
  });
});

describe('a last day before a first day that is too far ahead', () => {
  const hold = { kind: 'hold', catalog: 'x', itemField: 'x', fromField: 'from', toField: 'to' };
  it.each([undefined, { ...hold, hours: 72, furthestDays: 180, longestDays: 30 }])(
    'may be any future day, with the effect %o',
    (effect) => {
      const date = { type: 'date', required: true };
      const faults = findDayFaults(
        { fields: { from: date, to: { ...date, notBefore: 'from' } }, effect } as never,
        { from: '2062-01-01', to: '2026-12-01' },
        {
          context: { site: site as never, budgets: {} as never },
          service: undefined,
          now: new Date('2026-11-27T12:00:00Z'),
          channel: 'json',
          fieldsPath: ['fields'],
        },
      );
      expect(faults.map(({ pointer, min }) => [pointer, min])).toEqual([
        ['/fields/to', '2026-11-27'],
        ['/fields/from', '2026-11-27'],
      ]);
    },
  );
});

describe('a past date', async () => {
  const fixture = await openFixture(site);
  const { json, form } = client(fixture);
  const [first] = datedActions.filter(([{ action }]) => !action.effect) as [
    (typeof datedActions)[number],
  ];

  it.each(datedActions.map((datedAction) => [datedAction[0].label, datedAction] as const))(
    'is rejected by %s, including in the sandbox',
    async (_, datedAction) => {
      const today = todayAt(fixture.context.now());
      for (const sandbox of [false, true]) {
        const refused = await json(ACTION_PATH, {
          ...createBody(datedAction, addDays(today, -1)),
          sandbox,
        });
        const { errors } = (await refused.json()) as ProblemDetails;
        expect([refused.status, errors]).toEqual([
          400,
          datedAction[1].map((field) => ({
            pointer: `/fields/${field}`,
            message: `That day has passed. Choose ${today} or a later day.`,
            min: today,
          })),
        ]);
      }
      expect(await fixture.rows('leads')).toEqual([]);
    },
  );

  it('is rejected by form, MCP, and A2A, along with other errors', async () => {
    const today = todayAt(fixture.context.now());
    const body = createBody(first, addDays(today, -1));
    expect((await form(ACTION_PATH, inputsOf(body))).status).toBe(400);
    const { call } = await openMcpEndpoints(fixture.context);
    const toolResult = await call('/api/mcp', 'submit_action', body);
    expect(JSON.stringify(toolResult)).toContain(
      `That day has passed. Choose ${today} or a later day.`,
    );
    const a2a = await createBindingClient(fixture.context, 'JSONRPC');
    const task = JSON.stringify(await a2a.sendMessage(message({ data: body })));
    expect(task).toContain(`That day has passed. Choose ${today} or a later day.`);
    const bothErrorsResponse = await json(ACTION_PATH, { ...body, source: '#' });
    const { errors } = (await bothErrorsResponse.json()) as ProblemDetails;
    expect(errors?.map(({ pointer }) => pointer).sort()).toEqual(
      [...first[1].map((field) => `/fields/${field}`), '/source'].sort(),
    );
    expect(await fixture.rows('leads')).toEqual([]);
  });

  it('returns the first response again if the day was still valid when it was first sent', async () => {
    const laterFixture = await openFixture(site);
    const send = client(laterFixture).json;
    const body = createBody(first, todayAt(laterFixture.context.now()));
    const headers = { 'idempotency-key': 'past-days-0123456789' };
    const answer = await (await send(ACTION_PATH, body, { headers })).json();
    expect(answer).toMatchObject({ status: 'new' });
    laterFixture.advanceHours(30);
    expect(await (await send(ACTION_PATH, body, { headers })).json()).toEqual(answer);
    expect((await send(ACTION_PATH, body)).status).toBe(400);
  });
});

/** Actions of services with business hours. */
const actionsWithHours = datedActions.filter(
  ([{ subsite }]) => subsite.hours && !subsite.afterHours,
);

describe.each(actionsWithHours.map((dated) => [dated[0].label, dated] as const))(
  'after closing time, a date for %s',
  (_, dated) => {
    const [{ subsite }, days] = dated;
    it('must be the next open day or later', async () => {
      const fixture = await openFixture(site);
      const { json } = client(fixture);
      const today = todayAt(fixture.context.now());
      const openingDay = findFirstBookableDay(
        subsite,
        site.registry.network.timeZone,
        new Date(`${today}T23:00:00-05:00`),
      );
      const ask = (day: string) => json(ACTION_PATH, createBody(dated, day));
      expect((await ask(today)).status).toBe(200);
      fixture.advanceHours(8);
      expect(todayAt(fixture.context.now())).toBe(today);
      const refused = await ask(today);
      const { errors } = (await refused.json()) as ProblemDetails;
      expect([refused.status, errors]).toEqual([
        400,
        days.map((field) => ({
          pointer: `/fields/${field}`,
          message: `Choose ${openingDay} or a later day: we are closed until then.`,
          min: openingDay,
        })),
      ]);
      expect((await ask(openingDay)).status).toBe(200);
    });
  },
);

it('a past date is accepted if the field’s record allows it', async () => {
  const [[{ subsite, action }, [field]]] = datedActions as [(typeof datedActions)[number]];
  const registry = structuredClone(site.registry);
  registry.subsites
    .find(({ name }) => name === subsite.name)!
    .actions.find(({ verb }) => verb === action.verb)!.fields[field!]!.past = true;
  const fixture = await openFixture({ ...site, registry });
  const { status } = await client(fixture).json(ACTION_PATH, {
    subsite: subsite.name,
    action: action.verb,
    fields: { ...exampleValuesOf(action.fields), [field!]: '2001-09-09' },
  });
  expect(status).toBe(200);
});
