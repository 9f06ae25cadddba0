import { randomUUID } from 'node:crypto';
import { chmodSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, inject, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { mountSmallDisk } from '../db/setup/small-disk.ts';
import { serve } from '../../src/server/entry.ts';
import { ask, NO_RATE_LIMITS } from '../server/serve-build.ts';
import {
  submitLead,
  createTemporaryFolder,
  type Intent,
  readStoredReceipts,
} from './leads-under-fault.ts';

const disk = mountSmallDisk();

const fetchHealth = async (port: number): Promise<unknown> =>
  JSON.parse((await ask(port, '/healthz')).body.toString());
afterAll(() => disk?.remove());

/** The fixture network over a database file, in this process, which can change its user. */
async function serveFrom(file: string): Promise<number> {
  const database = await openDatabase({ url: `file:${file}` });
  const service = await serve(
    { outDir: inject('fourBuild'), host: '127.0.0.1', port: 0, trustProxy: 0, ...NO_RATE_LIMITS },
    database,
    pino({ level: 'silent' }),
  );
  onTestFinished(() => service.stop());
  return service.port;
}

/** Responses of every lead channel while nothing can be written: retry later, without a receipt. */
async function expectRefused(port: number): Promise<Intent[]> {
  const contact = { email: 'dana@example.com' };
  const posts = [
    [
      '/api/lead/action',
      'application/json',
      JSON.stringify({
        subsite: 'bus',
        action: 'wish-for-a-book',
        fields: { book: 'Any' },
        contact,
      }),
    ],
    ['/api/email-capture', 'application/json', JSON.stringify({ ...contact, source: 'bus' })],
    [
      '/api/lead/action',
      'application/x-www-form-urlencoded',
      'subsite=bus&action=wish-for-a-book&fields.book=Any&contact.email=dana%40example.com',
    ],
  ] as const;
  for (const [path, type, body] of posts) {
    const {
      status,
      headers,
      body: answer,
    } = await ask(port, path, { method: 'POST', headers: { 'content-type': type }, body });
    expect([path, status, headers['retry-after']]).toEqual([
      path,
      503,
      expect.stringMatching(/^\d+$/),
    ]);
    expect(answer.toString()).toMatch(
      type.endsWith('json') ? /"code":"unavailable"/ : /We cannot tell whether this arrived/,
    );
    expect(answer.toString()).not.toMatch(/receiptToken|SQLITE|disk/i);
  }
  const intents: Intent[] = Array.from({ length: 5 }, () => ({ key: randomUUID() }));
  for (const intent of intents)
    expect(await submitLead(`http://127.0.0.1:${port}`, intent)).toBe(503);
  return intents;
}

/**
 * Checks that leads are stored before and after the fault; the leads in `refused` are retried with
 * their keys.
 */
async function expectRecovered(
  port: number,
  file: string,
  firstLead: Intent,
  refused: Intent[],
): Promise<void> {
  for (const intent of refused)
    expect(await submitLead(`http://127.0.0.1:${port}`, intent)).toBe(200);
  expect(await fetchHealth(port)).toEqual({ status: 'ok' });
  const submitted = [firstLead, ...refused];
  expect(await readStoredReceipts(file)).toEqual(
    new Map(submitted.map(({ key, receipt }) => [key, [receipt]])),
  );
}

if (!disk)
  process.stdout.write(
    'skipped: full disk under the server (only a user who may mount a disk can run this test)\n',
  );
else
  it('returns 503 with Retry-After on every lead channel when the disk is full, acknowledges nothing, and continues when there is space', async () => {
    const file = join(disk.folder, 'leads.db');
    const port = await serveFrom(file);
    const firstLead: Intent = { key: randomUUID() };
    expect(await submitLead(`http://127.0.0.1:${port}`, firstLead)).toBe(200);
    disk.fill();
    const refused = await expectRefused(port);
    expect(await fetchHealth(port)).toEqual({ status: 'degraded', writes: 'failing' });
    expect((await ask(port, `/api/lead/${firstLead.receipt}`)).status).toBe(200);
    disk.clear();
    await expectRecovered(port, file, firstLead, refused);
  });

it('returns 503 with Retry-After on every lead channel when the file is read-only, acknowledges nothing, and continues when it is writable', async () => {
  const file = join(createTemporaryFolder(), 'leads.db');
  const port = await serveFrom(file);
  const firstLead: Intent = { key: randomUUID() };
  expect(await submitLead(`http://127.0.0.1:${port}`, firstLead)).toBe(200);
  // The open connection could keep writing, so it is closed.
  renameSync(file, `${file}.away`);
  expect(await submitLead(`http://127.0.0.1:${port}`, { key: randomUUID() })).toBe(503);
  renameSync(`${file}.away`, file);
  const folder = dirname(file);
  const files = readdirSync(folder).map((name) => join(folder, name));
  for (const name of files) chmodSync(name, 0o444);
  chmodSync(folder, 0o555);
  // Root is not subject to file modes.
  const isRoot = process.geteuid!() === 0;
  if (isRoot) process.seteuid!(65_534);
  let refused: Intent[];
  try {
    refused = await expectRefused(port);
    expect(await fetchHealth(port)).toEqual({ status: 'degraded', writes: 'failing' });
  } finally {
    if (isRoot) process.seteuid!(0);
    chmodSync(folder, 0o755);
    for (const name of files) chmodSync(name, 0o644);
  }
  await expectRecovered(port, file, firstLead, refused);
});
