import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import {
  actors,
  leadStatuses,
  leadTransitions,
  type LeadStatus,
  explainInvalidTransition,
} from '../../src/leads/lead-states.ts';
import { expireLeads } from '../../src/leads/expire-leads.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { MAX_NOTE_LENGTH } from '../../src/leads/write-entry.ts';
import { readLeadStatus } from '../../src/leads/status/read-lead-status.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { createMailChannel } from '../../src/leads/deliveries/mail.ts';
import { computeAnswerDeadline } from '../../src/leads/status/promised-answer.ts';
import { computeExpiry } from '../../src/leads/status/request-expiry.ts';
import { addHours } from '../../src/operation/time-arithmetic.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { Problem } from '../../src/operation/problem.ts';
import { makeOffer } from '../conversation/leads-in-states.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { capture, submitLead } from '../deliveries/setup/drain.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { listActions } from '../operations/setup/actions.ts';
import {
  chooseCases,
  itWithFile,
  openFixture,
  sites,
  type Fixture,
} from '../operations/setup/fixture.ts';
import { specStates } from '../spec/states.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const source = site.registry.subsites[0]!.leadSource;
const holdAction = listActions(site).find(({ action }) => action.effect?.kind === 'hold')!;

/** A lead inserted directly in a given state. */
async function insertLead(fixture: Fixture, status: LeadStatus): Promise<string> {
  const token = await capture(fixture.context, source);
  await fixture.database.writer.run(
    sql`update leads set status = ${status} where token = ${token}`,
  );
  return token;
}

/** Rows of one lead, because tests share a database. */
const statusOf = async ({ database: { writer } }: Fixture, token: string) =>
  (await writer.all<{ status: string }>(sql`select status from leads where token = ${token}`))[0]!
    .status;
const readHistory = ({ database: { writer } }: Fixture, token: string) =>
  writer.all<Record<string, any>>(
    sql`select * from lead_history where lead = ${token} order by rowid`,
  );
const readEvents = ({ database: { writer } }: Fixture, token: string) =>
  writer.all<Record<string, any>>(sql`select * from outbox where lead = ${token} order by rowid`);
const countEvents = ({ database: { writer } }: Fixture) =>
  writer.all(sql`select count(*) as events from outbox`);

const changes = leadStatuses.flatMap((from) =>
  leadStatuses.flatMap((to) => actors.map((actor) => ({ from, to, actor }))),
);
const isLegal = ({ from, to, actor }: (typeof changes)[number]) =>
  from !== 'erased' &&
  (to === 'erased' || explainInvalidTransition(from, to, actor, 'because') === undefined);

describe('every state change', async () => {
  const fixture = await openFixture(site);

  it('is in the table of allowed changes, and the table has no other changes', () => {
    expect(leadTransitions).toEqual(specStates);
  });

  it('is either allowed or refused, and there are many of both', () => {
    expect(changes.filter(isLegal).length).toBeGreaterThan(40);
    expect(changes.filter((change) => !isLegal(change)).length).toBeGreaterThan(100);
  });

  it.each(chooseCases(changes.filter(isLegal), ({ to }) => to))(
    'from $from to $to by the $actor succeeds and is appended to the history',
    async ({ from, to, actor }) => {
      const token = await insertLead(fixture, from);
      const historyBefore = await readHistory(fixture, token);
      await changeLead({ receiptToken: token, to, actor, note: 'because' }, fixture.context);
      expect(await statusOf(fixture, token)).toBe(to);
      const historyAfter = await readHistory(fixture, token);
      expect(historyAfter.slice(0, -1)).toEqual(historyBefore);
      expect(historyAfter.at(-1)).toMatchObject({ status: to, actor, note: 'because' });
      const events = await readEvents(fixture, token);
      expect(events.map(({ kind, payload }) => [kind, JSON.parse(payload)])).toEqual([
        ['lead.created', {}],
        ['lead.changed', { from, to, by: actor, revision: 2 }],
      ]);
    },
  );

  /** One lead for each state. Rejected changes leave it unchanged. */
  const tokensByStatus = new Map<LeadStatus, string>();

  it.each(chooseCases(changes.filter((change) => !isLegal(change))))(
    'from $from to $to by the $actor is refused and changes nothing',
    async ({ from, to, actor }) => {
      const token = tokensByStatus.get(from) ?? (await insertLead(fixture, from));
      tokensByStatus.set(from, token);
      const rowsBefore = [await readHistory(fixture, token), await countEvents(fixture)];
      const problem = await problemOf(() =>
        changeLead({ receiptToken: token, to, actor, note: 'because' }, fixture.context),
      );
      expect(problem.code).toBe(from === 'erased' ? 'gone' : 'conflict');
      expect(await statusOf(fixture, token)).toBe(from);
      expect([await readHistory(fixture, token), await countEvents(fixture)]).toEqual(rowsBefore);
    },
  );

  for (const actor of actors.filter((one) => one !== 'provider'))
    itWithFile(`by the ${actor} is correctly reported to the provider by email`, async () => {
      const mail = createMailChannel({
        url: 'smtp://127.0.0.1:1',
        from: 'a@network.example',
        to: 'b@network.example',
        site,
      });
      for (const { from, to } of changes.filter(
        (change) => change.actor === actor && isLegal(change),
      )) {
        const token = await insertLead(fixture, from);
        await changeLead({ receiptToken: token, to, actor, note: 'because' }, fixture.context);
        const { id } = (await readEvents(fixture, token)).find(
          ({ kind }) => kind === 'lead.changed',
        )!;
        const event = (await readLeadEvent(id, fixture.context))!;
        expect([event.change, mail.accepts(event)]).toEqual([
          { from, to, by: actor, note: 'because' },
          true,
        ]);
        expect(renderMail(event, site).text.includes('The customer canceled')).toBe(
          to === 'withdrawn' && actor === 'person',
        );
      }
    });

  it('from confirmed to declined requires a note', async () => {
    const token = await insertLead(fixture, 'confirmed');
    expect(
      (
        await problemOf(() =>
          changeLead(
            { receiptToken: token, to: 'declined', actor: 'provider', note: '  ' },
            fixture.context,
          ),
        )
      ).message,
    ).toContain('note');
  });

  it('has a note of limited length, whoever writes it', async () => {
    const token = await insertLead(fixture, 'new');
    for (const actor of ['provider', 'operator'] as const)
      expect(
        (
          await problemOf(() =>
            changeLead(
              { receiptToken: token, to: 'quoted', actor, note: 'x'.repeat(MAX_NOTE_LENGTH + 1) },
              fixture.context,
            ),
          )
        ).message,
      ).toContain('4,000');
    expect(await statusOf(fixture, token)).toBe('new');
    const note = '\u{1F69A}'.repeat(MAX_NOTE_LENGTH);
    await changeLead(
      { receiptToken: token, to: 'quoted', actor: 'provider', note },
      fixture.context,
    );
    expect(await statusOf(fixture, token)).toBe('quoted');
  });

  it('appears in the status immediately, with its note', async () => {
    const token = await insertLead(fixture, 'new');
    await changeLead(
      { receiptToken: token, to: 'quoted', actor: 'provider', note: 'Forty five dollars.' },
      fixture.context,
    );
    const { output } = await readLeadStatus.handle(
      { receiptToken: token },
      { channel: 'json' },
      fixture.context,
    );
    expect(output).toMatchObject({
      status: 'quoted',
      history: [{ status: 'new' }, { status: 'quoted', note: 'Forty five dollars.' }],
    });
  });

  it('is made once when many requests for it arrive together', async () => {
    const token = await insertLead(fixture, 'new');
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        changeLead({ receiptToken: token, to: 'confirmed', actor: 'provider' }, fixture.context),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    expect((await readHistory(fixture, token)).map(({ status }) => status)).toEqual([
      'new',
      'confirmed',
    ]);
  });

  it('that competes with others leaves a history that the table allows', async () => {
    const token = await insertLead(fixture, 'new');
    const attempts = leadStatuses.flatMap((to) =>
      actors.map((actor) =>
        changeLead({ receiptToken: token, to, actor, note: 'x' }, fixture.context),
      ),
    );
    await Promise.allSettled(attempts);
    const states = (await readHistory(fixture, token)).map(({ status }) => status as LeadStatus);
    for (const [index, state] of states.slice(1).entries())
      expect(leadTransitions[states[index]!] as readonly string[]).toContain(state);
    expect(await statusOf(fixture, token)).toBe(states.at(-1));
  });
});

describe('a lead without an answer', async () => {
  const fixture = await openFixture(site);

  it('expires once, days after its deadline, however many processes check, but not if it was answered', async () => {
    const unansweredLead = await capture(fixture.context, source);
    const answeredLead = await capture(fixture.context, source, 'pat@example.com');
    await changeLead(
      { receiptToken: answeredLead, to: 'acknowledged', actor: 'provider' },
      fixture.context,
    );
    expect(await expireLeads(fixture.context)).toBe(0);
    const expiries = (await fixture.rows('leads')).map((row) =>
      Date.parse(computeExpiry(String(row['respond_by']))),
    );
    fixture.advanceHours(
      (Math.max(...expiries) - fixture.context.now().getTime()) / 3_600_000 - 0.01,
    );
    expect(await expireLeads(fixture.context)).toBe(0);
    fixture.advanceHours(0.02);
    const counts = await Promise.all(Array.from({ length: 6 }, () => expireLeads(fixture.context)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await expireLeads(fixture.context)).toBe(0);
    expect(
      (await readHistory(fixture, unansweredLead)).map(({ status, actor }) => [status, actor]),
    ).toEqual([
      ['new', 'person'],
      ['expired', 'system'],
    ]);
    expect(await statusOf(fixture, answeredLead)).toBe('acknowledged');
  });

  it('does not expire if it is answered while the expiry is being written', async () => {
    const token = await capture(fixture.context, source, 'late@example.com');
    fixture.advanceHours(1_000);
    const { writer } = fixture.context.database;
    const batch = writer.batch.bind(writer);
    vi.spyOn(writer, 'batch').mockImplementationOnce(async (statements) => {
      await changeLead(
        { receiptToken: token, to: 'acknowledged', actor: 'provider' },
        fixture.context,
      );
      return batch(statements);
    });
    expect(await expireLeads(fixture.context)).toBe(0);
    expect(await statusOf(fixture, token)).toBe('acknowledged');
  });

  itWithFile('expires along with hundreds of others', async () => {
    await Promise.all(
      Array.from({ length: 230 }, (_, index) =>
        capture(fixture.context, source, `p${index}@example.com`),
      ),
    );
    fixture.advanceHours(1_000);
    expect(await expireLeads(fixture.context)).toBe(230);
  });
});

describe('the hold of a lead', async () => {
  const fixture = await openFixture(site);
  const effect = holdAction.action.effect as Extract<
    NonNullable<typeof holdAction.action.effect>,
    { kind: 'hold' }
  >;
  const createDayFields = (from: string, to = from) => ({
    [effect.fromField]: from,
    [effect.toField]: to,
  });
  const readHold = async (token: string) =>
    (await fixture.rows('holds')).find((row) => row['lead'] === token)!;
  const call = { channel: 'json' } as const;
  const readStatus = async (token: string) =>
    (await readLeadStatus.handle({ receiptToken: token }, call, fixture.context)).output;

  it('becomes firm when the provider confirms', async () => {
    const token = await submitLead(fixture.context, holdAction, {}, createDayFields('2031-01-01'));
    await changeLead({ receiptToken: token, to: 'confirmed', actor: 'provider' }, fixture.context);
    expect(await readHold(token)).toMatchObject({ expires_at: null, released_at: null });
  });

  it.each(chooseCases(['declined', 'withdrawn', 'expired', 'erased'] as const))(
    'is released when the lead is %s, and another customer can have the item',
    async (to) => {
      const day = `2031-02-0${leadStatuses.indexOf(to)}`;
      const token = await submitLead(fixture.context, holdAction, {}, createDayFields(day));
      await changeLead(
        { receiptToken: token, to, actor: to === 'expired' ? 'system' : 'provider', note: 'x' },
        fixture.context,
      );
      expect((await readHold(token))['released_at']).not.toBeNull();
      await expect(
        submitLead(fixture.context, holdAction, {}, createDayFields(day)),
      ).resolves.toBeTruthy();
    },
  );

  it('lasts as long as an offer is open, and from its acceptance until the answer is due', async () => {
    const token = await submitLead(fixture.context, holdAction, {}, createDayFields('2031-04-01'));
    const holdExpiry = (await readHold(token))['expires_at'] as string;
    await makeOffer(fixture, token, { expiresAt: addHours(fixture.context.now(), 1) });
    expect((await readHold(token))['expires_at']).toBe(holdExpiry);
    const expiresAt = addHours(new Date(holdExpiry), 100);
    const offerId = await makeOffer(fixture, token, { expiresAt });
    expect(await readStatus(token)).toMatchObject({ offer: { expiresAt }, hold: { expiresAt } });
    fixture.advanceHours((Date.parse(expiresAt) - fixture.context.now().getTime()) / 3_600_000 - 1);
    await sendMessage.handle(
      { receiptToken: token, action: 'accept', offerId },
      call,
      fixture.context,
    );
    const now = fixture.context.now();
    const holdEnd = (await readStatus(token)).hold!.expiresAt!;
    expect(holdEnd > expiresAt).toBe(true);
    expect(holdEnd).toBe(
      computeAnswerDeadline(
        site.registry,
        { subsite: holdAction.subsite.name, action: holdAction.action.verb },
        now,
      ),
    );
    await changeLead({ receiptToken: token, to: 'confirmed', actor: 'provider' }, fixture.context);
    expect((await readStatus(token)).hold).not.toHaveProperty('expiresAt');
    const reply = (await readStatus(token)).calls.find(({ next }) => next === 'reply');
    expect(reply?.body?.text).toContain('cannot change the days of a held item');
  });

  it('keeps its request from expiring early, and ends with the request', async () => {
    const token = await submitLead(fixture.context, holdAction, {}, createDayFields('2031-04-03'));
    fixture.advanceHours(holdAction.action.respondWithinHours + 1);
    await expireLeads(fixture.context);
    expect(await statusOf(fixture, token)).toBe('new');
    expect((await readStatus(token)).hold).toBeDefined();
    fixture.advanceHours(effect.hours - holdAction.action.respondWithinHours);
    await expireLeads(fixture.context);
    expect(await statusOf(fixture, token)).toBe('expired');
    expect((await readHold(token))['released_at']).not.toBeNull();
  });

  /** A request whose hold has expired, while another customer holds its unit. */
  async function submitWithTakenUnit(day: string): Promise<{ token: string; taken: number }> {
    const token = await submitLead(fixture.context, holdAction, {}, createDayFields(day));
    fixture.advanceHours(effect.hours + 1);
    const otherLead = await submitLead(fixture.context, holdAction, {}, createDayFields(day));
    const { unit: taken } = await readHold(otherLead);
    expect((await readHold(token))['unit']).toBe(taken);
    return { token, taken };
  }

  it.each([
    [
      'confirmed',
      (lead: string) =>
        changeLead({ receiptToken: lead, to: 'confirmed', actor: 'provider' }, fixture.context),
    ],
    ['offered', (lead: string) => makeOffer(fixture, lead)],
  ])(
    'moves to an available unit when the item is %s after another customer has taken the original unit',
    async (name, claim) => {
      const { token, taken } = await submitWithTakenUnit(
        name === 'offered' ? '2031-03-05' : '2031-03-03',
      );
      await claim(token);
      const { unit, expires_at: expiresAt } = await readHold(token);
      expect(unit).not.toBe(taken);
      expect(expiresAt === null || expiresAt > fixture.context.now().toISOString()).toBe(true);
    },
  );

  it('is not confirmed once it has expired and other customers have all units', async () => {
    const { token } = await submitWithTakenUnit('2031-03-01');
    const submitOther = () =>
      submitLead(fixture.context, holdAction, {}, createDayFields('2031-03-01'));
    let otherCount = 0;
    while (otherCount < 50 && !((await submitOther().catch((error) => error)) instanceof Problem))
      otherCount++;
    expect(otherCount).toBeLessThan(50);
    for (const claim of [
      () =>
        changeLead({ receiptToken: token, to: 'confirmed', actor: 'provider' }, fixture.context),
      () => makeOffer(fixture, token),
    ])
      expect(await problemOf(claim)).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('has expired'),
      });
    expect(await statusOf(fixture, token)).toBe('new');
  });
});
