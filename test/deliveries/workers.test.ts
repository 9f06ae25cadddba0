import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DatabaseUnavailableError } from '../../db/unavailable.ts';
import type { Channel } from '../../src/leads/deliveries/channel.ts';
import { contracts } from '../../db/schema-contracts.ts';
import { describeLateDeliveries } from '../../src/leads/deliveries/delivery-faults.ts';
import { deliver } from '../../src/leads/deliveries/deliver.ts';
import {
  listDeliveryNotices,
  listStrandedDeliveryNotices,
} from '../../src/leads/deliveries/index.ts';
import {
  planDeliveries,
  requeueUnaddressedLeads,
} from '../../src/leads/deliveries/plan-deliveries.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { readOutboxState } from '../../src/leads/deliveries/outbox-state.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { writeEntry } from '../../src/leads/write-entry.ts';
import { listLeads } from '../../src/leads/lists/list-leads.ts';
import {
  redeliverLateMessages,
  redeliverLead,
  redeliverOpenLeads,
} from '../../src/leads/deliveries/redeliver-leads.ts';
import {
  listMessagesToSettle,
  settleDeliveries,
} from '../../src/leads/deliveries/settle-deliveries.ts';
import { startBackgroundJobs } from '../../src/server/background-jobs.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites, withBatch, type Fixture } from '../operations/setup/fixture.ts';
import { startHttpReceiver, startMailReceiver } from './setup/receivers.ts';
import { drain, submitLead, fastDeliveryPolicy } from './setup/drain.ts';
import { getBundledProgram } from '../setup/bundled-program.ts';
import { generateRandomTimes, random, chooseRepeatCount } from '../setup/seeds.ts';

const { site } = sites.find(({ name }) => name === 'the network of four')!;
const verb = listActions(site).find(({ action }) => !action.effect)!;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A channel that records deliveries and detects concurrent deliveries of the same event. */
function createRecordingChannel(ms: number) {
  const activeCounts = new Map<string, number>();
  const delivered: string[] = [];
  let concurrentCount = 0;
  const channel: Channel = {
    name: 'webhook',
    accepts: () => true,
    async send({ id }) {
      activeCounts.set(id, (activeCounts.get(id) ?? 0) + 1);
      if (activeCounts.get(id)! > 1) concurrentCount++;
      delivered.push(id);
      await wait(random() * ms);
      activeCounts.set(id, activeCounts.get(id)! - 1);
      return { outcome: 'sent' };
    },
  };
  return { channel, delivered, concurrentCount: () => concurrentCount };
}

it('several workers share the deliveries, and make each delivery once', async () => {
  const fixture = await openFixture(site);
  await Promise.all(Array.from({ length: 40 }, () => submitLead(fixture.context, verb)));
  const { channel, delivered, concurrentCount } = createRecordingChannel(8);
  await Promise.all(
    ['one', 'two', 'three'].map((worker) => drain([channel], fixture.context, { worker })),
  );
  expect(delivered.length).toBe(40);
  expect(new Set(delivered).size).toBe(40);
  expect(concurrentCount()).toBe(0);
});

it('another worker takes over a delivery only after its lease expires, if the first worker is gone', async () => {
  const fixture = await openFixture(site);
  await submitLead(fixture.context, verb);
  const { channel, delivered } = createRecordingChannel(0);
  await planDeliveries([channel], fixture.context);
  // A worker that loses the database cannot record the outcome either.
  const databaseError = new DatabaseUnavailableError('closed');
  const cutOffChannel: Channel = { ...channel, send: () => Promise.reject(databaseError) };
  await expect(deliver('gone', [cutOffChannel], fixture.context, fastDeliveryPolicy)).rejects.toBe(
    databaseError,
  );
  expect(await deliver('next', [channel], fixture.context, fastDeliveryPolicy)).toBe(0);
  fixture.advanceHours(1);
  expect(await deliver('next', [channel], fixture.context, fastDeliveryPolicy)).toBe(1);
  expect(delivered.length).toBe(1);
});

it('an undeliverable event is retried with growing delays, then given up and reported', async () => {
  const fixture = await openFixture(site);
  await submitLead(fixture.context, verb);
  const failingChannel: Channel = {
    ...createRecordingChannel(0).channel,
    send: async () => ({ outcome: 'connection' }),
  };
  await planDeliveries([failingChannel], fixture.context);
  const pauses: number[] = [];
  for (let round = 0; round < 20; round++) {
    const attemptedAt = fixture.context.now().getTime();
    expect(await deliver('test', [failingChannel], fixture.context)).toBe(1);
    const [{ due }] = (await fixture.database.writer.all(
      sql`select due_at as due from deliveries`,
    )) as [{ due: string | null }];
    if (due === null) break;
    pauses.push(Date.parse(due) - attemptedAt);
    fixture.advanceHours(7);
    fixture.advanceHours(7);
  }
  expect(pauses.length).toBe(19);
  for (const [index, pause] of pauses.entries()) {
    const expectedPause = Math.min(6 * 3_600_000, 5_000 * 3 ** index);
    expect(pause).toBeGreaterThanOrEqual(expectedPause * 0.75);
    expect(pause).toBeLessThanOrEqual(expectedPause * 1.25 + 2_000);
  }
  expect(await readOutboxState(fixture.context)).toEqual({
    undelivered: 0,
    oldestSeconds: 0,
    givenUp: 1,
    unaddressed: 0,
    personMail: { undelivered: 0, oldestSeconds: 0 },
  });
  expect(JSON.stringify(fixture.logged)).not.toMatch(/dana/i);
});

it.each(['failed', 'sent'] as const)(
  'a lead erased during delivery stays erased, and is not reported as given up if that delivery ends as %s',
  async (outcome) => {
    const fixture = await openFixture(site);
    const lead = await submitLead(fixture.context, verb);
    const { channel } = createRecordingChannel(0);
    await planDeliveries([channel], fixture.context);
    await deliver(
      'test',
      [
        {
          ...channel,
          send: async () => (await eraseLead(lead, 'person', fixture.context), { outcome }),
        },
      ],
      fixture.context,
      { ...fastDeliveryPolicy, attempts: 1 },
    );
    const [row] = await fixture.database.writer.all<Record<string, unknown>>(
      sql`select outcome, due_at from deliveries`,
    );
    expect(row).toEqual({ outcome: outcome === 'sent' ? 'sent' : 'erased', due_at: null });
    expect(await readOutboxState(fixture.context)).toMatchObject({ givenUp: 0 });
  },
);

it('only a delivery that failed is logged as a warning', async () => {
  const fixture = await openFixture(site);
  for (const outcome of ['sent', 'outdated', 'erased', 'refused'] as const) {
    await submitLead(fixture.context, verb);
    const channel: Channel = {
      ...createRecordingChannel(0).channel,
      send: async () => ({ outcome }),
    };
    await planDeliveries([channel], fixture.context);
    await deliver('test', [channel], fixture.context);
  }
  expect(fixture.logged).toEqual([
    [
      expect.objectContaining({ outcome: 'refused', reason: expect.stringMatching(/\.$/) }),
      'An event was not delivered.',
    ],
  ]);
});

it('leads wait while no channel is configured, startup reports them, and they are delivered once a channel exists', async () => {
  const fixture = await openFixture(site);
  await submitLead(fixture.context, verb);
  expect(listDeliveryNotices({}, fixture.context)).toEqual([
    expect.stringContaining('Leads wait in the inbox'),
  ]);
  expect(
    listDeliveryNotices(
      { webhookUrl: 'https://hooks.example/', webhookSecret: SECRET },
      fixture.context,
    ),
  ).toEqual([]);
  const localSettings = {
    smtpUrl: 'smtp://localhost',
    mailFrom: 'a@network.example',
    leadsTo: 'b@network.example',
    webhookUrl: 'http://10.0.0.1/',
    webhookSecret: SECRET,
    allowPrivateTargets: true,
  };
  expect(listDeliveryNotices(localSettings, fixture.context)).toEqual([]);
  const waiting = startBackgroundJobs({ channels: [], context: fixture.context });
  await wait(50);
  await waiting.stop();
  expect(await readOutboxState(fixture.context)).toMatchObject({ undelivered: 1 });
  const { channel, delivered } = createRecordingChannel(0);
  await drain([channel], fixture.context);
  expect(delivered.length).toBe(1);
  expect(await readOutboxState(fixture.context)).toEqual({
    undelivered: 0,
    oldestSeconds: 0,
    givenUp: 0,
    unaddressed: 0,
    personMail: { undelivered: 0, oldestSeconds: 0 },
  });
});

/** A channel without a recipient address. */
const createChannelWithoutAddress = (): Channel => ({
  ...createRecordingChannel(0).channel,
  name: 'mail',
  accepts: () => false,
});

/** Undelivered leads as operators see them. */
const readDeliveryState = async ({ context }: Fixture) => ({
  ...(await readOutboxState(context)),
  listed: (await listLeads({ undelivered: true }, { limit: 100 }, context)).length,
});

describe('a lead without a recipient address', () => {
  it('is reported as unaddressed, and delivered on request once an address exists', async () => {
    const fixture = await openFixture(site);
    await submitLead(fixture.context, verb);
    await drain([createChannelWithoutAddress()], fixture.context);
    expect(await readDeliveryState(fixture)).toEqual({
      undelivered: 0,
      oldestSeconds: 0,
      givenUp: 0,
      unaddressed: 1,
      personMail: { undelivered: 0, oldestSeconds: 0 },
      listed: 1,
    });
    for (const redeliver of [
      () => redeliverLateMessages(fixture.context),
      async () => redeliverLead((await fixture.rows('leads'))[0]!['token'], fixture.context),
    ]) {
      await redeliver();
      await drain([createChannelWithoutAddress()], fixture.context);
      expect(await readDeliveryState(fixture)).toMatchObject({ unaddressed: 1, listed: 1 });
    }
    expect(await redeliverLateMessages(fixture.context)).toBe(1);
    const { channel, delivered } = createRecordingChannel(0);
    await drain([channel], fixture.context);
    expect(delivered.length).toBe(1);
    expect(await readDeliveryState(fixture)).toMatchObject({
      undelivered: 0,
      unaddressed: 0,
      listed: 0,
    });
  });

  it('stays unaddressed with all its messages, however it is redelivered', async () => {
    const fixture = await openFixture(site);
    const { context } = fixture;
    const lead = await submitLead(context, verb);
    await changeLead({ receiptToken: lead, to: 'needs_info', actor: 'operator' }, context);
    await changeLead(
      { receiptToken: lead, to: 'acknowledged', actor: 'person', note: 'Six.' },
      context,
    );
    const mail = createChannelWithoutAddress();
    await drain([mail], context);
    const readDeliveries = () =>
      fixture.database.writer.all(sql`select outcome, due_at from deliveries`);
    const unaddressedRows = Array.from({ length: 2 }, () => ({
      outcome: 'no_address',
      due_at: null,
    }));
    expect(await readDeliveries()).toEqual(unaddressedRows);
    for (const redeliver of [redeliverLateMessages, redeliverOpenLeads]) {
      await redeliver(context);
      await drain([mail], context);
      expect(await readDeliveries()).toEqual(unaddressedRows);
    }
  });

  it('stays unaddressed if an answer is rejected because the person wrote meanwhile', async () => {
    const fixture = await openFixture(site);
    const { context } = fixture;
    const { writer } = context.database;
    const lead = await submitLead(context, verb);
    await drain([createChannelWithoutAddress()], context);
    const send = (actor: 'person' | 'provider') =>
      writeEntry(
        {
          receiptToken: lead,
          actor,
          decide: ({ entries }) =>
            entries.length === 1 ? { to: 'new', note: `From the ${actor}.` } : undefined,
        },
        context,
      );
    vi.spyOn(writer, 'batch').mockImplementationOnce(async (queries) => {
      await send('person');
      return writer.batch(queries);
    });
    expect((await send('provider'))?.log.entries.map(({ note }) => note)).toEqual([
      null,
      'From the person.',
    ]);
    expect(await readDeliveryState(fixture)).toMatchObject({ unaddressed: 1, listed: 1 });
  });

  it('keeps a later message from the person until an address exists', async () => {
    const fixture = await openFixture(site);
    const lead = await submitLead(fixture.context, verb);
    await drain([createRecordingChannel(0).channel], fixture.context);
    await changeLead({ receiptToken: lead, to: 'needs_info', actor: 'operator' }, fixture.context);
    await drain([createChannelWithoutAddress()], fixture.context);
    expect(await readDeliveryState(fixture)).toMatchObject({ unaddressed: 0 });
    await changeLead(
      { receiptToken: lead, to: 'acknowledged', actor: 'person', note: 'Six.' },
      fixture.context,
    );
    await drain([createChannelWithoutAddress()], fixture.context);
    expect(await readDeliveryState(fixture)).toMatchObject({ unaddressed: 1, listed: 1 });
    const { channel, delivered } = createRecordingChannel(0);
    await requeueUnaddressedLeads([{ ...channel, name: 'mail' }], fixture.context);
    await drain([{ ...channel, name: 'mail' }], fixture.context);
    expect(delivered.length).toBe(1);
    expect(await readDeliveryState(fixture)).toMatchObject({ unaddressed: 0, listed: 0 });
  });

  it('is delivered again with every other open lead, in any number, but not after it ends or is confirmed', async () => {
    const fixture = await openFixture(site);
    const open: string[] = [];
    for (let count = 0; count < 3; count++) open.push(await submitLead(fixture.context, verb));
    const [confirmed, ended, erased] = [
      await submitLead(fixture.context, verb),
      await submitLead(fixture.context, verb),
      await submitLead(fixture.context, verb),
    ];
    await changeLead({ receiptToken: open[1]!, to: 'quoted', actor: 'operator' }, fixture.context);
    await drain([createRecordingChannel(0).channel], fixture.context);
    await changeLead(
      { receiptToken: confirmed, to: 'confirmed', actor: 'operator' },
      fixture.context,
    );
    await changeLead({ receiptToken: ended, to: 'declined', actor: 'operator' }, fixture.context);
    await eraseLead(erased, 'person', fixture.context);
    await drain([createRecordingChannel(0).channel], fixture.context);

    fixture.advanceHours(1);
    expect(await redeliverOpenLeads(fixture.context)).toBe(open.length);
    // A message that was delivered an hour ago is not late when it is sent again.
    const readOldestSeconds = async () => (await readOutboxState(fixture.context)).oldestSeconds;
    expect(await readOldestSeconds()).toBeLessThan(1800);
    await planDeliveries([createRecordingChannel(0).channel], fixture.context);
    expect(await readOldestSeconds()).toBeLessThan(1800);
    const { channel, delivered } = createRecordingChannel(0);
    await drain([channel], fixture.context);
    const events = (await fixture.rows('outbox')).filter(({ id }) => delivered.includes(id));
    expect(events.map(({ lead }) => lead).sort()).toEqual(open.sort());
  });

  it('does not count as redelivered if it is erased in the meantime', async () => {
    const { context } = await openFixture(site);
    const [erased] = [await submitLead(context, verb), await submitLead(context, verb)];
    const { writer } = context.database;
    const erasingWriter = Object.assign(Object.create(writer) as typeof writer, {
      async batch(...batch: Parameters<typeof writer.batch>) {
        await eraseLead(erased, 'person', context);
        return writer.batch(...batch);
      },
    });
    const database = Object.assign(Object.create(context.database) as typeof context.database, {
      writer: erasingWriter,
    });
    expect(await redeliverOpenLeads({ ...context, database })).toBe(1);
  });

  it('is delivered automatically once, at the next start with an address, unless it has ended', async () => {
    const fixture = await openFixture(site);
    const [open, ended, erased] = [
      await submitLead(fixture.context, verb),
      await submitLead(fixture.context, verb),
      await submitLead(fixture.context, verb),
    ];
    await drain([createChannelWithoutAddress()], fixture.context);
    await changeLead({ receiptToken: ended, to: 'declined', actor: 'operator' }, fixture.context);
    await eraseLead(erased, 'person', fixture.context);
    expect(await readDeliveryState(fixture)).toMatchObject({ unaddressed: 1 });
    await requeueUnaddressedLeads([createChannelWithoutAddress()], fixture.context);
    expect(await readDeliveryState(fixture)).toMatchObject({ undelivered: 1, unaddressed: 1 });
    const { channel, delivered } = createRecordingChannel(0);
    const requestsOnlyChannel: Channel = { ...channel, accepts: ({ change }) => !change };
    const worker = startBackgroundJobs({
      channels: [requestsOnlyChannel],
      context: fixture.context,
    });
    await expect.poll(() => delivered.length, { interval: 10 }).toBe(1);
    await worker.stop();
    expect(delivered).toEqual(
      (await fixture.rows('outbox'))
        .filter(({ lead, kind }) => lead === open && kind === 'lead.created')
        .map(({ id }) => id),
    );
    expect(await readDeliveryState(fixture)).toMatchObject({ unaddressed: 0, listed: 0 });
  });
});

describe('deliveries that were given up', () => {
  const giveUpTwoDeliveries = async () => {
    const fixture = await openFixture(site);
    const leads = [
      await submitLead(fixture.context, verb),
      await submitLead(fixture.context, verb),
    ];
    await drain(
      [{ ...createRecordingChannel(0).channel, send: async () => ({ outcome: 'refused' }) }],
      fixture.context,
      {
        terms: { ...fastDeliveryPolicy, attempts: 1 },
      },
    );
    expect(await readDeliveryState(fixture)).toMatchObject({ givenUp: 2, listed: 2 });
    return { fixture, leads };
  };

  it.each([{ givenUp: true }, { channel: 'webhook' }])(
    'count as late until they are settled by %o',
    async (selection) => {
      const { fixture } = await giveUpTwoDeliveries();
      for (const other of [{ channel: 'mail' }, { unaddressed: true }])
        expect(await settleDeliveries({ ...selection, ...other }, fixture.context)).toEqual([]);
      expect(await settleDeliveries(selection, fixture.context)).toHaveLength(2);
      expect(await readDeliveryState(fixture)).toMatchObject({ givenUp: 0, listed: 0 });
      expect(await redeliverLateMessages(fixture.context)).toBe(0);
    },
  );

  it('count as late after the provider has answered, unlike deliveries without an address', async () => {
    const { fixture, leads } = await giveUpTwoDeliveries();
    const unaddressedLead = await submitLead(fixture.context, verb);
    await drain([createChannelWithoutAddress()], fixture.context);
    expect(await readDeliveryState(fixture)).toMatchObject({ givenUp: 2, unaddressed: 1 });
    for (const lead of [...leads, unaddressedLead])
      await changeLead({ receiptToken: lead, to: 'confirmed', actor: 'provider' }, fixture.context);
    expect(await readDeliveryState(fixture)).toMatchObject({ givenUp: 2, unaddressed: 0 });
  });

  it('are settled and retried only if they match the lead and every other condition', async () => {
    const {
      fixture,
      leads: [firstLead, secondLead],
    } = await giveUpTwoDeliveries();
    const { context } = fixture;
    const leads = [firstLead!];
    const selection = { leads, channel: 'webhook', givenUp: true };
    for (const other of [{ channel: 'person' }, { givenUp: false, unaddressed: true }])
      expect(await settleDeliveries({ ...selection, ...other }, context)).toEqual([]);
    const [event] = (await fixture.rows('outbox')).filter(({ lead }) => lead === firstLead);
    const message = { reference: event!['id'], event: event!['id'], channel: 'webhook' };
    expect(await listMessagesToSettle(selection, context)).toEqual([message]);
    expect(await readDeliveryState(fixture)).toMatchObject({ givenUp: 2 });
    expect(await settleDeliveries(selection, context)).toEqual([message]);
    expect(await readDeliveryState(fixture)).toMatchObject({ givenUp: 1 });
    expect(await redeliverLateMessages(context, { leads })).toBe(0);
    await changeLead({ receiptToken: secondLead!, to: 'confirmed', actor: 'provider' }, context);
    expect(await redeliverLateMessages(context, { open: true })).toBe(0);
    expect(await redeliverOpenLeads(context, { leads: [secondLead!] })).toBe(0);
    expect(await redeliverLateMessages(context, { leads: [secondLead!] })).toBe(1);
  });

  it('are settled or redelivered by lead, and are no longer late once it is erased', async () => {
    const {
      fixture,
      leads: [firstLead, secondLead],
    } = await giveUpTwoDeliveries();
    expect(await settleDeliveries({ leads: [firstLead!] }, fixture.context)).toHaveLength(1);
    expect(await readDeliveryState(fixture)).toMatchObject({ givenUp: 1 });
    await eraseLead(secondLead!, 'person', fixture.context);
    expect(await readDeliveryState(fixture)).toMatchObject({ givenUp: 0 });
    expect((await problemOf(() => redeliverLead(secondLead!, fixture.context))).code).toBe('gone');
    const { channel, delivered } = createRecordingChannel(0);
    await redeliverLead(firstLead!, fixture.context);
    await drain([{ ...channel, accepts: ({ change }) => !change }], fixture.context);
    expect(delivered.length).toBe(1);
  });
});

it('a delivery for a removed channel is not late, is reported at startup, and can use another channel or be settled', async () => {
  const fixture = await openFixture(site);
  const leads = [await submitLead(fixture.context, verb), await submitLead(fixture.context, verb)];
  await planDeliveries([createRecordingChannel(0).channel], fixture.context);
  await fixture.database.writer.run(
    sql`update deliveries set due_at = null, outcome = 'given_up' where event = (select min(event) from deliveries)`,
  );
  const now = { ...fixture.context, channels: ['mail'] };
  expect(await readOutboxState({ ...now, channels: ['webhook'] })).toMatchObject({
    undelivered: 1,
    givenUp: 1,
  });
  expect(await readOutboxState(now)).toMatchObject({
    undelivered: 0,
    oldestSeconds: 0,
    givenUp: 0,
  });
  const mail = {
    smtpUrl: 'smtp://mail.example',
    mailFrom: 'a@network.example',
    leadsTo: 'b@network.example',
  };
  expect(await listStrandedDeliveryNotices(mail, now)).toEqual([
    expect.stringMatching(
      /^2 deliveries wait for the channel webhook, .*settle --channel webhook$/,
    ),
  ]);
  expect(
    await listStrandedDeliveryNotices(
      { ...mail, webhookUrl: 'https://hooks.example/', webhookSecret: SECRET },
      now,
    ),
  ).toEqual([]);
  await redeliverLateMessages(now);
  const { channel, delivered } = createRecordingChannel(0);
  await drain([{ ...channel, name: 'mail' }], now);
  expect(delivered.length).toBe(leads.length);
  expect(await settleDeliveries({ channel: 'webhook' }, now)).toHaveLength(2);
  expect(await listStrandedDeliveryNotices(mail, now)).toEqual([]);
});

it('a worker that stops takes no new work and finishes its current delivery', async () => {
  const fixture = await openFixture(site);
  await submitLead(fixture.context, verb);
  let hasStarted = false;
  const slowChannel: Channel = {
    ...createRecordingChannel(0).channel,
    send: async () => ((hasStarted = true), await wait(150), { outcome: 'sent' }),
  };
  const worker = startBackgroundJobs({ channels: [slowChannel], context: fixture.context });
  await expect.poll(() => hasStarted, { interval: 10 }).toBe(true);
  await worker.stop();
  expect(await readOutboxState(fixture.context)).toMatchObject({ undelivered: 0 });
});

it('a delivery whose text cannot be created counts as failed, is logged and retried, and blocks no other', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const [bad, good] = [await submitLead(context, verb), await submitLead(context, verb)];
  const sent: string[] = [];
  const channel: Channel = {
    ...createRecordingChannel(0).channel,
    async send({ person: { receiptToken: token } }) {
      if (token === bad) throw new TypeError('no text');
      sent.push(token);
      return { outcome: 'sent' };
    },
  };
  await drain([channel], context);
  expect(sent).toEqual([good]);
  const { writer } = fixture.database;
  expect(
    await writer.all(
      sql`select attempts, outcome, due_at, lease_until from deliveries where lead = ${bad}`,
    ),
  ).toEqual([{ attempts: 20, outcome: 'given_up', due_at: null, lease_until: null }]);
  expect(
    await writer.all(sql`select distinct outcome from delivery_attempts where outcome <> 'sent'`),
  ).toEqual([{ outcome: 'internal_error' }]);
  expect(
    await describeLateDeliveries({ until: context.now().toISOString(), limit: 10 }, context),
  ).toEqual([
    'webhook, 1 message: The service could not create the message; see its log for the error.',
  ]);
  expect(fixture.logged.some(([details]) => (details as { err?: unknown }).err)).toBe(true);
});

it('a job that keeps failing is retried, and the log has the stack of its fault once', async () => {
  const fixture = await openFixture(site);
  await submitLead(fixture.context, verb);
  const { context } = withBatch(fixture, () => () => Promise.reject(new Error('read-only')));
  const worker = startBackgroundJobs({
    channels: [createRecordingChannel(0).channel],
    context,
    pauses: { busy: 1, idle: 1, fault: 1, late: 1, alerts: 1, firstSweep: 0, sweep: 60_000 },
  });
  const failures = () =>
    fixture.logged.flatMap(([details]) => {
      const entry = details as { what?: string; err?: unknown };
      return entry.what === 'plan deliveries' ? [entry] : [];
    });
  await expect.poll(() => failures().length, { interval: 10 }).toBeGreaterThan(2);
  await worker.stop();
  expect(failures().filter(({ err }) => err !== undefined)).toHaveLength(1);
});

it('an unwritable database is logged once for all jobs, as one line with what to do', async () => {
  const fixture = await openFixture(site);
  await submitLead(fixture.context, verb);
  const readOnlyError = Object.assign(new Error('attempt to write a readonly database'), {
    code: 'SQLITE_READONLY',
  });
  const { context } = withBatch(fixture, () => () => Promise.reject(readOnlyError));
  let failures = 0;
  const database = {
    ...context.database,
    get reader(): never {
      failures++;
      throw readOnlyError;
    },
    get background(): never {
      failures++;
      throw readOnlyError;
    },
  };
  const failing = { ...context, database };
  const worker = startBackgroundJobs({
    channels: [createRecordingChannel(0).channel],
    context: failing,
    pauses: { busy: 1, idle: 1, fault: 1, late: 1, alerts: 1, firstSweep: 0, sweep: 1 },
  });
  await expect.poll(() => failures, { interval: 10 }).toBeGreaterThan(20);
  await worker.stop();
  expect(fixture.logged).toEqual([
    [
      {
        fault: expect.stringMatching(/^The database cannot be written to; give this program write/),
      },
      'Background jobs cannot use the database and will be retried.',
    ],
  ]);
});

it('stores the contracts of a site as soon as there is space, and logs one line until then', async () => {
  const fixture = await openFixture(site);
  const { writer } = fixture.database;
  let failures = 0;
  const insert: typeof writer.insert = (table) => {
    if (failures++ < 2) throw new DatabaseUnavailableError('low_space');
    return writer.insert(table);
  };
  const database = Object.create(fixture.database, {
    writer: { value: Object.assign(Object.create(writer) as typeof writer, { insert }) },
  }) as typeof fixture.database;
  const worker = startBackgroundJobs({
    channels: [],
    context: { ...fixture.context, database },
    pauses: { busy: 1, idle: 1, fault: 1, late: 1, alerts: 1, firstSweep: 0, sweep: 1 },
  });
  await expect.poll(() => writer.select().from(contracts), { interval: 10 }).not.toHaveLength(0);
  await worker.stop();
  expect(failures).toBe(3);
  expect(fixture.logged).toEqual([
    [
      { fault: expect.stringContaining('less free space than MIN_FREE_DISK; free some space') },
      'Background jobs cannot use the database and will be retried.',
    ],
  ]);
});

it('no lead stays undelivered when the process is killed repeatedly in the middle of a delivery', async () => {
  const fixture = await openFixture(site);
  const [webhookReceiver, mailbox] = [await startHttpReceiver(), await startMailReceiver()];
  const program = await getBundledProgram('test/deliveries/setup/worker.ts');
  const start = () => {
    const child = spawn(
      process.execPath,
      [
        program,
        fixture.url,
        webhookReceiver.url,
        SECRET,
        mailbox.url,
        String(fixture.context.now().getTime() - Date.now()),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const slowHandlers = Array.from(
    { length: 200 },
    () => (_: unknown, response: { writeHead(status: number): { end(): void } }) =>
      void setTimeout(() => response.writeHead(204).end(), random() * 40),
  );
  webhookReceiver.handlers.push(...slowHandlers);
  const submitted: string[] = [];
  // Two callers, so that one works while the other’s process is killed.
  const submitAndKill = async () => {
    for (const moment of generateRandomTimes(chooseRepeatCount(4, 15), 120)) {
      submitted.push(
        await submitLead(fixture.context, verb),
        await submitLead(fixture.context, verb),
      );
      const child = start();
      await once(child.stdout, 'data');
      await wait(moment);
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  };
  await Promise.all([submitAndKill(), submitAndKill()]);
  const lastWorker = start();
  await expect
    .poll(async () => (await readOutboxState(fixture.context)).undelivered, {
      interval: 100,
    })
    .toBe(0);
  lastWorker.kill('SIGKILL');
  const events = (await fixture.rows('outbox')).map(({ id }) => id as string);
  expect(events.length).toBe(submitted.length);
  expect(new Set(webhookReceiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set(events),
  );
  expect(new Set(mailbox.mails.map(({ messageId }) => messageId!.slice(1).split('@')[0]))).toEqual(
    new Set(events),
  );
});
