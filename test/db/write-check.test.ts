import { expect, it, vi } from 'vitest';
import { DatabaseUnavailableError } from '../../db/unavailable.ts';
import { createWriteCheck } from '../../db/write-check.ts';
import { Writer } from '../../db/writer.ts';

it('attempts a write when no one else writes, once for concurrent callers, and retries soon after a fault', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let readOnly = false;
  let commits = 0;
  const writer = new Writer({
    connect: async () => undefined,
    close: async () => undefined,
    async commit(statements) {
      commits++;
      if (readOnly) throw new DatabaseUnavailableError('read_only');
      return statements.map(() => ({ rowsAffected: 1 }) as never);
    },
  });
  const canWrite = createWriteCheck(writer);
  expect(await Promise.all([canWrite(), canWrite()])).toEqual([true, true]);
  expect(commits).toBe(1);

  readOnly = true;
  vi.advanceTimersByTime(59_000);
  expect([await canWrite(), commits]).toEqual([true, 1]);
  vi.advanceTimersByTime(1_000);
  expect([await canWrite(), commits]).toEqual([false, 2]);
  expect([await canWrite(), commits]).toEqual([false, 2]);

  readOnly = false;
  vi.advanceTimersByTime(5_000);
  expect([await canWrite(), commits]).toEqual([true, 3]);

  readOnly = true;
  await expect(writer.write(['DELETE FROM leads'])).rejects.toThrow(DatabaseUnavailableError);
  expect([await canWrite(), commits]).toEqual([false, 4]);
  vi.useRealTimers();
});
