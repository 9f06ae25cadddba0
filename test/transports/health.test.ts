import { setImmediate as runPendingCallbacks } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { DatabaseUnavailableError } from '../../db/unavailable.ts';
import { readHealth } from '../../src/server/health.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';

afterEach(() => vi.useRealTimers());

it('a service reports that it is stopping, without an unhandled rejection', async () => {
  const { context } = await openFixture(sites[0]!.site);
  const onRejection = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', onRejection);
  try {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await expect(
      readHealth({ context, canDeliver: false, isStopping: () => true }),
    ).rejects.toMatchObject({ code: 'unavailable' });
    vi.runAllTimers();
    await runPendingCallbacks();
    expect(onRejection).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', onRejection);
  }
});

it.each([
  [1, new TypeError('a programming error')],
  [0, new DatabaseUnavailableError('unreachable')],
])('a failed check is logged %i times for %s', async (count, error) => {
  const { context, logged } = await openFixture(sites[0]!.site);
  const failingContext = {
    ...context,
    database: { ...context.database, ping: () => Promise.reject(error) },
  };
  await expect(
    readHealth({ context: failingContext, canDeliver: false, isStopping: () => false }),
  ).rejects.toMatchObject({ code: 'unavailable' });
  expect(logged).toHaveLength(count);
  for (const [details] of logged) expect(details).toEqual({ err: error });
});
