import { describe, expect, it } from 'vitest';
import { exampleValuesOf, listFutureDateFields } from '../../src/fields/fields.ts';
import { addDays, toDateInTimeZone } from '../../src/site/calendar/days.ts';
import { hoursOn, isClosedOn } from '../../src/site/calendar/opening-hours.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { readStatus } from '../../src/leads/status/read-lead-status.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { holdAction, site } from '../operations/setup/holds.ts';

const { subsite, action, effect } = holdAction;

describe('the warnings on a receipt', () => {
  const today = toDateInTimeZone(site.registry.network.timeZone, new Date(site.generatedAt));
  const nextDays = Array.from({ length: effect.furthestDays }, (_, index) =>
    addDays(today, index + 1),
  );
  const tomorrow = nextDays[0]!;
  const openDay = nextDays.find((day, index) => index > 2 && !isClosedOn(subsite, day))!;
  const closedDay = nextDays.find((day) => isClosedOn(subsite, day))!;

  const submit = async (
    service: string,
    verb: string,
    parts: { fields: object; contact: object; sandbox?: boolean },
    hours = 0,
  ) => {
    const { context, advanceHours } = await openFixture(site);
    advanceHours(hours);
    const input = submitAction.parse({ subsite: service, action: verb, ...parts }, context);
    return (await submitAction.handle(input, { channel: 'json' }, context)).output;
  };
  const readReceipt = (day: string, more: object, contact: object, isSandbox: boolean) =>
    submit(subsite.name, action.verb, {
      fields: {
        ...exampleValuesOf(action.fields),
        [effect.fromField]: day,
        [effect.toField]: day,
        ...more,
      },
      contact,
      sandbox: isSandbox,
    });
  const zipField = Object.keys(action.fields).find((name) => action.fields[name]!.type === 'zip')!;
  const email = { email: 'dana@example.com' };

  it.each([
    ['no contact', openDay, {}, {}, ['no_contact']],
    ['a day without opening hours', closedDay, {}, email, ['closed_day']],
    ['the day of the request', today, {}, email, ['same_day']],
    ['the morning after the request', tomorrow, {}, email, ['answer_after_opening']],
    ['another ZIP code', openDay, { [zipField]: '90210' }, email, ['place_mismatch']],
    ['a mistyped domain', openDay, {}, { email: 'dana@gmial.com' }, ['mistyped_email']],
    ['nothing', openDay, {}, email, undefined],
  ])(
    'about %s have a code, and a message that also appears in the notice',
    async (_, day, more, contact, codes) => {
      expect(hoursOn(subsite, today)).toBeDefined();
      for (const sandbox of [true, false]) {
        const { warnings, notice } = await readReceipt(day, more, contact, sandbox);
        expect(warnings?.map(({ code }) => code)).toEqual(codes);
        for (const { message } of warnings ?? []) expect(notice).toContain(message);
      }
    },
  );

  it('mention a place outside the service area until the provider offers a price', async () => {
    const [verb] = listActions(site).filter(
      ({ subsite: service, action: { effect, fields } }) =>
        service.serviceZips && !effect && Object.values(fields).some(({ type }) => type === 'zip'),
    );
    const zips = Object.entries(verb!.action.fields).filter(([, { type }]) => type === 'zip');
    const { context } = await openFixture(site);
    const fields = Object.fromEntries(zips.map(([name]) => [name, '90210']));
    const lead = await submitLead(context, verb!, email, fields);
    const readCodes = async () =>
      (await readStatus(lead, context)).warnings?.map(({ code }) => code) ?? [];
    expect(await readCodes()).toContain('outside_area');
    for (const [action, content] of [
      ['acknowledge', {}],
      ['offer', { amount: '120', currency: 'USD', expires: '24h' }],
    ] as const)
      await sendAsProvider({ receiptToken: lead, action, actor: 'provider' }, content, context);
    expect(await readCodes()).not.toContain('outside_area');
  });

  it('mention the day of the request for each action with a future day', async () => {
    const requests = listActions(site).filter(
      ({ subsite: service, action: { fields, purpose } }) =>
        purpose === undefined && hoursOn(service, today) && listFutureDateFields(fields).length,
    );
    expect(requests.length).toBeGreaterThan(3);
    for (const { subsite: service, action: dated } of requests) {
      const days = Object.fromEntries(
        listFutureDateFields(dated.fields).map((name) => [name, today]),
      );
      const { warnings } = await submit(service.name, dated.verb, {
        fields: { ...exampleValuesOf(dated.fields), ...days },
        contact: email,
        sandbox: true,
      });
      expect(
        warnings?.map(({ code }) => code),
        service.name,
      ).toContain('same_day');
    }
  });

  it('mention the day of the request for each action with the choice “today”', async () => {
    const requests = listActions(site).flatMap(({ subsite: service, action: chosen }) =>
      Object.entries(chosen.fields).flatMap(([name, field]) =>
        field.today !== undefined && hoursOn(service, today)
          ? [{ service, chosen, choice: { [name]: field.today } }]
          : [],
      ),
    );
    expect(requests.length).toBeGreaterThan(3);
    const found = new Set<string>();
    for (const { service, chosen, choice } of requests) {
      const fields = { ...exampleValuesOf(chosen.fields), ...choice };
      // In the morning, so that some answers are promised for the same day.
      const { warnings } = await submit(
        service.name,
        chosen.verb,
        { fields, contact: email, sandbox: true },
        -6,
      );
      const codes = warnings?.map(({ code }) => code) ?? [];
      expect(codes, service.name).toContainEqual(
        expect.stringMatching(/^(?:same_day|answer_after_first_day)$/),
      );
      for (const code of codes) found.add(code);
    }
    expect(found).toContain('same_day');
  });

  it('include a day without opening hours for each action with a future day', async () => {
    const requests = site.registry.subsites.flatMap((service) =>
      service.actions.flatMap(({ verb, fields, effect }) =>
        effect
          ? []
          : listFutureDateFields(fields).map((dayField) => ({ service, verb, fields, dayField })),
      ),
    );
    expect(requests.length).toBeGreaterThan(3);
    for (const { service, verb, fields, dayField } of requests) {
      const day = nextDays.find((next, index) => index > 7 && isClosedOn(service, next))!;
      const days = Object.fromEntries(listFutureDateFields(fields).map((name) => [name, day]));
      const output = await submit(service.name, verb, {
        fields: { ...exampleValuesOf(fields), ...days },
        contact: email,
      });
      expect(
        output.warnings?.map(({ code }) => code),
        `${verb} ${dayField}`,
      ).toContain('closed_day');
    }
  });
});
