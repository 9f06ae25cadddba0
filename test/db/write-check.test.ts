import { expect, it, vi } from 'vitest';
import { DatabaseUnavailableError } from '../../db/unavailable.ts';
import { createWriteCheck } from '../../db/write-check.ts';
import { Writer } from '../../db/writer.ts';

it('attempts a write when no one else writes, once for concurrent callers, and retries soon after a fault', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let isReadOnly = false;
  let commitCount = 0;
  const writer = new Writer({
    connect: async () => undefined,
    close: async () => undefined,
    async commit(statements) {
      commitCount++;
      if (isReadOnly) throw new DatabaseUnavailableError('read_only');
      return statements.map(() => ({ rowsAffected: 1 }) as never);
    },
  });
  const canWrite = createWriteCheck(writer);
  expect(await Promise.all([canWrite(), canWrite()])).toEqual([true, true]);
  expect(commitCount).toBe(1);

  isReadOnly = true;
  vi.advanceTimersByTime(59_000);
  expect([await canWrite(), commitCount]).toEqual([true, 1]);
  vi.advanceTimersByTime(1_000);
  expect([await canWrite(), commitCount]).toEqual([false, 2]);
  expect([await canWrite(), commitCount]).toEqual([false, 2]);

  isReadOnly = false;
  vi.advanceTimersByTime(5_000);
  expect([await canWrite(), commitCount]).toEqual([true, 3]);

  isReadOnly = true;
  await expect(writer.write(['DELETE FROM leads'])).rejects.toThrow(DatabaseUnavailableError);
  expect([await canWrite(), commitCount]).toEqual([false, 4]);
  vi.useRealTimers();
});
