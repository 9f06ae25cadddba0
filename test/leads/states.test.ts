import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import {
  actors,
  leadStatuses,
  leadTransitions,
  type LeadStatus,
  transitionFault,
} from '../../src/leads/lead-states.ts';
import { expireLeads } from '../../src/leads/expire-leads.ts';
import { NOTE_LENGTH, changeLead } from '../../src/leads/change-lead.ts';
import { readLeadStatus } from '../../src/leads/read-lead-status.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { mailChannel } from '../../src/leads/deliveries/mail.ts';
import { mailText } from '../../src/leads/deliveries/mail-text.ts';
import { capture, file } from '../deliveries/setup/rounds.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { verbsOf } from '../operations/setup/verbs.ts';
import { openWorld, sites, type World } from '../operations/setup/world.ts';
import { specStates } from '../spec/states.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const source = site.registry.subsites[0]!.leadSource;
const held = verbsOf(site).find(({ action }) => action.effect?.kind === 'hold')!;

/** A lead that stands in a state, put there directly. */
async function leadIn(world: World, status: LeadStatus): Promise<string> {
  const token = await capture(world.context, source);
  await world.database.writer.run(sql`update leads set status = ${status} where token = ${token}`);
  return token;
}

/** Rows of one lead: tests that share a database do not read what the others wrote. */
const statusOf = async ({ database: { writer } }: World, token: string) =>
  (await writer.all<{ status: string }>(sql`select status from leads where token = ${token}`))[0]!
    .status;
const historyOf = ({ database: { writer } }: World, token: string) =>
  writer.all<Record<string, any>>(
    sql`select * from lead_history where lead = ${token} order by rowid`,
  );
const eventsOf = ({ database: { writer } }: World, token: string) =>
  writer.all<Record<string, any>>(sql`select * from outbox where lead = ${token} order by rowid`);
const countEvents = ({ database: { writer } }: World) =>
  writer.all(sql`select count(*) as events from outbox`);

const changes = leadStatuses.flatMap((from) =>
  leadStatuses.flatMap((to) => actors.map((actor) => ({ from, to, actor }))),
);
const isLegal = ({ from, to, actor }: (typeof changes)[number]) =>
  from !== 'erased' &&
  (to === 'erased' || transitionFault(from, to, actor, 'because') === undefined);

describe('every change of the table of states', async () => {
  const world = await openWorld(site);

  it('is in the table of the contract, and none of it is left out', () => {
    expect(leadTransitions).toEqual(specStates);
  });

  it('is either legal or not, and both kinds are many', () => {
    expect(changes.filter(isLegal).length).toBeGreaterThan(40);
    expect(changes.filter((change) => !isLegal(change)).length).toBeGreaterThan(100);
  });

  it.each(changes.filter(isLegal))(
    '$from to $to by the $actor is made, and written at the end of the history',
    async ({ from, to, actor }) => {
      const token = await leadIn(world, from);
      const before = await historyOf(world, token);
      await changeLead({ lead: token, to, actor, note: 'because' }, world.context);
      expect(await statusOf(world, token)).toBe(to);
      const after = await historyOf(world, token);
      expect(after.slice(0, -1)).toEqual(before);
      expect(after.at(-1)).toMatchObject({ status: to, actor, note: 'because' });
      const events = await eventsOf(world, token);
      expect(events.map(({ kind, payload }) => [kind, JSON.parse(payload)])).toEqual([
        ['lead.created', {}],
        ['lead.changed', { from, to, by: actor, revision: 2 }],
      ]);
    },
  );

  it.each(changes.filter((change) => !isLegal(change)))(
    '$from to $to by the $actor is refused and changes nothing',
    async ({ from, to, actor }) => {
      const token = await leadIn(world, from);
      const before = [await historyOf(world, token), await countEvents(world)];
      const problem = await problemOf(() =>
        changeLead({ lead: token, to, actor, note: 'because' }, world.context),
      );
      expect(problem.code).toBe(from === 'erased' ? 'gone' : 'invalid_input');
      expect(await statusOf(world, token)).toBe(from);
      expect([await historyOf(world, token), await countEvents(world)]).toEqual(before);
    },
  );

  it.each(actors.filter((actor) => actor !== 'provider'))(
    'by the %s is told to the provider by mail, and in truth',
    async (actor) => {
      const mail = mailChannel({
        url: 'smtp://127.0.0.1:1',
        from: 'a@network.example',
        to: 'b@network.example',
        site,
      });
      for (const { from, to } of changes.filter(
        (change) => change.actor === actor && isLegal(change),
      )) {
        const token = await leadIn(world, from);
        await changeLead({ lead: token, to, actor, note: 'because' }, world.context);
        const { id } = (await eventsOf(world, token)).find(({ kind }) => kind === 'lead.changed')!;
        const event = (await readLeadEvent(id, world.context))!;
        expect([event.change, mail.takes(event)]).toEqual([
          { from, to, by: actor, note: 'because' },
          true,
        ]);
        expect(mailText(event, site).text.includes('The customer withdrew')).toBe(
          to === 'withdrawn' && actor === 'person',
        );
      }
    },
  );

  it('from confirmed to declined needs a note', async () => {
    const token = await leadIn(world, 'confirmed');
    expect(
      (
        await problemOf(() =>
          changeLead({ lead: token, to: 'declined', actor: 'provider', note: '  ' }, world.context),
        )
      ).message,
    ).toContain('note');
  });

  it('takes no longer note than a person would read, whoever writes it', async () => {
    const token = await leadIn(world, 'new');
    for (const actor of ['provider', 'operator'] as const)
      expect(
        (
          await problemOf(() =>
            changeLead(
              { lead: token, to: 'quoted', actor, note: 'x'.repeat(NOTE_LENGTH + 1) },
              world.context,
            ),
          )
        ).message,
      ).toContain('4,000');
    expect(await statusOf(world, token)).toBe('new');
  });

  it('is shown at the status address at once, with its note', async () => {
    const token = await leadIn(world, 'new');
    await changeLead(
      { lead: token, to: 'quoted', actor: 'provider', note: 'Forty five dollars.' },
      world.context,
    );
    const { output } = await readLeadStatus.handle(
      { receipt: token },
      { door: 'json' },
      world.context,
    );
    expect(output).toMatchObject({
      status: 'quoted',
      history: [{ status: 'new' }, { status: 'quoted', note: 'Forty five dollars.' }],
    });
  });

  it('is made once when many ask for it at the same time', async () => {
    const token = await leadIn(world, 'new');
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        changeLead({ lead: token, to: 'confirmed', actor: 'provider' }, world.context),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    expect((await historyOf(world, token)).map(({ status }) => status)).toEqual([
      'new',
      'confirmed',
    ]);
  });

  it('of different kinds at the same time leaves a history that the table allows', async () => {
    const token = await leadIn(world, 'new');
    const wishes = leadStatuses.flatMap((to) =>
      actors.map((actor) => changeLead({ lead: token, to, actor, note: 'x' }, world.context)),
    );
    await Promise.allSettled(wishes);
    const states = (await historyOf(world, token)).map(({ status }) => status as LeadStatus);
    for (const [index, state] of states.slice(1).entries())
      expect(leadTransitions[states[index]!] as readonly string[]).toContain(state);
    expect(await statusOf(world, token)).toBe(states.at(-1));
  });
});

describe('a lead that nobody answers', async () => {
  const world = await openWorld(site);

  it('expires once past its time, whoever looks, and one that was answered does not', async () => {
    const late = await capture(world.context, source);
    const answered = await capture(world.context, source, 'pat@example.com');
    await changeLead({ lead: answered, to: 'acknowledged', actor: 'provider' }, world.context);
    expect(await expireLeads(world.context)).toBe(0);
    world.later(site.registry.network.leadTerms.respondWithinHours - 0.01);
    expect(await expireLeads(world.context)).toBe(0);
    world.later(0.02);
    const counts = await Promise.all(Array.from({ length: 6 }, () => expireLeads(world.context)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await expireLeads(world.context)).toBe(0);
    expect((await historyOf(world, late)).map(({ status, actor }) => [status, actor])).toEqual([
      ['new', 'person'],
      ['expired', 'system'],
    ]);
    expect(await statusOf(world, answered)).toBe('acknowledged');
  });

  it('expires however many there are', async () => {
    await Promise.all(
      Array.from({ length: 230 }, (_, index) =>
        capture(world.context, source, `p${index}@example.com`),
      ),
    );
    world.later(1_000);
    expect(await expireLeads(world.context)).toBe(230);
  });
});

describe('the hold of a lead', async () => {
  const world = await openWorld(site);
  const effect = held.action.effect as Extract<
    NonNullable<typeof held.action.effect>,
    { kind: 'hold' }
  >;
  const days = (from: string, to = from) => ({ [effect.fromField]: from, [effect.toField]: to });
  const hold = async (token: string) =>
    (await world.rows('holds')).find((row) => row['lead'] === token)!;

  it('becomes firm when the provider confirms', async () => {
    const token = await file(world.context, held, {}, days('2031-01-01'));
    await changeLead({ lead: token, to: 'confirmed', actor: 'provider' }, world.context);
    expect(await hold(token)).toMatchObject({ expires_at: null, released_at: null });
  });

  it.each(['declined', 'withdrawn', 'expired', 'erased'] as const)(
    'is given up when the lead is %s, and another can have the item',
    async (to) => {
      const day = `2031-02-0${leadStatuses.indexOf(to)}`;
      const token = await file(world.context, held, {}, days(day));
      await changeLead(
        { lead: token, to, actor: to === 'expired' ? 'system' : 'provider', note: 'x' },
        world.context,
      );
      expect((await hold(token))['released_at']).not.toBeNull();
      await expect(file(world.context, held, {}, days(day))).resolves.toBeTruthy();
    },
  );

  it('is not made firm once it has lapsed and somebody else has the unit', async () => {
    const token = await file(world.context, held, {}, days('2031-03-01'));
    world.later(effect.hours + 1);
    const { unit } = await hold(token);
    for (let tries = 0; tries < 50; tries++) {
      const other = await file(world.context, held, {}, days('2031-03-01'));
      if ((await hold(other))['unit'] === unit) break;
    }
    expect(
      (
        await problemOf(() =>
          changeLead({ lead: token, to: 'confirmed', actor: 'provider' }, world.context),
        )
      ).message,
    ).toContain('lapsed');
    expect(await statusOf(world, token)).toBe('new');
  });
});
