import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { sweep } from '../../src/leads/erase/sweep.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { statusOf } from '../../src/leads/status/lead-status.ts';
import { shownTermsOf } from '../../src/leads/status/shown-terms.ts';
import { formatPromisedTime } from '../../src/site/words/words.ts';
import { addHours } from '../../src/operation/time-arithmetic.ts';
import { addDays, endOfDay, toDateInTimeZone } from '../../src/site/calendar/days.ts';
import type { Problem } from '../../src/operation/problem.ts';
import { makeOffer } from '../conversation/leads-in-states.ts';
import { withBudgets } from './setup/budgets.ts';
import { countOutcomes, problemOf, errorsOf } from './setup/refusal.ts';
import { openFixture, type Fixture } from './setup/fixture.ts';
import {
  toDate,
  countDaysFromStart,
  allUnits,
  hold,
  holdAction,
  HOUR,
  items,
  site,
  units,
} from './setup/holds.ts';

const listHoldUses = async (fixture: Fixture) =>
  (await fixture.rows('budget_uses')).filter(({ budget }) => budget === 'holds');

describe('holds', () => {
  it('from one anonymous client never block the entire inventory', async () => {
    const fixture = withBudgets(await openFixture(site));
    const { longestDays } = holdAction.effect;
    const answers: Promise<unknown>[] = [];
    for (let from = 1; from < 366; from += longestDays)
      for (const item of allUnits)
        answers.push(
          hold(fixture, { item, from, to: from + longestDays - 1, address: '192.0.2.9' }),
        );
    expect(answers.length).toBe(78);
    const { accepted, ...refused } = await countOutcomes(answers);
    expect(accepted).toBeLessThanOrEqual(6);
    expect(Object.keys(refused).sort()).toEqual(['budget_exceeded', 'invalid_input']);
    for (const table of ['leads', 'holds', 'outbox', 'lead_history'] as const)
      expect((await fixture.rows(table)).length, table).toBe(accepted);
    const otherCalls = items.map(({ id }, index) =>
      hold(fixture, { item: id, from: 170, address: `198.51.100.${index}` }),
    );
    expect(await countOutcomes(otherCalls)).toEqual({ accepted: items.length });
  });

  it('are limited to six at a time per address, and the error says when one becomes available', async () => {
    const fixture = withBudgets(await openFixture(site));
    for (let from = 1; from <= 6; from++) await hold(fixture, { from, address: '192.0.2.9' });
    const problem = await problemOf(() => hold(fixture, { from: 7, address: '192.0.2.9' }));
    expect(problem).toMatchObject({ code: 'budget_exceeded', status: 429 });
    expect(problem.message).toMatch(
      /^The budget is used up: at most 6 unconfirmed holds from one IP address at a time\. It refills at 20\S+Z, in \d+ seconds\. To make room now, withdraw a request .+\. Nothing was stored\.$/,
    );
    const seconds = Number(problem.headers['retry-after']);
    expect(seconds).toBeGreaterThan(1_700);
    expect(seconds).toBeLessThanOrEqual(1_800);
    fixture.advanceHours(seconds / 3_600);
    await hold(fixture, { from: 7, address: '192.0.2.9' });
  });

  it('of taken days are refused as taken, even if a budget is also used up', async () => {
    const fixture = withBudgets(await openFixture(site));
    const [item] = items;
    for (let unit = 0; unit < (item!.units ?? 1); unit++) {
      const address = `198.51.100.${unit}`;
      const { output } = await hold(fixture, { item: item!.id, from: 20, address });
      await changeLead(
        { receiptToken: output.receiptToken, to: 'confirmed', actor: 'operator' },
        fixture.context,
      );
    }
    for (let from = 1; from <= 6; from++) await hold(fixture, { from, address: '192.0.2.9' });
    const problem = await problemOf(() =>
      hold(fixture, { item: item!.id, from: 20, address: '192.0.2.9' }),
    );
    expect(problem).toMatchObject({ code: 'conflict', status: 409 });
    expect(problem.errors?.length).toBeGreaterThan(0);
  });

  it('of one item from one address together cover at most as many days as one hold may, until one ends', async () => {
    const fixture = withBudgets(await openFixture(site));
    const { longestDays } = holdAction.effect;
    const holdDays = (first: number, last: number, item = items[0]!.id, address = '192.0.2.9') =>
      hold(fixture, { item, from: first, to: last, address });
    const { output } = await holdDays(1, longestDays - 2);
    fixture.advanceHours(0.25);
    await holdDays(longestDays, longestDays);
    const problem = await problemOf(() => holdDays(longestDays + 1, longestDays + 2));
    expect(problem).toMatchObject({ code: 'budget_exceeded', status: 429 });
    expect(problem.message).toMatch(
      new RegExp(
        `^The budget is used up: at most ${longestDays} days of one item in unconfirmed holds from one IP address at a time\\. It refills at 20\\S+Z, in 900 seconds\\. To make room now, withdraw a request .+\\. Nothing was stored\\.$`,
      ),
    );
    expect(problem.headers['retry-after']).toBe('900');
    await holdDays(longestDays + 1, longestDays + 1);
    await holdDays(longestDays + 2, longestDays + 3, items[1]!.id);
    await holdDays(longestDays + 2, longestDays + 3, items[0]!.id, '192.0.2.10');
    await changeLead(
      { receiptToken: output.receiptToken, to: 'withdrawn', actor: 'operator' },
      fixture.context,
    );
    await holdDays(1, longestDays - 2);
  });

  it('from one address take at most half of what can be held on a day, until one ends', async () => {
    const fixture = withBudgets(await openFixture(site));
    const share = Math.ceil(Math.floor(units / 2) / 2);
    expect(share).toBeLessThan(Math.floor(units / 2));
    const holdUnit = (index: number, first: number, last = first, address = '192.0.2.9') =>
      hold(fixture, { item: allUnits[index]!, from: first, to: last, address });
    const { output } = await holdUnit(0, 10, 12);
    for (let index = 1; index < share; index++) {
      fixture.advanceHours(0.1);
      await holdUnit(index, 12, 14);
    }
    const oneDayProblem = await problemOf(() => holdUnit(share, 12));
    expect(oneDayProblem.message).toContain(`and that limit is reached on ${toDate(12)}.`);
    const problem = await problemOf(() => holdUnit(share, 9, 12));
    expect(problem).toMatchObject({ code: 'budget_exceeded', status: 429 });
    expect(problem.message).toMatch(
      new RegExp(
        `^The budget is used up: at most ${share} items in unconfirmed holds from one IP address on one day, and that limit is reached on a day from ${toDate(9)} to ${toDate(12)}\\. It refills at 20\\S+Z, in ${1_800 - 360 * (share - 1)} seconds\\. Choose other days, or wait until one of these holds is confirmed\\. To make room now, withdraw a request .+\\. Nothing was stored\\.$`,
      ),
    );
    await holdUnit(share, 15);
    await holdUnit(share, 9, 12, '192.0.2.10');
    await changeLead(
      { receiptToken: output.receiptToken, to: 'confirmed', actor: 'operator' },
      fixture.context,
    );
    await holdUnit(share + 1, 9, 12);
  });

  it('count an IPv6 address by its /64 prefix', async () => {
    const fixture = withBudgets(await openFixture(site));
    const holdFrom = (index: number) =>
      hold(fixture, { from: index, address: `2001:db8:7:1::${index.toString(16)}` });
    for (let index = 1; index <= 6; index++) await holdFrom(index);
    expect((await problemOf(() => holdFrom(7))).code).toBe('budget_exceeded');
    await hold(fixture, { from: 7, address: '2001:db8:7:2::7' });
  });

  it.each([
    ['email', (index: number) => ({ email: index % 2 ? 'Dana@example.com' : 'dana@example.com' })],
    [
      'mailbox',
      (index: number) => ({
        email: index % 2 ? `d.ana+${index}@gmail.com` : 'dana@googlemail.com',
      }),
    ],
    [
      'phone number',
      (index: number) => ({ phone: index % 2 ? '(727) 555-0142' : '+1 727 555 0142' }),
    ],
  ])('are limited to three at a time for one %s, from any address', async (_, createContact) => {
    const fixture = withBudgets(await openFixture(site));
    const holdFrom = (index: number) =>
      hold(fixture, { from: index, contact: createContact(index), address: `192.0.2.${index}` });
    const tokens = [];
    for (let index = 1; index <= 3; index++)
      tokens.push((await holdFrom(index)).output.receiptToken);
    const problem = await problemOf(() => holdFrom(4));
    expect(problem.message).toContain('at most 3 unconfirmed holds for one contact at a time');
    for (const [to, index] of [
      ['confirmed', 4],
      ['withdrawn', 5],
    ] as const) {
      await changeLead({ receiptToken: tokens.pop()!, to, actor: 'operator' }, fixture.context);
      await holdFrom(index);
      expect((await problemOf(() => holdFrom(index + 2))).code).toBe('budget_exceeded');
    }
    await eraseLead(tokens.pop()!, 'person', fixture.context);
    await holdFrom(6);
  });

  it('take at most half of the inventory on any day until they are confirmed', async () => {
    const fixture = withBudgets(await openFixture(site));
    const maxUnits = Math.floor(units / 2);
    const holdFrom = (index: number, first = 10) =>
      hold(fixture, {
        item: allUnits[index]!,
        from: first,
        to: first + 2,
        contact: { email: `dana${index}@example.com` },
        address: `192.0.2.${index}`,
      });
    for (let index = 0; index < maxUnits; index++) await holdFrom(index);
    const problem = await problemOf(() => holdFrom(maxUnits));
    expect(problem.code).toBe('budget_exceeded');
    expect(problem.message).toContain(
      `at most ${maxUnits} of all items can be held without confirmation on one day, and that limit is reached from ${toDate(10)} to ${toDate(12)}`,
    );
    expect(problem.message).toContain(
      `${allUnits[maxUnits]} is free from ${toDate(7)} to ${toDate(9)} or `,
    );
    expect(problem.errors).toMatchObject([
      { pointer: `/fields/${holdAction.effect.fromField}`, allowed: [toDate(7), toDate(13)] },
      { pointer: `/fields/${holdAction.effect.toField}`, allowed: [toDate(9), toDate(15)] },
    ]);
    expect((await problemOf(() => holdFrom(maxUnits, 12))).code).toBe('budget_exceeded');
    await holdFrom(maxUnits, 13);
    const [first] = await fixture.rows('leads');
    await changeLead(
      { receiptToken: String(first!['token']), to: 'confirmed', actor: 'provider' },
      fixture.context,
    );
    await holdFrom(maxUnits);
  });

  it('become available when enough holds on those days end, not when just any hold ends', async () => {
    const fixture = withBudgets(await openFixture(site), { holdsShare: 34 });
    const maxUnits = Math.floor(units * 0.34);
    const holdUnit = (from: number, to: number, index: number, contact: Record<string, string>) =>
      hold(fixture, { item: allUnits[index]!, from, to, contact, address: `192.0.2.${index}` });
    for (let index = 0; index < maxUnits; index++)
      await holdUnit(10, 10, index, { email: `dana${index}@example.com` });
    await holdUnit(12, 12, 0, {});
    const problem = await problemOf(() => holdUnit(10, 12, maxUnits, {}));
    expect(problem.code).toBe('budget_exceeded');
    expect(problem.headers['retry-after']).toBe(String(holdAction.effect.hours * 3_600));
  });

  it('are possible exactly for the items and date ranges that a refusal suggests', async () => {
    const fixture = withBudgets(await openFixture(site), {
      holdsPerContact: 0,
      holdsPerAddress: 0,
      holdsShare: 67,
    });
    const withdraw = async (lead: string) =>
      changeLead({ receiptToken: lead, to: 'withdrawn', actor: 'operator' }, fixture.context);
    const { itemField, fromField, toField } = holdAction.effect;
    const refusalCounts = { conflict: 0, budget_exceeded: 0 };
    const suggestedCounts = { items: 0, days: 0 };
    const anyRequest = fc.record({
      item: fc.constantFrom(...items.map(({ id }) => id)),
      from: fc.integer({ min: 20, max: 35 }),
      length: fc.nat(3),
    });
    for (const { item, from, length } of fc.sample(anyRequest, { numRuns: 40, seed: 4 })) {
      const holdRequest = { item, from, to: from + length, contact: { email: 'dana@example.com' } };
      const sandboxCall = hold(fixture, { ...holdRequest, sandbox: true });
      const holdCall = hold(fixture, holdRequest);
      const [sandboxResult, realResult] = await Promise.allSettled([sandboxCall, holdCall]);
      if (realResult.status === 'fulfilled') {
        expect(sandboxResult.status).toBe('fulfilled');
        continue;
      }
      const problem = realResult.reason as Problem;
      // Budgets apply only to stored requests. A sandbox request is rejected only because of
      // conflicts.
      expect(sandboxResult.status).toBe(problem.code === 'conflict' ? 'rejected' : 'fulfilled');
      refusalCounts[problem.code as keyof typeof refusalCounts]++;
      const allowed = Object.fromEntries(
        (problem.errors ?? []).map((error) => [error.pointer, error.allowed ?? []]),
      );
      const freeItems = allowed[`/fields/${itemField}`] ?? [];
      for (const { id } of items) {
        const [settled] = await Promise.allSettled([hold(fixture, { ...holdRequest, item: id })]);
        expect(settled.status, id).toBe(freeItems.includes(id) ? 'fulfilled' : 'rejected');
        if (settled.status !== 'fulfilled') continue;
        suggestedCounts.items++;
        await withdraw(settled.value.output.receiptToken);
      }
      for (const [index, first] of (allowed[`/fields/${fromField}`] ?? []).entries()) {
        const lastDay = allowed[`/fields/${toField}`]![index]!;
        const { output } = await hold(fixture, {
          ...holdRequest,
          from: countDaysFromStart(first),
          to: countDaysFromStart(lastDay),
        });
        suggestedCounts.days++;
        await withdraw(output.receiptToken);
      }
    }
    expect(refusalCounts.conflict).toBeGreaterThan(3);
    expect(refusalCounts.budget_exceeded).toBeGreaterThan(3);
    expect(suggestedCounts.items).toBeGreaterThan(3);
    expect(suggestedCounts.days).toBeGreaterThan(10);
  });

  it('last 30 minutes without a contact, and as long as the record states with a contact', async () => {
    const fixture = withBudgets(await openFixture(site));
    const holdAndMeasureHours = async (contact: Record<string, string>) => {
      const { output } = await hold(fixture, { from: 10, contact });
      return (Date.parse(output.hold!.expiresAt) - Date.parse(output.createdAt)) / HOUR;
    };
    expect(await holdAndMeasureHours({})).toBe(0.5);
    expect(await holdAndMeasureHours({ name: 'Dana' })).toBe(0.5);
    expect(await holdAndMeasureHours({ phone: '(727) 555-0142' })).toBe(holdAction.effect.hours);
  });

  it('do not end during one of their days, but with that day, if they last a day or more', async () => {
    const { timeZone } = site.registry.network;
    const { hours } = holdAction.effect;
    const fixture = withBudgets(await openFixture(site));
    const contact = { phone: '(727) 555-0142' };
    const lastDayOf = async (from: number, to: number) => {
      const { output } = await hold(fixture, { from, to, contact });
      const { expiresAt } = output.hold!;
      const lastHeldDay = toDateInTimeZone(timeZone, new Date(Date.parse(expiresAt) - 1));
      expect(expiresAt).toBe(endOfDay(timeZone, lastHeldDay).toISOString());
      await changeLead(
        { receiptToken: output.receiptToken, to: 'withdrawn', actor: 'operator' },
        fixture.context,
      );
      return lastHeldDay;
    };
    const end = hours / 24;
    expect(await lastDayOf(end, end)).toBe(toDate(end));
    expect(await lastDayOf(end - 1, end + 1)).toBe(toDate(end));
    expect(await lastDayOf(end - 2, end - 1)).toBe(toDate(end - 1));
  });

  it('end before the answer is due without a contact, as the notices of the request say', async () => {
    const fixture = withBudgets(await openFixture(site));
    const readNotices = async (contact: Record<string, string>) => {
      const { output } = await hold(fixture, { from: 10, contact });
      const log = await readLog(output.receiptToken, fixture.context);
      const { warnings } = shownTermsOf(log, fixture.context.now(), site);
      const status = statusOf(log, fixture.context.now(), site);
      for (const { message } of warnings!) expect(status.notice).toContain(message);
      expect(status.notice).toBe(output.notice);
      return { notice: output.notice, until: output.hold!.expiresAt, log };
    };
    const { notice, until, log } = await readNotices({});
    expect(notice).toContain(
      ` The hold ends on ${formatPromisedTime(until, site.registry.network.timeZone)}, before the answer is due, unless the provider confirms it first. `,
    );
    expect((await readNotices({ phone: '(727) 555-0142' })).notice).not.toContain('The hold ends');
    fixture.advanceHours(1);
    const { notice: later } = statusOf(log, fixture.context.now(), site);
    expect(later).toContain('nobody can call or write back');
    expect(later).not.toContain('The hold ends');
  });

  it('count against the budgets for as long as an offer extends them', async () => {
    const fixture = withBudgets(await openFixture(site));
    const { output } = await hold(fixture, { from: 60, address: '192.0.2.9' });
    const expiresAt = addHours(fixture.context.now(), 1_000);
    await makeOffer(fixture, output.receiptToken, { expiresAt });
    const budgetUses = await listHoldUses(fixture);
    expect(budgetUses.map(({ until }) => until)).toEqual([expiresAt]);
  });

  it('must start within the number of days in the record', async () => {
    const fixture = withBudgets(await openFixture(site));
    const { furthestDays, fromField } = holdAction.effect;
    expect(furthestDays).toBe(180);
    const errors = await errorsOf(() => hold(fixture, { from: furthestDays + 1 }));
    expect(errors[`/fields/${fromField}`]!.message).toMatch(
      /^Choose 20\d\d-\d\d-\d\d or an earlier day: holds can begin at most 180 days ahead\.$/,
    );
    await hold(fixture, { from: furthestDays - 1 });
  });

  it('have date errors with the first and last accepted day', async () => {
    const fixture = withBudgets(await openFixture(site));
    const { furthestDays, longestDays, fromField, toField } = holdAction.effect;
    const readRanges = async (days: { from: number; to: number }) =>
      Object.fromEntries(
        Object.entries(await errorsOf(() => hold(fixture, days))).map(([pointer, { min, max }]) => [
          pointer,
          [min, max],
        ]),
      );
    const firstDayRange = [toDate(0), toDate(furthestDays)];
    expect(await readRanges({ from: -5, to: 1 })).toEqual({
      [`/fields/${fromField}`]: firstDayRange,
    });
    expect(await readRanges({ from: 3, to: 3 + longestDays })).toEqual({
      [`/fields/${toField}`]: [toDate(3), toDate(2 + longestDays)],
    });
    expect(await readRanges({ from: furthestDays + 1, to: furthestDays + 1 })).toEqual({
      [`/fields/${fromField}`]: firstDayRange,
    });
  });

  it('that start too late get a last day that fits the corrected first day', async () => {
    const fixture = withBudgets(await openFixture(site));
    const { furthestDays, longestDays, fromField, toField } = holdAction.effect;
    const errors = await errorsOf(() =>
      hold(fixture, { from: furthestDays + 100, to: furthestDays + 100 + longestDays }),
    );
    const readSuggestedDay = (field: string) =>
      /^Choose (\S+)/.exec(errors[`/fields/${field}`]!.message)![1]!;
    expect(readSuggestedDay(toField)).toBe(addDays(readSuggestedDay(fromField), longestDays - 1));
  });

  it('stay within the budget when they arrive at the same time, in two processes, and after a restart', async () => {
    const fixture = withBudgets(await openFixture(site, { usesThread: true }));
    const second = await openDatabase({ url: fixture.url });
    const otherFixture = { context: { ...fixture.context, database: second } };
    try {
      const calls = Array.from({ length: 24 }, (_, index) =>
        hold(index % 2 ? fixture : otherFixture, { from: index + 1, address: '192.0.2.9' }),
      );
      expect(await countOutcomes(calls)).toEqual({ accepted: 6, budget_exceeded: 18 });
    } finally {
      await second.close();
    }
    const third = await openDatabase({ url: fixture.url, usesThread: false });
    const restartedFixture = { context: { ...fixture.context, database: third } };
    expect(
      (await problemOf(() => hold(restartedFixture, { from: 30, address: '192.0.2.9' }))).code,
    ).toBe('budget_exceeded');
    await third.close();
  });

  it('are not limited in the operator’s import, in the sandbox, or with budgets off', async () => {
    const fixture = await openFixture(site);
    const limitedFixture = withBudgets(fixture);
    for (let from = 1; from <= 8; from++) {
      await hold(limitedFixture, { from, address: '192.0.2.9', sandbox: true });
      await hold(limitedFixture, { from, address: '192.0.2.9' }, { channel: 'import' });
      await hold(fixture, { from: from + 200, address: '192.0.2.9' });
    }
    expect(await fixture.rows('budget_uses')).toEqual([]);
  });

  it('are not limited in the sandbox by real holds, and expire at the same time as real holds', async () => {
    const fixture = withBudgets(await openFixture(site));
    const address = '192.0.2.9';
    const contact = { email: 'dana@example.com' };
    for (let from = 1; from <= 3; from++) await hold(fixture, { from, address, contact });
    for (let from = 4; from <= 6; from++) await hold(fixture, { from, address });
    for (const sender of [contact, {}]) {
      const holdRequest = { from: 20, address, contact: sender };
      expect((await problemOf(() => hold(fixture, holdRequest))).code).toBe('budget_exceeded');
      const { output } = await hold(fixture, { ...holdRequest, sandbox: true });
      const hours =
        'email' in sender ? holdAction.effect.hours : holdAction.effect.minutesWithoutContact / 60;
      expect(output.hold?.expiresAt).toBe(addHours(new Date(output.createdAt), hours));
    }
  });

  it('store no address or contact, and stop counting once they lapse', async () => {
    const fixture = withBudgets(await openFixture(site));
    const contact = { email: 'dana@example.com', phone: '(727) 555-0142' };
    await hold(fixture, { contact, address: '192.0.2.199' });
    const rows = await fixture.rows('budget_uses');
    expect((await listHoldUses(fixture)).length).toBe(3);
    expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2|dana|7275550142/i);
    fixture.advanceHours(holdAction.effect.hours + 1);
    await sweep(fixture.context);
    expect(await fixture.rows('budget_uses')).toEqual([]);
  });
});

describe('a held item', () => {
  const { itemField, fromField, toField } = holdAction.effect;
  const singleUnitItem = items.find(({ units: count = 1 }) => count === 1)!;

  it('causes a conflict that lists free alternatives with their dates', async () => {
    const fixture = await openFixture(site);
    await hold(fixture, { item: singleUnitItem.id, from: 10, to: 12 });
    const problem = await problemOf(() =>
      hold(fixture, { item: singleUnitItem.id, from: 11, to: 13 }),
    );
    const otherItems = items.filter((item) => item !== singleUnitItem).map(({ id }) => id);
    expect(problem).toMatchObject({ code: 'conflict', status: 409 });
    expect(problem.message).toBe(
      `${singleUnitItem.id} is not free from ${toDate(11)} to ${toDate(13)}. Free from ${toDate(11)} to ${toDate(13)}: ${otherItems.join(', ')}. ${singleUnitItem.id} is free from ${toDate(7)} to ${toDate(9)} or from ${toDate(13)} to ${toDate(15)}. Change either the item or the days, not both. If an earlier request of yours holds it, follow that one; a retry needs the same idempotency key.`,
    );
    expect(problem.errors).toEqual([
      expect.objectContaining({ pointer: `/fields/${itemField}`, allowed: otherItems }),
      expect.objectContaining({
        pointer: `/fields/${fromField}`,
        allowed: [toDate(7), toDate(13)],
      }),
      expect.objectContaining({ pointer: `/fields/${toField}`, allowed: [toDate(9), toDate(15)] }),
    ]);
    expect(problem.errors?.map(({ message }) => message)).toEqual([
      `It is taken on one or more of these days. Free from ${toDate(11)} to ${toDate(13)}: ${otherItems.join(', ')}. Change either the item or the days, not both.`,
      `To keep this item, choose ${toDate(7)} or ${toDate(13)}, with the last day of the same period. ${singleUnitItem.id} is free from ${toDate(7)} to ${toDate(9)} or from ${toDate(13)} to ${toDate(15)}.`,
      `If the first day is ${toDate(7)}, choose ${toDate(9)}. If the first day is ${toDate(13)}, choose ${toDate(15)}.`,
    ]);
    await hold(fixture, { item: singleUnitItem.id, from: 13, to: 15 });
    await hold(fixture, { item: otherItems[0]!, from: 11, to: 13 });
  });
});
