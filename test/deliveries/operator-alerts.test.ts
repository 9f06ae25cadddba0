import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { mailSender } from '../../src/leads/deliveries/send-mail.ts';
import { expireLeads } from '../../src/leads/expire-leads.ts';
import { notifyOperator } from '../../src/leads/operator-alerts.ts';
import { settleDeliveries } from '../../src/leads/settle-deliveries.ts';
import { startOutboxWorker } from '../../src/server/outbox-worker.ts';
import { timeInWords } from '../../src/site/words.ts';
import { verbsOf } from '../operations/setup/verbs.ts';
import { openWorld, sites, type World } from '../operations/setup/world.ts';
import { mailReceiver, type MailReceiver } from './setup/receivers.ts';
import { file } from './setup/rounds.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const verb = verbsOf(site).find(({ action }) => !action.effect)!;
const MINUTE = 1 / 60;
const TIMEOUT_MS = 2_500;

const operatorAt = ({ url }: Pick<MailReceiver, 'url'>) => ({
  send: mailSender({ url, home: 'network.example', timeoutMs: TIMEOUT_MS }),
  from: 'Frontage <leads@network.example>',
  to: 'operator@network.example',
});
const header = (mail: MailReceiver['mails'][number], name: string) =>
  mail.headers.find(({ key }) => key === name)?.value;
/** Notes that every lead has been delivered. */
const deliverAll = (world: World) =>
  world.database.writer.run(sql`update outbox set due_at = null`);

it('the operator gets one mail when leads are undelivered for 15 minutes, and one when that ends', async () => {
  const world = await openWorld(site);
  const receiver = await mailReceiver();
  const look = () => notifyOperator(operatorAt(receiver), world.context);
  await file(world.context, verb);
  await file(world.context, verb);
  world.later(14 * MINUTE);
  await look();
  expect(receiver.mails).toEqual([]);
  world.later(2 * MINUTE);
  const [lead] = await world.rows('leads');
  for (let round = 0; round < 3; round++) await look();
  expect(receiver.mails.length).toBe(1);
  world.later(MINUTE);
  await file(world.context, verb);
  await look();
  expect(receiver.mails.length).toBe(1);
  await deliverAll(world);
  for (let round = 0; round < 3; round++) await look();
  const [begun, ended] = receiver.mails as [MailReceiver['mails'][0], MailReceiver['mails'][0]];
  expect(receiver.mails.length).toBe(2);
  expect(begun.envelopeTo).toEqual(['operator@network.example']);
  expect(begun.text).toContain('2 leads have been undelivered for 15 minutes or longer');
  expect(begun.text).toContain(timeInWords(lead!['created_at'], site.registry.network.timeZone));
  expect(ended.subject).toBe(`Re: ${begun.subject}`);
  expect(header(ended, 'in-reply-to')).toBe(begun.messageId);
  expect(header(ended, 'references')).toBe(begun.messageId);
  expect(ended.messageId).not.toBe(begun.messageId);

  await file(world.context, verb);
  world.later(16 * MINUTE);
  await look();
  expect(receiver.mails.length).toBe(3);
  expect(receiver.mails[2]!.messageId).not.toBe(begun.messageId);
});

it('whatever happens to a delivery, its lead counts as undelivered until the operator settles it', async () => {
  const world = await openWorld(site);
  const receiver = await mailReceiver();
  const token = await file(world.context, verb);
  await world.database.writer.run(
    sql`insert into deliveries (event, channel, lead, created_at, outcome) select id, 'mail', lead, created_at, 'given_up' from outbox`,
  );
  await deliverAll(world);
  world.later(16 * MINUTE);
  await notifyOperator(operatorAt(receiver), world.context);
  expect(receiver.mails.map(({ text }) => text)).toEqual([expect.stringContaining('1 lead has')]);
  await settleDeliveries({ leads: [token] }, world.context);
  await notifyOperator(operatorAt(receiver), world.context);
  expect(receiver.mails.length).toBe(2);
});

it('the operator gets one mail when leads are overdue, and one when none was for 24 hours', async () => {
  const world = await openWorld(site);
  const receiver = await mailReceiver();
  const look = async () => {
    await expireLeads(world.context);
    await deliverAll(world);
    await notifyOperator(operatorAt(receiver), world.context);
  };
  await file(world.context, verb);
  await look();
  world.later(24 * 60);
  for (let round = 0; round < 3; round++) await look();
  expect(receiver.mails.map(({ text }) => text)).toEqual([
    expect.stringContaining('1 lead was not answered in the time promised'),
  ]);
  world.later(23);
  await look();
  expect(receiver.mails.length).toBe(1);
  world.later(2);
  for (let round = 0; round < 3; round++) await look();
  expect(receiver.mails.length).toBe(2);
});

it('a lead that may be spam is never overdue', async () => {
  const world = await openWorld(site);
  const receiver = await mailReceiver();
  await file(world.context, verb);
  await world.database.writer.run(sql`update leads set suspicions = '["honeypot"]'`);
  await deliverAll(world);
  world.later(24 * 60);
  await notifyOperator(operatorAt(receiver), world.context);
  expect(receiver.mails).toEqual([]);
});

it('several processes, one of them new, send no mail twice', async () => {
  const world = await openWorld(site);
  const receiver = await mailReceiver();
  await file(world.context, verb);
  world.later(16 * MINUTE);
  for (const delivered of [false, true]) {
    if (delivered) await deliverAll(world);
    const other = await openDatabase({ url: world.url });
    const contexts = [world.context, { ...world.context, database: other }];
    await Promise.all(
      [...contexts, ...contexts].map((context) => notifyOperator(operatorAt(receiver), context)),
    );
    await other.close();
  }
  expect(receiver.mails.length).toBe(2);
});

it('a mail is tried again while it is news, always as the same message, and holds nothing personal', async () => {
  const world = await openWorld(site);
  const receiver = await mailReceiver();
  receiver.faults.push('hang', 'refuse', 'busy', 'drop');
  const dead = operatorAt({ url: 'smtp://127.0.0.1:9' });
  await file(world.context, verb, { name: 'Dana Reyes', email: 'dana@example.com' });
  world.later(16 * MINUTE);
  await notifyOperator(dead, world.context);
  const rows = () => world.database.writer.all<{ event: string }>(sql`select event from alerts`);
  const [{ event }] = (await rows()) as [{ event: string }];
  for (let round = 0; round < 6; round++) {
    await notifyOperator(operatorAt(receiver), world.context);
    world.later(15 * MINUTE);
  }
  expect(receiver.mails.map(({ messageId }) => messageId)).toEqual([`<${event}@network.example>`]);
  const said = JSON.stringify([receiver.mails, world.logged]);
  for (const personal of [/dana/i, ...(await world.rows('leads')).map(({ token }) => token)])
    expect(said).not.toMatch(personal);
  expect(world.logged.map(([fields]) => fields)).toEqual(
    ['connection', 'timeout', 'refused', 'failed', 'failed'].map((outcome) => ({
      alert: 'undelivered',
      outcome,
    })),
  );
});

it('what has ended before a mail about it arrived is never mentioned', async () => {
  const world = await openWorld(site);
  const receiver = await mailReceiver();
  await file(world.context, verb);
  world.later(16 * MINUTE);
  await notifyOperator(operatorAt({ url: 'smtp://127.0.0.1:9' }), world.context);
  await deliverAll(world);
  world.later(1);
  await notifyOperator(operatorAt(receiver), world.context);
  expect(receiver.mails).toEqual([]);
  expect(await world.database.writer.all(sql`select * from alerts`)).toEqual([]);
});

it('a mail server that fails does not keep the worker from its other work', async () => {
  const world = await openWorld(site);
  const receiver = await mailReceiver();
  receiver.faults.push('hang');
  await file(world.context, verb);
  world.later(24 * 60);
  const worker = startOutboxWorker({
    channels: [],
    context: world.context,
    operator: operatorAt(receiver),
    pauses: { busy: 1, idle: 10, fault: 10, late: 10, sweep: 3_600_000 },
  });
  await expect.poll(async () => (await world.rows('leads'))[0]!['status']).toBe('expired');
  await wait(20);
  await worker.stop();
  expect(receiver.mails.length).toBeLessThan(2);
});
