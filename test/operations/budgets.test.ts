import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { authenticateKey } from '../../src/keys/authenticate-key.ts';
import { createKey } from '../../src/keys/keys.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { sweep } from '../../src/leads/erase/sweep.ts';
import { createShareLink } from '../../src/links/create-share-link.ts';
import { exampleValues } from '../../src/fields/fields.ts';
import { hoursLater } from '../../src/operation/later.ts';
import type { Call } from '../../src/operation/operation.ts';
import type { Problem } from '../../src/operation/problem.ts';
import type { Effect } from '../../src/registry/action.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { makeOffer } from '../conversation/leads-in-states.ts';
import { withBudgets } from './setup/budgets.ts';
import { problemOf, refusal } from './setup/refusal.ts';
import { verbsOf } from './setup/verbs.ts';
import { openFixture, sites, type Fixture } from './setup/fixture.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const HOUR = 3_600_000;

/** The network’s first action with the given kind of effect. */
function actionWith<Kind extends Effect['kind']>(kind: Kind) {
  const verb = verbsOf(site).find(({ action }) => action.effect?.kind === kind);
  if (!verb) throw new Error(`No action has the effect ${kind}.`);
  return { ...verb, effect: verb.action.effect as Extract<Effect, { kind: Kind }> };
}

const holdAction = actionWith('hold');
const items = itemsOf(site.registry, holdAction.effect.catalog);
const units = items.reduce((sum, item) => sum + (item.units ?? 1), 0);
/** Every unit in the catalog. */
const everyUnit = items.flatMap(({ id, units: count = 1 }) =>
  Array.from({ length: count }, () => id),
);

/** Date that many days after the start of the tests. */
const day = (ahead: number): string =>
  new Date(Date.parse(site.generatedAt) + ahead * 24 * HOUR).toISOString().slice(0, 10);

/** Number of days from the start of the tests to a date. */
const daysFromStart = (date: string): number =>
  (Date.parse(date) - Date.parse(day(0))) / (24 * HOUR);

interface HoldRequest {
  item?: string;
  /** First and last day, counted from the start of the tests. */
  from?: number;
  to?: number;
  contact?: Record<string, string>;
  address?: string;
  sandbox?: boolean;
}

const hold = (
  { context }: Pick<Fixture, 'context'>,
  {
    item = everyUnit[0]!,
    from = 1,
    to = from,
    contact = {},
    address,
    sandbox = false,
  }: HoldRequest,
  more: Partial<Call> = {},
) => {
  const { itemField, fromField, toField } = holdAction.effect;
  return submitAction.handle(
    submitAction.parse(
      {
        subsite: holdAction.subsite.name,
        action: holdAction.action.verb,
        contact,
        sandbox,
        fields: {
          ...exampleValues(holdAction.action.fields),
          [itemField]: item,
          [fromField]: day(from),
          [toField]: day(to),
        },
      },
      context,
    ),
    { channel: 'json', ...(address !== undefined && { address }), ...more },
    context,
  );
};

/** Number of accepted calls, and of rejected calls by problem code. */
async function outcomes(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const settled of await Promise.allSettled(calls)) {
    const name =
      settled.status === 'fulfilled'
        ? 'accepted'
        : ((settled.reason as { code?: string }).code ?? String(settled.reason));
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe('holds', () => {
  it('from one anonymous client never block the entire inventory', async () => {
    const fixture = withBudgets(await openFixture(site));
    const { longestDays } = holdAction.effect;
    const answers: Promise<unknown>[] = [];
    for (let from = 1; from < 366; from += longestDays)
      for (const item of everyUnit)
        answers.push(
          hold(fixture, { item, from, to: from + longestDays - 1, address: '192.0.2.9' }),
        );
    expect(answers.length).toBe(78);
    const { accepted, ...refused } = await outcomes(answers);
    expect(accepted).toBeLessThanOrEqual(6);
    expect(Object.keys(refused).sort()).toEqual(['budget_exceeded', 'invalid_input']);
    for (const table of ['leads', 'holds', 'outbox', 'lead_history'] as const)
      expect((await fixture.rows(table)).length, table).toBe(accepted);
    const others = items.map(({ id }, index) =>
      hold(fixture, { item: id, from: 170, address: `198.51.100.${index}` }),
    );
    expect(await outcomes(others)).toEqual({ accepted: items.length });
  });

  it('are limited to six at a time per address, and the error says when one becomes available', async () => {
    const fixture = withBudgets(await openFixture(site));
    for (let from = 1; from <= 6; from++) await hold(fixture, { from, address: '192.0.2.9' });
    const problem = await problemOf(() => hold(fixture, { from: 7, address: '192.0.2.9' }));
    expect(problem).toMatchObject({ code: 'budget_exceeded', status: 429 });
    expect(problem.message).toMatch(
      /^The budget is used up: at most 6 unconfirmed holds from one address at a time\. It refills at 20\S+Z, in \d+ seconds\. To make room at once, withdraw a request of yours .+\. Nothing was stored\.$/,
    );
    const seconds = Number(problem.headers['retry-after']);
    expect(seconds).toBeGreaterThan(1_700);
    expect(seconds).toBeLessThanOrEqual(1_800);
    fixture.advanceHours(seconds / 3_600);
    await hold(fixture, { from: 7, address: '192.0.2.9' });
  });

  it('count an IPv6 address by its /64 prefix', async () => {
    const fixture = withBudgets(await openFixture(site));
    const from = (index: number) =>
      hold(fixture, { from: index, address: `2001:db8:7:1::${index.toString(16)}` });
    for (let index = 1; index <= 6; index++) await from(index);
    expect((await problemOf(() => from(7))).code).toBe('budget_exceeded');
    await hold(fixture, { from: 7, address: '2001:db8:7:2::7' });
  });

  it.each([
    ['email', (index: number) => ({ email: index % 2 ? 'Dana@example.com' : 'dana@example.com' })],
    [
      'phone number',
      (index: number) => ({ phone: index % 2 ? '(727) 555-0142' : '+1 727 555 0142' }),
    ],
  ])('are limited to three at a time for one %s, from any address', async (_, contactOf) => {
    const fixture = withBudgets(await openFixture(site));
    const from = (index: number) =>
      hold(fixture, { from: index, contact: contactOf(index), address: `192.0.2.${index}` });
    const tokens = [];
    for (let index = 1; index <= 3; index++) tokens.push((await from(index)).output.receiptToken);
    const problem = await problemOf(() => from(4));
    expect(problem.message).toContain('at most 3 unconfirmed holds of one contact at a time');
    for (const [to, index] of [
      ['confirmed', 4],
      ['withdrawn', 5],
    ] as const) {
      await changeLead({ lead: tokens.pop()!, to, actor: 'operator' }, fixture.context);
      await from(index);
      expect((await problemOf(() => from(index + 2))).code).toBe('budget_exceeded');
    }
    await eraseLead(tokens.pop()!, 'person', fixture.context);
    await from(6);
  });

  it('take at most half of the inventory on any day until they are confirmed', async () => {
    const fixture = withBudgets(await openFixture(site));
    const half = Math.floor(units / 2);
    const from = (index: number, first = 10) =>
      hold(fixture, {
        item: everyUnit[index]!,
        from: first,
        to: first + 2,
        contact: { email: `dana${index}@example.com` },
        address: `192.0.2.${index}`,
      });
    for (let index = 0; index < half; index++) await from(index);
    const problem = await problemOf(() => from(half));
    expect(problem.code).toBe('budget_exceeded');
    expect(problem.message).toContain(
      `at most ${half} of all items together can be held without confirmation on one day, and that limit is reached from ${day(10)} to ${day(12)}`,
    );
    expect(problem.message).toContain(`${everyUnit[half]} is free from ${day(7)} to ${day(9)} or `);
    expect(problem.errors).toMatchObject([
      { pointer: `/fields/${holdAction.effect.fromField}`, allowed: [day(7), day(13)] },
      { pointer: `/fields/${holdAction.effect.toField}`, allowed: [day(9), day(15)] },
    ]);
    expect((await problemOf(() => from(half, 12))).code).toBe('budget_exceeded');
    await from(half, 13);
    const [first] = await fixture.rows('leads');
    await changeLead(
      { lead: String(first!['token']), to: 'confirmed', actor: 'provider' },
      fixture.context,
    );
    await from(half);
  });

  it('become available when enough holds on those days end, not when just any hold ends', async () => {
    const fixture = withBudgets(await openFixture(site), { holdsShare: 34 });
    const maxUnits = Math.floor(units * 0.34);
    const on = (from: number, to: number, index: number, contact: Record<string, string>) =>
      hold(fixture, { item: everyUnit[index]!, from, to, contact, address: `192.0.2.${index}` });
    for (let index = 0; index < maxUnits; index++)
      await on(10, 10, index, { email: `dana${index}@example.com` });
    await on(12, 12, 0, {});
    const problem = await problemOf(() => on(10, 12, maxUnits, {}));
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
      changeLead({ lead, to: 'withdrawn', actor: 'operator' }, fixture.context);
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
      const outcome = hold(fixture, holdRequest);
      const [sandboxResult, real] = await Promise.allSettled([sandboxCall, outcome]);
      if (real.status === 'fulfilled') {
        expect(sandboxResult.status).toBe('fulfilled');
        continue;
      }
      const problem = real.reason as Problem;
      // Budgets apply only to stored requests. A sandbox request is refused only because of
      // conflicts.
      expect(sandboxResult.status).toBe(problem.code === 'conflict' ? 'rejected' : 'fulfilled');
      refusalCounts[problem.code as keyof typeof refusalCounts]++;
      const allowed = Object.fromEntries(
        (problem.errors ?? []).map((error) => [error.pointer, error.allowed ?? []]),
      );
      const others = allowed[`/fields/${itemField}`] ?? [];
      for (const { id } of items) {
        const [settled] = await Promise.allSettled([hold(fixture, { ...holdRequest, item: id })]);
        expect(settled.status, id).toBe(others.includes(id) ? 'fulfilled' : 'rejected');
        if (settled.status !== 'fulfilled') continue;
        suggestedCounts.items++;
        await withdraw(settled.value.output.receiptToken);
      }
      for (const [index, first] of (allowed[`/fields/${fromField}`] ?? []).entries()) {
        const last = allowed[`/fields/${toField}`]![index]!;
        const { output } = await hold(fixture, {
          ...holdRequest,
          from: daysFromStart(first),
          to: daysFromStart(last),
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

  it('last 30 minutes without a contact, and the hours in the record with one', async () => {
    const fixture = withBudgets(await openFixture(site));
    const hoursHeld = async (contact: Record<string, string>) => {
      const { output } = await hold(fixture, { from: 3, contact });
      return (Date.parse(output.hold!.expiresAt) - Date.parse(output.createdAt)) / HOUR;
    };
    expect(await hoursHeld({})).toBe(0.5);
    expect(await hoursHeld({ name: 'Dana' })).toBe(0.5);
    expect(await hoursHeld({ phone: '(727) 555-0142' })).toBe(holdAction.effect.hours);
  });

  it('count for as long as an offer extends them', async () => {
    const fixture = withBudgets(await openFixture(site));
    const { output } = await hold(fixture, { from: 3, address: '192.0.2.9' });
    const expiresAt = hoursLater(fixture.context.now(), 1_000);
    await makeOffer(fixture, output.receiptToken, { expiresAt });
    const uses = await fixture.rows('budget_uses');
    expect(uses.map(({ until }) => until)).toEqual([expiresAt]);
  });

  it('must start within the number of days in the record', async () => {
    const fixture = withBudgets(await openFixture(site));
    const { furthestDays, fromField } = holdAction.effect;
    expect(furthestDays).toBe(180);
    const errors = await refusal(() => hold(fixture, { from: furthestDays + 1 }));
    expect(errors[`/fields/${fromField}`]!.message).toMatch(
      /^Choose 20\d\d-\d\d-\d\d or an earlier day: holds can begin at most 180 days ahead\.$/,
    );
    await hold(fixture, { from: furthestDays - 1 });
  });

  it('stay within the budget when they arrive together, in two processes, and after a restart', async () => {
    const fixture = withBudgets(await openFixture(site));
    const second = await openDatabase({ url: fixture.url });
    const other = { context: { ...fixture.context, database: second } };
    try {
      const calls = Array.from({ length: 24 }, (_, index) =>
        hold(index % 2 ? fixture : other, { from: index + 1, address: '192.0.2.9' }),
      );
      expect(await outcomes(calls)).toEqual({ accepted: 6, budget_exceeded: 18 });
    } finally {
      await second.close();
    }
    const third = await openDatabase({ url: fixture.url });
    const after = { context: { ...fixture.context, database: third } };
    expect((await problemOf(() => hold(after, { from: 30, address: '192.0.2.9' }))).code).toBe(
      'budget_exceeded',
    );
    await third.close();
  });

  it('are not limited in the operator’s import, in the sandbox, or with budgets off', async () => {
    const fixture = await openFixture(site);
    const limited = withBudgets(fixture);
    for (let from = 1; from <= 8; from++) {
      await hold(limited, { from, address: '192.0.2.9', sandbox: true });
      await hold(limited, { from, address: '192.0.2.9' }, { channel: 'import' });
      await hold(fixture, { from: from + 200, address: '192.0.2.9' });
    }
    expect(await fixture.rows('budget_uses')).toEqual([]);
  });

  it('do not limit a sandbox request, even if real ones have used them up; it gets the expiration of a real one', async () => {
    const fixture = withBudgets(await openFixture(site));
    const address = '192.0.2.9';
    const contact = { email: 'dana@example.com' };
    for (let from = 1; from <= 3; from++) await hold(fixture, { from, address, contact });
    for (let from = 4; from <= 6; from++) await hold(fixture, { from, address });
    for (const requester of [contact, {}]) {
      const holdRequest = { from: 20, address, contact: requester };
      expect((await problemOf(() => hold(fixture, holdRequest))).code).toBe('budget_exceeded');
      const { output } = await hold(fixture, { ...holdRequest, sandbox: true });
      const hours =
        'email' in requester
          ? holdAction.effect.hours
          : holdAction.effect.minutesWithoutContact / 60;
      expect(output.hold?.expiresAt).toBe(hoursLater(new Date(output.createdAt), hours));
    }
  });

  it('store no address or contact, and stop counting once they lapse', async () => {
    const fixture = withBudgets(await openFixture(site));
    const contact = { email: 'dana@example.com', phone: '(727) 555-0142' };
    await hold(fixture, { contact, address: '192.0.2.199' });
    const rows = await fixture.rows('budget_uses');
    expect(rows.length).toBe(3);
    expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2|dana|7275550142/i);
    fixture.advanceHours(holdAction.effect.hours + 1);
    await sweep(fixture.context);
    expect(await fixture.rows('budget_uses')).toEqual([]);
  });
});

describe('a capability task', () => {
  it('is refused if it exceeds a budget of its key, and is neither run nor stored', async () => {
    const fixture = withBudgets(await openFixture(site), { holdsPerAddress: 1 });
    const { context } = fixture;
    const { key } = await createKey({ name: 'Agent', scopes: ['*'], expiresAt: null }, context);
    const call = { channel: 'json' as const, key: await authenticateKey(`Bearer ${key}`, context) };
    const run = (from: number) => {
      const { fromField, toField } = holdAction.effect;
      const fields = {
        ...exampleValues(holdAction.action.fields),
        [fromField]: day(from),
        [toField]: day(from),
      };
      const contact = { phone: `(727) 555-01${from}` };
      const capability = `${holdAction.subsite.name}.${holdAction.action.verb}`;
      return runCapability.handle(
        runCapability.parse({ capability, input: { fields, contact } }, context),
        call,
        context,
      );
    };
    expect((await run(11)).output).toMatchObject({ status: 'completed' });
    const problem = await problemOf(() => run(12));
    expect(problem).toMatchObject({ code: 'budget_exceeded', status: 429 });
    expect(problem.message).toContain('at most 1 unconfirmed hold from one key at a time');
    expect((await fixture.rows('tasks')).length).toBe(1);
    expect((await fixture.rows('holds')).length).toBe(1);
  });
});

describe('a held item', () => {
  const { itemField, fromField, toField } = holdAction.effect;
  const single = items.find(({ units: count = 1 }) => count === 1)!;

  it('causes a conflict that lists free alternatives with their dates', async () => {
    const fixture = await openFixture(site);
    await hold(fixture, { item: single.id, from: 10, to: 12 });
    const problem = await problemOf(() => hold(fixture, { item: single.id, from: 11, to: 13 }));
    const others = items.filter((item) => item !== single).map(({ id }) => id);
    expect(problem).toMatchObject({ code: 'conflict', status: 409 });
    expect(problem.message).toBe(
      `${single.id} is not free from ${day(11)} to ${day(13)}. Free from ${day(11)} to ${day(13)}: ${others.join(', ')}. ${single.id} is free from ${day(7)} to ${day(9)} or from ${day(13)} to ${day(15)}.`,
    );
    expect(problem.errors).toEqual([
      expect.objectContaining({ pointer: `/fields/${itemField}`, allowed: others }),
      expect.objectContaining({ pointer: `/fields/${fromField}`, allowed: [day(7), day(13)] }),
      expect.objectContaining({ pointer: `/fields/${toField}`, allowed: [day(9), day(15)] }),
    ]);
    await hold(fixture, { item: single.id, from: 13, to: 15 });
    await hold(fixture, { item: others[0]!, from: 11, to: 13 });
  });
});

describe('storefronts', () => {
  const storefrontAction = actionWith('storefront');
  const createStorefront = (
    fixture: Pick<Fixture, 'context'>,
    contact: object,
    address: string,
    more: object = {},
  ) =>
    submitAction.handle(
      submitAction.parse(
        {
          subsite: storefrontAction.subsite.name,
          action: storefrontAction.action.verb,
          fields: {
            ...exampleValues(storefrontAction.action.fields),
            [storefrontAction.effect.nameField]: 'Harbor Books',
          },
          contact,
          ...more,
        },
        fixture.context,
      ),
      { channel: 'json', address },
      fixture.context,
    );

  it('are limited to three per contact, five per address, and a total for the service in 24 hours', async () => {
    const fixture = withBudgets(await openFixture(site), { storefrontsPerDay: 10 });
    for (const _ of [1, 2, 3])
      await createStorefront(fixture, { email: 'a@example.com' }, '192.0.2.1');
    const ofContact = await problemOf(() =>
      createStorefront(fixture, { email: 'a@example.com' }, '192.0.2.2'),
    );
    expect(ofContact.message).toContain('at most 3 storefronts of one contact in 24 hours');
    for (const _ of [1, 2])
      await createStorefront(fixture, { email: 'b@example.com' }, '192.0.2.1');
    const ofAddress = await problemOf(() =>
      createStorefront(fixture, { email: 'c@example.com' }, '192.0.2.1'),
    );
    expect(ofAddress.message).toContain('at most 5 storefronts from one address in 24 hours');
    const [first] = await fixture.rows('leads');
    await eraseLead(String(first!['token']), 'person', fixture.context);
    expect((await problemOf(() => createStorefront(fixture, {}, '192.0.2.1'))).code).toBe(
      'budget_exceeded',
    );
    for (const index of [3, 4, 5, 6, 7])
      await createStorefront(fixture, { email: `${index}@example.com` }, `192.0.2.${index}`);
    const ofService = await problemOf(() => createStorefront(fixture, {}, '192.0.2.8'));
    expect(ofService.message).toContain('at most 10 storefronts of the whole service in 24 hours');
    expect((await fixture.rows('storefronts')).length).toBe(10);
    fixture.advanceHours(24);
    await createStorefront(fixture, { email: 'a@example.com' }, '192.0.2.1');
  });

  it('do not limit a sandbox request, even if real ones have used them up', async () => {
    const fixture = withBudgets(await openFixture(site), { storefrontsPerDay: 1 });
    await createStorefront(fixture, {}, '192.0.2.1');
    expect((await problemOf(() => createStorefront(fixture, {}, '192.0.2.2'))).code).toBe(
      'budget_exceeded',
    );
    const { output } = await createStorefront(fixture, {}, '192.0.2.2', { sandbox: true });
    expect(output.sandbox).toBe(true);
  });

  it('stay within the budget when they arrive together', async () => {
    const fixture = withBudgets(await openFixture(site));
    const calls = Array.from({ length: 12 }, () => createStorefront(fixture, {}, '192.0.2.1'));
    expect(await outcomes(calls)).toEqual({ accepted: 5, budget_exceeded: 7 });
    expect((await fixture.rows('storefronts')).length).toBe(5);
  });
});

describe('share links', () => {
  const createLink = ({ context }: Pick<Fixture, 'context'>, title: string, address: string) =>
    createShareLink.handle(
      createShareLink.parse({ subsite: holdAction.subsite.name, title }, context),
      { channel: 'json', address },
      context,
    );

  it('are limited if new, and returned again if they exist', async () => {
    const fixture = withBudgets(await openFixture(site), { shareLinksPerAddress: 3 });
    const calls = Array.from({ length: 9 }, (_, index) =>
      createLink(fixture, `${index}`, '192.0.2.1'),
    );
    expect(await outcomes(calls)).toEqual({ accepted: 3, budget_exceeded: 6 });
    const rows = await fixture.rows('share_links');
    expect(rows.length).toBe(3);
    const { output } = await createLink(fixture, String(rows[0]!['title']), '192.0.2.1');
    expect(output.token).toBe(rows[0]!['token']);
    const problem = await problemOf(() => createLink(fixture, 'another', '192.0.2.1'));
    expect(problem.message).toContain('at most 3 new share links from one address in 24 hours');
    await createLink(fixture, 'another', '192.0.2.2');
    expect((await createLink(fixture, 'another', '192.0.2.1')).replayed).toBe(true);
    fixture.advanceHours(24);
    await createLink(fixture, 'the next day', '192.0.2.1');
  });

  it('leave nothing behind when refused, including the idempotency key', async () => {
    const fixture = withBudgets(await openFixture(site), { shareLinksPerAddress: 1 });
    await createLink(fixture, 'one', '192.0.2.1');
    const problem = await problemOf(() =>
      createShareLink.handle(
        createShareLink.parse({ subsite: holdAction.subsite.name, title: 'two' }, fixture.context),
        { channel: 'json', address: '192.0.2.1', idempotencyKey: 'a-key-of-sixteen-characters' },
        fixture.context,
      ),
    );
    expect(problem.code).toBe('budget_exceeded');
    expect(await fixture.rows('idempotency')).toEqual([]);
    expect((await fixture.rows('share_links')).length).toBe(1);
  });
});
