import { setImmediate as runPendingCallbacks } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { readHealth } from '../../src/server/health.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';

afterEach(() => vi.useRealTimers());

it('a service that is stopping reports so, without a rejection that nothing handles', async () => {
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
