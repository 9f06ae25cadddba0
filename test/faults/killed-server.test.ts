import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import { createBuildSettings, startServer } from '../setup/started-server.ts';
import {
  submitLead,
  createTemporaryFolder,
  type Intent,
  submitContinuously,
  readStoredReceipts,
} from './leads-under-fault.ts';
import { generateRandomTimes, chooseRepeatCount } from '../setup/seeds.ts';

const ROUNDS = chooseRepeatCount(5, 50);
const CALLERS = 8;

it(`stores every acknowledged lead exactly once after ${ROUNDS} kills at random moments under load`, async () => {
  const file = join(createTemporaryFolder(), 'leads.db');
  const settings = {
    ...createBuildSettings(inject('fourBuild'), 'test/fixtures/network-of-four'),
    DATABASE_URL: `file:${file}`,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_READS: '0',
  };
  const intents: Intent[] = [];
  for (const moment of generateRandomTimes(ROUNDS, 200)) {
    const server = startServer(settings);
    const load = submitContinuously(await server.origin(), CALLERS);
    await load.started;
    await wait(moment);
    await server.end('SIGKILL');
    await load.stop();
    intents.push(...load.intents);
  }
  const acknowledged = intents.filter((intent) => intent.receipt !== undefined);
  expect(acknowledged.length).toBeGreaterThan(ROUNDS);

  const server = startServer(settings);
  const origin = await server.origin();
  for (const { receipt } of acknowledged.slice(-200))
    expect(
      (await fetch(`${origin}/api/lead/${receipt}`, { signal: AbortSignal.timeout(60_000) }))
        .status,
    ).toBe(200);
  // Callers that get no response retry with the same key and get the same lead, whether or not it
  // was already stored.
  const unansweredIntents = intents.filter((intent) => intent.receipt === undefined);
  for (const intent of unansweredIntents) expect(await submitLead(origin, intent)).toBe(200);
  await server.end('SIGTERM');

  const stored = await readStoredReceipts(file);
  expect(stored.size).toBe(intents.length);
  expect(intents.filter(({ key, receipt }) => String(stored.get(key)) !== receipt)).toEqual([]);
}, 600_000);
