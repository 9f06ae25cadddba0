import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { advanceTasks } from '../../src/capabilities/advance-tasks.ts';
import { createMailChannel } from '../../src/leads/deliveries/mail.ts';
import type { AttemptResult, Channel } from '../../src/leads/deliveries/channel.ts';
import { deliver } from '../../src/leads/deliveries/deliver.ts';
import { planDeliveries } from '../../src/leads/deliveries/plan-deliveries.ts';
import { createWebhookChannel } from '../../src/leads/deliveries/webhook.ts';
import { createMailSender } from '../../src/leads/deliveries/send-mail.ts';
import { expireLeads } from '../../src/leads/expire-leads.ts';
import { readLead } from '../../src/leads/lists/lead-records.ts';
import { notifyOperator, retryRejectedAlerts } from '../../src/leads/deliveries/operator-alerts.ts';
import { settleDeliveries } from '../../src/leads/deliveries/settle-deliveries.ts';
import { startBackgroundJobs } from '../../src/server/background-jobs.ts';
import { formatTime } from '../../src/site/words/words.ts';
import { createLeadInState } from '../conversation/leads-in-states.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites, type Fixture } from '../operations/setup/fixture.ts';
import {
  DEFERRED_NAME,
  REJECTED_NAME,
  startHttpReceiver,
  startMailReceiver,
  type MailReceiver,
} from './setup/receivers.ts';
import { fastDeliveryPolicy, submitLead } from './setup/drain.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const verb = listActions(site).find(({ action }) => !action.effect)!;
const MINUTE = 1 / 60;
const TIMEOUT_MS = 2_500;

const createOperator = ({ url }: Pick<MailReceiver, 'url'>) => ({
  send: createMailSender({ url, serviceHost: 'network.example', timeoutMs: TIMEOUT_MS }),
  from: 'Frontage <leads@network.example>',
  to: 'operator@network.example',
});
const header = (mail: MailReceiver['mails'][number], name: string) =>
  mail.headers.find(({ key }) => key === name)?.value;
/** Marks all leads as delivered. */
const markAllDelivered = (fixture: Pick<Fixture, 'database'>) =>
  fixture.database.writer.run(sql`update outbox set due_at = null`);

it('jobs with nothing to do write nothing, so the thread for writes can end', async () => {
  const { context } = await openFixture(site);
  await submitLead(context, verb);
  await markAllDelivered(context);
  const { commitCount } = context.database;
  await expireLeads(context);
  await notifyOperator(createOperator({ url: 'smtp://127.0.0.1:1' }), context);
  await deliver('worker', [], context, fastDeliveryPolicy);
  await planDeliveries([], context);
  await advanceTasks('worker', context);
  expect(context.database.commitCount).toBe(commitCount);
});

it('the operator gets one email when leads have been undelivered for 15 minutes, and another when they are delivered', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  const checkAlerts = () => notifyOperator(createOperator(receiver), fixture.context);
  await submitLead(fixture.context, verb);
  await submitLead(fixture.context, verb);
  fixture.advanceHours(14 * MINUTE);
  await checkAlerts();
  expect(receiver.mails).toEqual([]);
  fixture.advanceHours(2 * MINUTE);
  const [lead] = await fixture.rows('leads');
  for (let round = 0; round < 3; round++) await checkAlerts();
  expect(receiver.mails.length).toBe(1);
  fixture.advanceHours(MINUTE);
  await submitLead(fixture.context, verb);
  await checkAlerts();
  expect(receiver.mails.length).toBe(1);
  await markAllDelivered(fixture);
  for (let round = 0; round < 3; round++) await checkAlerts();
  const [openingMail, closingMail] = receiver.mails as [
    MailReceiver['mails'][0],
    MailReceiver['mails'][0],
  ];
  expect(receiver.mails.length).toBe(2);
  expect(openingMail.envelopeTo).toEqual(['operator@network.example']);
  expect(openingMail.text).toContain(
    'Messages about 2 leads have been undelivered for 15 minutes or longer',
  );
  expect(openingMail.text).toContain(
    formatTime(lead!['created_at'], site.registry.network.timeZone),
  );
  expect(closingMail.subject).toBe(`Re: ${openingMail.subject}`);
  expect(header(closingMail, 'in-reply-to')).toBe(openingMail.messageId);
  expect(header(closingMail, 'references')).toBe(openingMail.messageId);
  expect(closingMail.messageId).not.toBe(openingMail.messageId);

  await submitLead(fixture.context, verb);
  fixture.advanceHours(16 * MINUTE);
  await checkAlerts();
  expect(receiver.mails.length).toBe(3);
  expect(receiver.mails[2]!.messageId).not.toBe(openingMail.messageId);
});

it('a lead counts as undelivered until the operator settles it, whatever the outcome of its delivery', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  const token = await submitLead(fixture.context, verb);
  await fixture.database.writer.run(
    sql`insert into deliveries (event, channel, lead, created_at, outcome) select id, 'mail', lead, created_at, 'given_up' from outbox`,
  );
  await fixture.database.writer.run(
    sql`insert into delivery_attempts (event, channel, at, ms, outcome) select id, 'mail', created_at, 3, 'refused' from outbox`,
  );
  fixture.advanceHours(16 * MINUTE);
  // A message that has been undelivered for less time is not counted anywhere.
  const recentToken = await submitLead(fixture.context, verb);
  await fixture.database.writer.run(
    sql`insert into deliveries (event, channel, lead, created_at, outcome) select id, 'mail', lead, created_at, 'refused' from outbox where lead = ${recentToken}`,
  );
  await markAllDelivered(fixture);
  await notifyOperator(createOperator(receiver), fixture.context);
  expect(receiver.mails.map(({ text }) => text)).toEqual([
    expect.stringContaining('Messages about 1 lead have'),
  ]);
  // The alert says which channel failed and why, although its retries are exhausted.
  expect(receiver.mails[0]!.text).toContain(
    'email to the provider, 1 message: The target rejected the message. Check MAIL_FROM, and the login in SMTP_URL;',
  );
  const { deliveries } = await readLead(token, 'all', fixture.context);
  expect(deliveries).toMatchObject([{ outcome: 'given_up', lastOutcome: 'refused' }]);
  await settleDeliveries({ leads: [token] }, fixture.context);
  await notifyOperator(createOperator(receiver), fixture.context);
  expect(receiver.mails.length).toBe(2);
});

it('the operator is told of messages that wait after an outage, even while an old one is still undelivered', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const receiver = await startMailReceiver();
  const down = createOperator({ url: 'smtp://127.0.0.1:1' });
  await submitLead(context, verb);
  fixture.advanceHours(16 * MINUTE);
  await notifyOperator(createOperator(receiver), context);
  expect(receiver.mails.length).toBe(1);
  fixture.advanceHours(30);
  await notifyOperator(createOperator(receiver), context);
  expect(receiver.mails.length).toBe(1);
  await submitLead(context, verb);
  fixture.advanceHours(16 * MINUTE);
  await notifyOperator(down, context);
  fixture.advanceHours(MINUTE);
  for (let round = 0; round < 2; round++) await notifyOperator(createOperator(receiver), context);
  expect(receiver.mails.map(({ text }) => text)).toEqual([
    expect.stringContaining('Messages about 1 lead have'),
    expect.stringContaining('Messages about 2 leads have'),
  ]);
});

it('the status code of a failed attempt is kept and reported, without the text of the response', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const [receiver, http] = [await startMailReceiver(), await startHttpReceiver()];
  receiver.faults.push('busy');
  http.handlers.push((_, response) => response.writeHead(410).end('dana@example.com'));
  const channels = [
    createMailChannel({ url: receiver.url, from: 'a@network.example', to: 'b@c.example', site }),
    createWebhookChannel({
      url: http.url,
      secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
      allowPrivate: true,
      now: context.now,
    }),
  ];
  const token = await submitLead(context, verb);
  await planDeliveries(channels, context);
  await deliver('test', channels, context);
  const { deliveries, attempts } = await readLead(token, 'all', context);
  expect(deliveries.map(({ channel, lastResponse }) => [channel, lastResponse])).toEqual([
    ['mail', '451 4.3.0'],
    ['webhook', '410'],
  ]);
  expect(JSON.stringify(attempts)).not.toContain('dana');
  fixture.advanceHours(16 * MINUTE);
  await notifyOperator(createOperator(receiver), context);
  expect(receiver.mails[0]!.text).toContain('could not process the message (451 4.3.0). ');
  expect(receiver.mails[0]!.text).toContain('rejected the message (410). ');
});

it('each target of a channel keeps the outcome and status code of its own last attempt', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const token = await submitLead(context, verb);
  const results: Record<string, AttemptResult> = {
    'config-1': { outcome: 'refused', response: '410' },
    'config-2': { outcome: 'failed', response: '500' },
  };
  for (const target of Object.keys(results))
    await fixture.database.writer.run(
      sql`insert into deliveries (event, channel, target, lead, created_at, due_at) select id, 'push', ${target}, lead, created_at, created_at from outbox`,
    );
  const push: Channel = {
    name: 'push',
    accepts: () => true,
    send: async (_event, _context, target) => results[target]!,
  };
  await deliver('test', [push], context, { ...fastDeliveryPolicy, attempts: 1 });
  const { deliveries } = await readLead(token, 'all', context);
  expect(
    deliveries
      .filter(({ outcome }) => outcome === 'given_up')
      .map(({ lastOutcome, lastResponse }) => `${lastOutcome} ${lastResponse}`)
      .sort(),
  ).toEqual(['failed 500', 'refused 410']);
});

it('the operator gets one email when leads are overdue, and another after 24 hours without overdue leads', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  const checkAlerts = async () => {
    await expireLeads(fixture.context);
    await markAllDelivered(fixture);
    await notifyOperator(createOperator(receiver), fixture.context);
  };
  await submitLead(fixture.context, verb);
  await checkAlerts();
  fixture.advanceHours(24 * 60);
  for (let round = 0; round < 3; round++) await checkAlerts();
  expect(receiver.mails.map(({ text }) => text)).toEqual([
    expect.stringContaining('1 lead was not answered within the promised time'),
  ]);
  fixture.advanceHours(23);
  await checkAlerts();
  expect(receiver.mails.length).toBe(1);
  fixture.advanceHours(2);
  for (let round = 0; round < 3; round++) await checkAlerts();
  expect(receiver.mails.length).toBe(2);
});

it('the operator gets one more email a day while other leads become overdue', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  const checkAlerts = async () => {
    await markAllDelivered(fixture);
    for (let round = 0; round < 3; round++)
      await notifyOperator(createOperator(receiver), fixture.context);
  };
  await createLeadInState(fixture, 'accepted');
  fixture.advanceHours(24 * 7);
  await checkAlerts();
  await submitLead(fixture.context, verb);
  fixture.advanceHours(20);
  await submitLead(fixture.context, verb);
  await checkAlerts();
  expect(receiver.mails.length).toBe(1);
  fixture.advanceHours(5 + site.registry.network.leadTerms.respondWithinHours);
  await checkAlerts();
  const [first, reminder] = receiver.mails as [
    (typeof receiver.mails)[0],
    (typeof receiver.mails)[0],
  ];
  expect(reminder.text).toContain('3 leads were not answered within the promised time');
  for (const { text } of [first, reminder])
    expect(text).toContain(
      'While the problem lasts, you will get at most one message a day, about new leads, and one when it has ended.',
    );
  expect(reminder.subject).toBe(`Re: ${first.subject}`);
  expect(header(reminder, 'references')).toBe(first.messageId);
  fixture.advanceHours(48);
  await checkAlerts();
  expect(receiver.mails.length).toBe(2);
});

it('the operator is notified of an accepted offer that is not confirmed in time', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  await createLeadInState(fixture, 'accepted');
  await markAllDelivered(fixture);
  fixture.advanceHours(24 * 7);
  await notifyOperator(createOperator(receiver), fixture.context);
  expect(receiver.mails.map(({ text }) => text)).toEqual([
    expect.stringContaining('npm run leads -- list --waiting'),
  ]);
});

it('a suspected spam lead is never overdue', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  await submitLead(fixture.context, verb);
  await fixture.database.writer.run(sql`update leads set suspicions = '["honeypot"]'`);
  await markAllDelivered(fixture);
  fixture.advanceHours(24 * 60);
  await notifyOperator(createOperator(receiver), fixture.context);
  expect(receiver.mails).toEqual([]);
});

it('several processes, including a new one, send no alert twice', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  await submitLead(fixture.context, verb);
  fixture.advanceHours(16 * MINUTE);
  for (const isDelivered of [false, true]) {
    if (isDelivered) await markAllDelivered(fixture);
    const other = await openDatabase({ url: fixture.url, usesThread: false });
    const contexts = [fixture.context, { ...fixture.context, database: other }];
    await Promise.all(
      [...contexts, ...contexts].map((context) =>
        notifyOperator(createOperator(receiver), context),
      ),
    );
    await other.close();
  }
  expect(receiver.mails.length).toBe(2);
});

it('an alert is retried while it is current, is always the same message, and has no personal data', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  receiver.faults.push('hang', 'refuse', 'busy', 'drop');
  const unreachableOperator = createOperator({ url: 'smtp://127.0.0.1:9' });
  await submitLead(fixture.context, verb, { name: 'Dana Reyes', email: 'dana@example.com' });
  fixture.advanceHours(16 * MINUTE);
  await notifyOperator(unreachableOperator, fixture.context);
  const rows = () => fixture.database.writer.all<{ event: string }>(sql`select event from alerts`);
  const [{ event }] = (await rows()) as [{ event: string }];
  for (let round = 0; round < 6; round++) {
    await notifyOperator(createOperator(receiver), fixture.context);
    fixture.advanceHours(15 * MINUTE);
  }
  expect(receiver.mails.map(({ messageId }) => messageId)).toEqual([`<${event}@network.example>`]);
  const mailsAndLogs = JSON.stringify([receiver.mails, fixture.logged]);
  for (const personalPattern of [
    /dana/i,
    ...(await fixture.rows('leads')).map(({ token }) => token),
  ])
    expect(mailsAndLogs).not.toMatch(personalPattern);
  expect(fixture.logged.map(([fields]) => fields)).toEqual(
    ['connection', 'timeout', 'refused', 'failed', 'failed'].map((outcome) => ({
      alert: 'undelivered',
      outcome,
    })),
  );
});

it('an alert is not retried after the mail server permanently rejects its address, and is sent once the address is right', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  const attempts: object[] = [];
  const check = (to: string) =>
    notifyOperator({ ...createOperator(receiver), to }, fixture.context, (attempt) =>
      attempts.push(attempt),
    );
  await submitLead(fixture.context, verb);
  fixture.advanceHours(16 * MINUTE);
  for (let round = 0; round < 20; round++) {
    await check(`${REJECTED_NAME}network.example`);
    fixture.advanceHours(1);
  }
  const rejection = { channel: 'alert', outcome: 'address_rejected' };
  expect(attempts).toEqual([rejection]);
  expect(fixture.logged).toEqual([
    [
      { alert: 'undelivered', outcome: 'address_rejected' },
      expect.stringContaining('ALERTS_TO, so the alert is not retried'),
    ],
  ]);
  await retryRejectedAlerts(fixture.context);
  await check(`${REJECTED_NAME}network.example, desk@network.example`);
  expect(receiver.mails.map(({ envelopeTo }) => envelopeTo)).toEqual([['desk@network.example']]);
  await markAllDelivered(fixture);
  await check(`${REJECTED_NAME}network.example`);
  expect(attempts).toEqual([rejection, { channel: 'alert', outcome: 'sent' }, rejection]);
  expect(await fixture.database.writer.all(sql`select * from alerts`)).toEqual([]);
});

it('a rejected alert that has ended is forgotten, so that its return is a new alert', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  const rejected = {
    ...createOperator(receiver),
    to: `${REJECTED_NAME}network.example`,
  };
  await submitLead(fixture.context, verb);
  fixture.advanceHours(16 * MINUTE);
  await notifyOperator(rejected, fixture.context);
  const readAlerts = () => fixture.database.writer.all(sql`select * from alerts`);
  expect((await readAlerts()).length).toBe(1);
  await markAllDelivered(fixture);
  await notifyOperator(rejected, fixture.context);
  expect(await readAlerts()).toEqual([]);
});

it('an alert to an address that the mail server rejects for now is retried', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  await submitLead(fixture.context, verb);
  fixture.advanceHours(16 * MINUTE);
  const operator = createOperator(receiver);
  await notifyOperator({ ...operator, to: `${DEFERRED_NAME}network.example` }, fixture.context);
  fixture.advanceHours(1 * MINUTE);
  await notifyOperator(operator, fixture.context);
  expect(receiver.mails.length).toBe(1);
});

it('a problem that ended before its alert could be delivered is reported in one email, as ended', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  await submitLead(fixture.context, verb);
  fixture.advanceHours(16 * MINUTE);
  await notifyOperator(createOperator({ url: 'smtp://127.0.0.1:9' }), fixture.context);
  await markAllDelivered(fixture);
  fixture.advanceHours(1);
  await notifyOperator(createOperator(receiver), fixture.context);
  expect(receiver.mails.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Ended: Messages about leads are not being delivered/),
  ]);
  expect(receiver.mails[0]!.text).toContain('The email about it may not have reached you.');
  expect(await fixture.database.writer.all(sql`select * from alerts`)).toEqual([]);
  await notifyOperator(createOperator(receiver), fixture.context);
  expect(receiver.mails.length).toBe(1);
});

it('a running service tells the operator that a problem began and that it ended', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  await submitLead(fixture.context, verb);
  fixture.advanceHours(16 * MINUTE);
  const worker = startBackgroundJobs({
    channels: [],
    context: fixture.context,
    operator: createOperator(receiver),
    pauses: { busy: 1, idle: 10, fault: 10, late: 10, alerts: 10, firstSweep: 0, sweep: 3_600_000 },
  });
  onTestFinished(() => worker.stop());
  await expect.poll(() => receiver.mails.length).toBe(1);
  await markAllDelivered(fixture);
  await expect.poll(() => receiver.mails.length).toBe(2);
});

it('a failing mail server does not block the worker’s other tasks', async () => {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  receiver.faults.push('hang');
  await submitLead(fixture.context, verb);
  fixture.advanceHours(24 * 60);
  const worker = startBackgroundJobs({
    channels: [],
    context: fixture.context,
    operator: createOperator(receiver),
    pauses: { busy: 1, idle: 10, fault: 10, late: 10, alerts: 10, firstSweep: 0, sweep: 3_600_000 },
  });
  await expect.poll(async () => (await fixture.rows('leads'))[0]!['status']).toBe('expired');
  await wait(20);
  await worker.stop();
  expect(receiver.mails.length).toBeLessThan(2);
});
