import { expect, it, vi } from 'vitest';
import { loadOnce } from '../../src/http/load-once.ts';

it('a value is loaded once for concurrent and later calls, and again after a failure', async () => {
  const load = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('The disk is full.'))
    .mockResolvedValue('loaded');
  const get = loadOnce(load);
  const concurrentResults = await Promise.allSettled([get(), get()]);
  expect(concurrentResults.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(load).toHaveBeenCalledTimes(1);
  expect(await Promise.all([get(), get()])).toEqual(['loaded', 'loaded']);
  expect(await get()).toBe('loaded');
  expect(load).toHaveBeenCalledTimes(2);
});
