import { describe, expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import type { FreeDaysView } from '../../src/http/views.ts';
import { toDateInTimeZone, addDays } from '../../src/site/calendar/days.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import {
  findFirstBookableDay,
  formatTimeOfDay,
  hoursOn,
  isClosedOn,
} from '../../src/site/calendar/opening-hours.ts';
import { createFormNames } from '../../src/components/forms/names.ts';
import { DAYS_INPUT, TURN_PARAMETER } from '../../src/site/forms/form-inputs.ts';
import { DAYS_PER_CALENDAR } from '../../src/leads/holds/free-days.ts';
import { phoneOf } from '../../src/site/phone.ts';
import { createCalendarWeeks } from '../../src/site/calendar/calendar-weeks.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { formatQuantity } from '../../src/site/words/quantity.ts';
import { formatMoney, formatPlannedDay } from '../../src/site/words/words.ts';
import { computeRentalTotal, findNotesBesideTotal } from '../../src/site/prices/rental.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { createTestApp } from '../transports/setup/send.ts';

const holdActions = sites.flatMap(({ name, site }) =>
  site.registry.subsites.flatMap((subsite) =>
    subsite.actions.flatMap((action) =>
      action.effect?.kind === 'hold'
        ? [
            {
              label: `${name}, ${action.verb}`,
              site,
              subsite,
              action,
              effect: { ...action.effect, salesTaxPercent: action.salesTaxPercent },
            },
          ]
        : [],
    ),
  ),
);

describe.each(holdActions)('the available days of $label', ({ site, subsite, action, effect }) => {
  const [item] = itemsOf(site.registry, effect.catalog) as [
    ReturnType<typeof itemsOf>[number],
    ...unknown[],
  ];
  const units = item.units ?? 1;
  const address = `/free-days/${subsite.name}/${item.id}`;

  async function openCalendar() {
    const fixture = await openFixture(site);
    const app = createTestApp(fixture);
    const today = toDateInTimeZone(site.registry.network.timeZone, fixture.context.now());
    const hold = (from: string, to: string) =>
      submitAction.handle(
        submitAction.parse(
          {
            subsite: subsite.name,
            action: action.verb,
            fields: {
              ...exampleValuesOf(action.fields),
              [effect.itemField]: item.id,
              [effect.fromField]: from,
              [effect.toField]: to,
            },
            contact: { name: 'Dana Reyes', email: 'dana@example.com' },
          },
          fixture.context,
        ),
        { channel: 'json' },
        fixture.context,
      );
    const read = async (query = '') =>
      (await (
        await app.request(`${address}${query}`, { headers: { accept: 'text/html' } }, {})
      ).json()) as FreeDaysView;
    return { fixture, app, today, hold, read };
  }

  it('come with the published total for the chosen days, and a longer rental that costs less', async () => {
    const { app, today } = await openCalendar();
    const readRange = async (from: string, days: number) => {
      const query = `subsite=${subsite.name}&item=${item.id}&from=${from}&to=${addDays(from, days - 1)}`;
      const answer = await app.request(`/api/free-days?${query}`, {}, {});
      return (await answer.json()) as { total?: Record<string, string>; notice?: string };
    };
    const readTotal = async (from: string, days: number) => (await readRange(from, days)).total;
    const from = addDays(today, 1);
    const { of = 0, as = 0 } = effect.chargedDays ?? {};
    const lastDay = addDays(from, effect.longestDays - 1);
    const published = computeRentalTotal(effect, item, { from, to: from });
    expect((await readTotal(from, 1))?.['amount']).toBe(published?.amount);
    const { tax, total, withTax } = (await readTotal(from, 1)) ?? {};
    expect(total && formatMoney(Number(total), 'USD')).toBe(withTax);
    expect(tax === undefined ? undefined : Number(published?.amount) + Number(tax)).toBe(
      total && Number(total),
    );
    expect((await readTotal(from, effect.longestDays))?.['cheaper']).toBeUndefined();
    expect((await readRange(from, effect.longestDays)).notice ?? '').not.toContain('at most');
    const tooLongAnswer = await readRange(from, effect.longestDays + 1);
    expect(tooLongAnswer).not.toHaveProperty('total');
    expect(tooLongAnswer.notice).toContain(`at most ${formatQuantity(effect.longestDays, 'day')}`);
    if (!published || of < 2 || lastDay < addDays(from, of - 1)) return;
    const wholePrice = computeRentalTotal(effect, item, { from, to: addDays(from, of - 1) })!;
    expect((await readTotal(from, of - 1))?.['cheaper']).toBe(
      of - 1 > as ? wholePrice.price : undefined,
    );
  });

  it('warn about the body that holds them as its receipt does, for example about a closed day', async () => {
    const { app, today } = await openCalendar();
    const notices: string[] = [];
    for (let ahead = 0; ahead < 60; ahead += 1) {
      const days = { from: addDays(today, ahead), to: addDays(today, ahead + 1) };
      const query = new URLSearchParams({ subsite: subsite.name, item: item.id, ...days });
      const answer = await app.request(`/api/free-days?${query.toString()}`, {}, {});
      const { notice = '', submit } = JSON.parse(await answer.text());
      const receipt = await app.request(
        '/api/lead/action',
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            ...submit.body,
            fields: { ...exampleValuesOf(action.fields), ...submit.body.fields },
            contact: { email: 'dana@example.com' },
            sandbox: true,
          }),
        },
        {},
      );
      const { warnings = [] } = JSON.parse(await receipt.text());
      expect(notice).toBe(warnings.map(({ message }: { message: string }) => message).join(' '));
      notices.push(notice);
      const closedDays = Object.values(days).filter((day) => isClosedOn(subsite, day));
      for (const day of closedDays) expect(notice).toContain(formatPlannedDay(day));
    }
    if (subsite.closedDays?.length) expect(notices.join()).toContain('is closed on');
  });

  it('are read for a last day only, and a wrong first day does not make the last day wrong', async () => {
    const { app, today } = await openCalendar();
    const read = async (query: string) =>
      (await (
        await app.request(`/api/free-days?subsite=${subsite.name}&item=${item.id}&${query}`, {}, {})
      ).json()) as { from?: string; to?: string; errors?: { pointer: string }[] };
    const to = addDays(today, 5);
    const { earliestStart } = (await read('')) as { earliestStart?: string };
    expect(await read(`to=${to}`)).toMatchObject({ from: earliestStart, to });
    const { errors } = await read(`from=${addDays(today, -3)}&to=${addDays(today, -1)}`);
    expect(errors?.map(({ pointer }) => pointer)).toEqual(['/from']);
  });

  it('have no hold in the next six weeks, and reveal no customer', async () => {
    const { fixture, today, hold, read } = await openCalendar();
    const day = (ahead: number) => addDays(today, ahead);
    for (let unit = 0; unit < units; unit++) await hold(day(3), day(5));
    const { days, laterStart, earlierStart } = await read();
    expect(days.map((freeDay) => freeDay.day)).toEqual(
      Array.from({ length: 42 }, (_, index) => day(index)),
    );
    expect(days.map(({ free }) => free)).toEqual(
      days.map((_, index) => (index >= 3 && index <= 5 ? 0 : units)),
    );
    expect([earlierStart, laterStart]).toEqual([undefined, day(42)]);
    const shownText = JSON.stringify(await read(`?from=${day(3)}&to=${day(3)}`));
    expect(shownText).not.toMatch(/Dana|example\.com/);
    expect(JSON.parse(shownText)).toMatchObject({ chosen: { isFree: false } });
    // A hold lasts until the end of the day on which its hours end.
    fixture.advanceHours(effect.hours + 24);
    expect((await read(`?from=${day(5)}&to=${day(5)}`)).chosen.isFree).toBe(true);
  });

  it('are listed as JSON, with the request that holds the item', async () => {
    const { app, today, hold } = await openCalendar();
    const day = (ahead: number) => addDays(today, ahead);
    const other = itemsOf(site.registry, effect.catalog).find(({ id }) => id !== item.id)!;
    const list = async (query: Record<string, string>) => {
      const search = new URLSearchParams({ subsite: subsite.name, item: item.id, ...query });
      const response = await app.request(`/api/free-days?${search.toString()}`, {}, {});
      return { status: response.status, body: JSON.parse(await response.text()) };
    };
    const asked = { from: day(1), to: day(3) };
    const knownValues = Object.fromEntries(
      Object.entries(action.fields)
        .filter(([, { known }]) => known !== undefined)
        .map(([name, { known }]) => [name, known]),
    );
    const { body: before } = await list(asked);
    expect(before).toMatchObject({ ...asked, free: units, units, earliestStart: today });
    expect(before.submit.body.fields).toEqual({
      ...knownValues,
      [effect.itemField]: item.id,
      [effect.fromField]: day(1),
      [effect.toField]: day(3),
    });
    for (let unit = 0; unit < units; unit++) await hold(day(2), day(2));
    const { body: after } = await list(asked);
    expect(after.days.map(({ free }: { free: number }) => free)).toEqual([units, 0, units]);
    expect([after.free, after.submit.body.fields]).toEqual([
      0,
      { ...knownValues, [effect.itemField]: item.id },
    ]);
    const isMissing = (notice = '') =>
      notice.startsWith('No unit is available on all of these days');
    expect([before.notice, after.notice].map(isMissing)).toEqual([false, true]);
    expect(JSON.stringify(after)).not.toMatch(/Dana|example\.com/);
    expect((await list({ ...asked, item: other.id })).body.free).toBe(other.units ?? 1);
    const { body: all } = await list({});
    expect([all.from, all.days.length]).toEqual([today, 42]);
    expect(
      all.days.flatMap((each: { day: string; closed?: true }) => (each.closed ? each.day : [])),
    ).toEqual(
      all.days
        .map((each: { day: string }) => each.day)
        .filter((each: string) => isClosedOn(subsite, each)),
    );
    const latestDay = day(effect.furthestDays);
    expect((await list({ from: day(-1) })).body.errors).toMatchObject([
      { pointer: '/from', min: today, max: latestDay },
    ]);
    expect(
      (await list({ from: latestDay, to: day(effect.furthestDays + effect.longestDays) })).body
        .errors,
    ).toMatchObject([{ pointer: '/to', min: latestDay }]);
    expect((await list({ item: 'none' })).body.errors).toMatchObject([
      { pointer: '/item', allowed: expect.arrayContaining([item.id]) },
    ]);
    expect((await list({ subsite: 'none' })).body.errors).toMatchObject([
      { pointer: '/subsite', allowed: [subsite.name] },
    ]);
    const messageOf = async (query: Record<string, string>) =>
      (await list(query)).body.errors[0].message;
    expect(await messageOf({ from: '2027-02-30' })).toContain('This month has 28 days.');
    expect(await messageOf({ from: day(-1) })).toContain('No hold can begin on that day anymore.');
    expect(await messageOf({ from: day(2), to: day(1) })).toContain('That day is before from.');
    expect(await messageOf({ to: day(-1) })).toContain('No hold can end on that day anymore.');
    const pointersOf = async (query: Record<string, string>) =>
      (await list(query)).body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(await pointersOf({ from: 'soon', to: 'later' })).toEqual(['/from', '/to']);
    expect(await pointersOf({ from: 'soon', to: latestDay })).toEqual(['/from']);
  });

  it('match the days that can be chosen', async () => {
    const { today, read } = await openCalendar();
    const day = (ahead: number) => addDays(today, ahead);
    const lastDay = day(effect.longestDays - 1);
    expect((await read(`?from=${today}&to=${lastDay}`)).chosen).toEqual({
      from: today,
      to: lastDay,
      isFree: true,
      total: computeRentalTotal(effect, item, { from: today, to: lastDay }),
    });
    const formatDay = (ahead: number) => formatPlannedDay(day(ahead));
    const passed = `That day has passed. Choose ${formatDay(0)} or a later day.`;
    const { furthestDays, longestDays } = effect;
    for (const [query, from, fault] of [
      [`from=${day(-1)}&to=${day(1)}`, undefined, passed],
      [`to=${day(-1)}`, undefined, passed],
      [
        `from=${day(furthestDays + 1)}`,
        undefined,
        `Choose ${formatDay(furthestDays)} or an earlier day: holds can begin at most ${furthestDays} days ahead.`,
      ],
      ['from=2027-02-30', undefined],
      ['from=x%27', undefined],
      [`to=${day(1)}`, undefined],
      [`from=${day(2)}&to=${day(1)}`, day(2)],
      [
        `from=${day(0)}&to=${day(longestDays)}`,
        day(0),
        `Choose ${formatDay(longestDays - 1)} or an earlier day: holds can last at most ${longestDays} days.`,
      ],
    ] as const)
      expect((await read(`?${query}`)).chosen, query).toEqual({ from, fault });
    const furthestCalendar = await read(`?start=${day(effect.furthestDays)}`);
    expect(furthestCalendar.days.at(-1)!.day).toBe(
      addDays(today, effect.furthestDays + Math.min(effect.longestDays - 1, 41)),
    );
    expect(furthestCalendar.laterStart).toBeUndefined();
  });

  it('begin on the next open day after closing time', async () => {
    const { fixture, read } = await openCalendar();
    const { timeZone } = site.registry.network;
    fixture.advanceHours(4);
    const today = toDateInTimeZone(timeZone, fixture.context.now());
    const first = findFirstBookableDay(subsite, timeZone, fixture.context.now());
    expect(first > today).toBe(Boolean(subsite.hours));
    const { days, chosen } = await read(`?from=${today}&to=${first}`);
    expect([days[0]!.day, chosen.from]).toEqual([first, first > today ? undefined : first]);
  });

  it('say when the provider closes if the first chosen day is today', async () => {
    const { today, read, hold } = await openCalendar();
    const closes = hoursOn(subsite, today)?.closes;
    expect((await read(`?from=${today}`)).closingTimeToday).toBe(closes && formatTimeOfDay(closes));
    expect((await read(`?from=${addDays(today, 1)}`)).closingTimeToday).toBeUndefined();
    const noticeFor = async (from: string) => (await hold(from, addDays(from, 1))).output.notice;
    const warning = `is the day on which this request was sent, and ${subsite.title} closes at ${closes && formatTimeOfDay(closes)}. Call ${phoneOf(subsite, site.registry)}`;
    expect((await noticeFor(today)).includes(warning)).toBe(closes !== undefined);
    expect(await noticeFor(addDays(today, 1))).not.toContain('the day of this request');
  });

  it('say when the provider is closed on the first or last chosen day', async () => {
    const { today, read, hold } = await openCalendar();
    const days = Array.from({ length: effect.furthestDays }, (_, offset) =>
      addDays(today, offset + 1),
    );
    const closed = days.find((day) => isClosedOn(subsite, day));
    const open = days.find((day) => !isClosedOn(subsite, day))!;
    // Every service with hours is closed on the network’s holidays.
    expect(closed !== undefined).toBe(Boolean(subsite.hours));
    const noticeFor = async (day: string) => (await hold(day, day)).output.notice;
    const { days: shownDays } = await read(`?start=${closed ?? open}`);
    expect(shownDays.map(({ isClosed }) => isClosed)).toEqual(
      shownDays.map(({ day }) => isClosedOn(subsite, day)),
    );
    expect((await read(`?from=${open}&to=${open}`)).closedDays).toEqual([]);
    expect(await noticeFor(open)).not.toContain(' is closed on ');
    if (closed === undefined) return;
    expect((await read(`?from=${closed}&to=${closed}`)).closedDays).toEqual([closed]);
    expect(await noticeFor(closed)).toContain(
      `${subsite.title} is closed on ${formatPlannedDay(closed)}. Call ${phoneOf(subsite, site.registry)}`,
    );
  });

  it('show the days that were typed in the form, and keep everything else', async () => {
    const { app, today } = await openCalendar();
    const { field: nameOf } = createFormNames(subsite, action);
    const [fromInput, toInput] = [nameOf(effect.fromField), nameOf(effect.toField)];
    const [from, to, tooFar] = [addDays(today, 9), addDays(today, 10), addDays(today, 9_999)];
    const post = async (texts: Record<string, string>) =>
      (await (
        await app.request(
          address,
          {
            method: 'POST',
            headers: {
              'content-type': 'application/x-www-form-urlencoded',
              accept: 'text/html',
            },
            body: new URLSearchParams({ 'contact.name': 'Dana', ...texts }).toString(),
          },
          {},
        )
      ).json()) as FreeDaysView;
    const typed = await post({ [fromInput]: from, [toInput]: to });
    expect(typed.chosen).toMatchObject({ from, to });
    expect(typed.enteredValues).toMatchObject({
      'contact.name': 'Dana',
      [nameOf(effect.itemField)]: item.id,
      [fromInput]: from,
      [toInput]: to,
    });
    expect(typed.days[0]!.day < from).toBe(true);
    const later = addDays(today, DAYS_PER_CALENDAR + 9);
    expect((await post({ [fromInput]: later })).days[0]!.day).toBe(later);
    expect((await post({ [fromInput]: tooFar })).enteredValues).toMatchObject({
      [fromInput]: tooFar,
    });
    const turned = await post({
      [fromInput]: from,
      [toInput]: to,
      [DAYS_INPUT]: `from=${today}&start=${later}&${TURN_PARAMETER}=1`,
    });
    expect(turned.enteredValues).toMatchObject({ [fromInput]: from, [toInput]: to });
    expect(turned.days[0]!.day).toBe(later);
    const chosen = await post({ [fromInput]: from, [toInput]: to, [DAYS_INPUT]: `from=${to}` });
    expect(chosen.enteredValues).toMatchObject({
      'contact.name': 'Dana',
      [fromInput]: to,
      [toInput]: '',
    });
  });

  it('exist only for items that can be held', async () => {
    const { app } = await openCalendar();
    const other = site.registry.subsites.find(({ actions }) => !actions.length)!;
    for (const path of [
      `/free-days/${subsite.name}/none`,
      `/free-days/none/${item.id}`,
      `/free-days/${other.name}/${item.id}`,
    ])
      expect((await app.request(path, {}, {})).status, path).toBe(404);
  });
});

describe('the total of a rental', () => {
  const item = {
    price: { unit: 'day', amount: 12.5, currency: 'USD' as const, notes: 'Tax is added.' },
  };
  const rule = { chargedDays: { of: 7, as: 5 }, deposit: 200 };
  const total = (to: string, effect: Parameters<typeof computeRentalTotal>[0] = rule) =>
    computeRentalTotal(effect, item, { from: '2027-05-01', to });

  it.each([
    ['2027-05-01', '$13.38'],
    ['2027-05-02', '$26.75'],
    ['2027-05-07', '$66.88'],
  ])('until %s is %s with a sales tax of 7 percent', (to, withTax) => {
    const taxedTotal = total(to, { ...rule, salesTaxPercent: 7 });
    expect(taxedTotal).toEqual({ ...total(to), withTax });
  });

  it.each([
    ['2027-05-01', '1 day × $12.50 = $12.50'],
    ['2027-05-03', '3 days × $12.50 = $37.50'],
    ['2027-05-07', '7 days, charged as 5, × $12.50 = $62.50'],
    ['2027-05-15', '15 days, charged as 11, × $12.50 = $137.50'],
  ])('until %s is %s', (to, price) => {
    const amount = Number(price.split('= $')[1]).toFixed(2);
    expect(total(to)).toEqual({
      price,
      amount,
      currency: 'USD',
      deposit: '$200',
      depositAmount: '200.00',
      notes: 'Tax is added.',
    });
  });

  it('is a plain sum without a rule, and undefined without a daily price', () => {
    expect(total('2027-05-07', {})).toMatchObject({
      price: '7 days × $12.50 = $87.50',
      deposit: undefined,
    });
    const days = { from: '2027-05-01', to: '2027-05-02' };
    expect(computeRentalTotal(rule, {}, days)).toBeUndefined();
    expect(
      computeRentalTotal(rule, { price: { ...item.price, unit: 'week' } }, days),
    ).toBeUndefined();
    expect(total('2027-04-30')).toBeUndefined();
  });
});

describe('a calendar', () => {
  it('starts weeks on Sunday, and names the month on its first row and on the first of each month', () => {
    const days = ['2026-11-28', '2026-11-29', '2026-11-30', '2026-12-01'].map((day) => ({ day }));
    const formatCell = (cell: { month: string | undefined; number: number } | undefined) =>
      cell ? [cell.month, cell.number].filter(Boolean).join(' ') : '';
    expect(createCalendarWeeks(days).map((week) => week.map(formatCell))).toEqual([
      ['', '', '', '', '', '', 'Nov 28'],
      ['29', '30', 'Dec 1', '', '', '', ''],
    ]);
  });
});

it('a total with sales tax is followed only by notes that it does not already show', () => {
  const notes = 'Seven days in a row are charged as five. Sales tax (7 percent) is added.';
  const taxed = { withTax: '$37.45' };
  expect(findNotesBesideTotal(notes, taxed)).toBeUndefined();
  expect(findNotesBesideTotal(`${notes} Bring it back full.`, taxed)).toBe('Bring it back full.');
  expect(findNotesBesideTotal('Sales tax is added.', { withTax: undefined })).toBe(
    'Sales tax is added.',
  );
});
