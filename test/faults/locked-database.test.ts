import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { runChild } from '../db/setup/child-process.ts';
import { createBuildSettings, startServer } from '../setup/started-server.ts';
import {
  submitLead,
  createTemporaryFolder,
  type Intent,
  readStoredReceipts,
} from './leads-under-fault.ts';

async function startServerOn(file: string): Promise<string> {
  const server = startServer({
    ...createBuildSettings(inject('fourBuild'), 'test/fixtures/network-of-four'),
    DATABASE_URL: `file:${file}`,
    LOG_LEVEL: 'silent',
  });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return server.origin();
}

const postEmailCapture = async (origin: string) => {
  const response = await fetch(`${origin}/api/email-capture`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'dana@example.com', source: 'bus' }),
    signal: AbortSignal.timeout(60_000),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as { code: string },
  };
};

it('returns 503 with Retry-After while another process locks the database, and continues afterward', async () => {
  const file = join(createTemporaryFolder(), 'leads.db');
  const origin = await startServerOn(file);
  const firstLead: Intent = { key: randomUUID() };
  expect(await submitLead(origin, firstLead)).toBe(200);

  const lockProgram = runChild('lock-program', [`file:${file}`]);
  await lockProgram.waitForLines(1);
  const intentDuringLock: Intent = { key: randomUUID() };
  expect(await submitLead(origin, intentDuringLock)).toBe(503);
  expect(await postEmailCapture(origin)).toMatchObject({
    status: 503,
    retryAfter: expect.stringMatching(/^\d+$/),
    body: { code: 'unavailable' },
  });
  lockProgram.process.stdin!.end();
  await lockProgram.ended;

  expect(await submitLead(origin, intentDuringLock)).toBe(200);
  const stored = await readStoredReceipts(file);
  expect([stored.get(firstLead.key), stored.get(intentDuringLock.key)]).toEqual([
    [firstLead.receipt],
    [intentDuringLock.receipt],
  ]);
});

it('returns 503 when the database file is gone, acknowledges nothing, and reports it at /healthz', async () => {
  const file = join(createTemporaryFolder(), 'leads.db');
  const origin = await startServerOn(file);
  const firstLead: Intent = { key: randomUUID() };
  expect(await submitLead(origin, firstLead)).toBe(200);
  for (const part of ['', '-wal', '-shm']) renameSync(`${file}${part}`, `${file}.away${part}`);
  expect(await postEmailCapture(origin)).toMatchObject({
    status: 503,
    body: { code: 'unavailable' },
  });
  expect((await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(60_000) })).status).toBe(
    503,
  );
  for (const part of ['', '-wal', '-shm']) renameSync(`${file}.away${part}`, `${file}${part}`);
  await expect
    .poll(async () => submitLead(origin, { key: randomUUID() }), { interval: 500 })
    .toBe(200);
  expect((await readStoredReceipts(file)).get(firstLead.key)).toEqual([firstLead.receipt]);
});
