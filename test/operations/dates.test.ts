import { describe, expect, it } from 'vitest';
import type { HoldEffect } from '../../src/registry/schemas/action.ts';
import { exampleValuesOf, listFutureDateFields } from '../../src/fields/fields.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { toDateInTimeZone } from '../../src/site/calendar/days.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { labelOf } from '../../src/site/words/field-words.ts';
import { problemOf } from './setup/refusal.ts';
import { listActions } from './setup/actions.ts';
import { withBudgets } from './setup/budgets.ts';
import { openFixture, sites } from './setup/fixture.ts';

const HOUR = 3_600_000;

describe.each(sites)('the dates of a hold in $name', async ({ site }) => {
  const { subsite, action } = listActions(site).find(
    (verb) => verb.action.effect?.kind === 'hold',
  )!;
  const { catalog, itemField, fromField, toField, longestDays, furthestDays } =
    action.effect as HoldEffect;
  const [from, to] = [`/fields/${fromField}`, `/fields/${toField}`];
  const singleUnitItem = itemsOf(site.registry, catalog).find(({ units = 1 }) => units === 1)!;
  const fixture = await openFixture(site);
  const { context } = withBudgets(fixture);

  const toDate = (ahead: number): string =>
    new Date(Date.parse(site.generatedAt) + ahead * 24 * HOUR).toISOString().slice(0, 10);

  const submit = (days: Record<string, unknown>, more: object = {}) =>
    submitAction.handle(
      submitAction.parse(
        {
          subsite: subsite.name,
          action: action.verb,
          fields: { ...exampleValuesOf(action.fields), [itemField]: singleUnitItem.id, ...days },
          ...more,
        },
        context,
      ),
      { channel: 'json' },
      context,
    );

  const faultsOf = async (days: Record<string, unknown>, more?: object) => {
    const { code, errors } = await problemOf(async () => submit(days, more));
    expect(code).toBe('invalid_input');
    return Object.fromEntries(errors!.map(({ pointer, message }) => [pointer, message]));
  };

  it('have all their errors listed at once', async () => {
    expect(await faultsOf({ [fromField]: toDate(-5), [toField]: toDate(-7) })).toEqual({
      [from]: expect.stringContaining('or a later day'),
      [to]: `Choose a day on or after ${fromField}.`,
    });
    const tooLate = furthestDays + longestDays;
    expect(await faultsOf({ [fromField]: toDate(-5), [toField]: toDate(tooLate) })).toEqual({
      [from]: expect.stringContaining('or a later day'),
      [to]: expect.stringContaining(`at most ${longestDays} days`),
    });
  });

  it('do not have an error that an allowed first day removes', async () => {
    expect(
      Object.keys(await faultsOf({ [fromField]: toDate(-5), [toField]: toDate(longestDays + 5) })),
    ).toEqual([from]);
  });

  it('are named by their form labels in errors for people', async () => {
    const { errors } = await problemOf(async () =>
      submit({ [fromField]: toDate(9), [toField]: toDate(7) }),
    );
    const label = labelOf(fromField, action.fields[fromField]!);
    expect(errors).toMatchObject([
      { pointer: to, instruction: `Choose the same day as “${label}” or a later day.` },
    ]);
  });

  it.each([
    ['a first day to come', 9, 9],
    ['a first day in the past', -5, 0],
  ])('come with the earliest last day after %s', async (_, first, earliest) => {
    const { errors } = await problemOf(async () =>
      submit({ [fromField]: toDate(first), [toField]: toDate(first - 2) }),
    );
    expect(errors!.filter(({ pointer }) => pointer === to).map(({ min }) => min)).toEqual([
      toDate(earliest),
    ]);
  });

  it('are checked together with other errors', async () => {
    const faults = await faultsOf(
      { [fromField]: toDate(-5), [toField]: toDate(furthestDays + longestDays), nothing: 1 },
      { contact: { email: 'nobody' } },
    );
    expect(Object.keys(faults).sort()).toEqual(
      ['/contact/email', '/fields/nothing', from, to].sort(),
    );
  });

  it.each([
    ['2027-02-30', 'This month has 28 days.'],
    ['2028-02-30', 'This month has 29 days.'],
    ['2027-04-31', 'This month has 30 days.'],
    ['2027-06-00', 'This month has 30 days.'],
    ['2027-13-01', 'Months are 01 to 12.'],
  ])('are rejected if they do not exist in the calendar: %s', async (sent, reason) => {
    const faults = await faultsOf({ [fromField]: sent, [toField]: toDate(20) });
    expect(faults[from]).toBe(`This date does not exist. ${reason} Enter a date as YYYY-MM-DD.`);
  });

  it('are returned with the nearest, first, and last free dates if the item is taken', async () => {
    await submit({ [fromField]: toDate(10), [toField]: toDate(12) });
    const { code, errors } = await problemOf(() =>
      submit({ [fromField]: toDate(11), [toField]: toDate(13) }),
    );
    expect(code).toBe('conflict');
    const allowed = Object.fromEntries(errors!.map((error) => [error.pointer, error.allowed]));
    expect(allowed).toMatchObject({
      [from]: [toDate(7), toDate(13)],
      [to]: [toDate(9), toDate(15)],
    });
    await submit({ [fromField]: toDate(13), [toField]: toDate(15) });
  });
});

describe('a date that no hold limits', async () => {
  const { site } = sites[0]!;
  const { context } = await openFixture(site).then(withBudgets);
  const datedActions = listActions(site).flatMap(({ subsite, action }) =>
    action.effect?.kind === 'hold'
      ? []
      : listFutureDateFields(action.fields)
          .slice(0, 1)
          .map((name) => ({ subsite, action, name })),
  );

  it('is rejected if it is years away, and the error gives the last accepted day', async () => {
    expect(datedActions).not.toEqual([]);
    for (const { subsite, action, name } of datedActions) {
      const submit = (day: string) => {
        const fields = { ...exampleValuesOf(action.fields), [name]: day };
        for (const [other, { notBefore }] of Object.entries(action.fields))
          if (notBefore === name) fields[other] = day;
        const body = { subsite: subsite.name, action: action.verb, fields, sandbox: true };
        return submitAction.handle(submitAction.parse(body, context), { channel: 'json' }, context);
      };
      const { code, errors } = await problemOf(() => submit('2099-12-06'));
      const error = errors!.find(({ pointer }) => pointer === `/fields/${name}`)!;
      expect([code, error.message]).toEqual([
        'invalid_input',
        `Choose ${error.max} or an earlier day: dates can be at most 3 years ahead.`,
      ]);
      const today = toDateInTimeZone(site.registry.network.timeZone, context.now());
      const dateInThreeYears = `${Number(today.slice(0, 4)) + 3}${today.slice(4)}`;
      expect(error.max! >= dateInThreeYears).toBe(true);
      await expect(submit(error.max!)).resolves.toBeDefined();
    }
  });
});
