import { afterEach, expect, test, vi } from 'vitest';
import type { Database } from '../../db/index.ts';
import { writeInChunks } from '../../src/operation/chunks.ts';

afterEach(() => vi.restoreAllMocks());

/** Writes all rows, each of which takes `rowMs`, and returns the size of each chunk. */
async function writeRows(rowCount: number, rowMs: (row: number) => number): Promise<number[]> {
  let time = 0;
  let writtenCount = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  const chunkSizes: number[] = [];
  const total = await writeInChunks(
    { waitForCheckpoint: async () => undefined } as unknown as Database,
    async (limit) => {
      const count = Math.min(limit, rowCount - writtenCount);
      for (let row = 0; row < count; row++) time += rowMs(writtenCount++);
      if (count) chunkSizes.push(count);
      return count;
    },
  );
  expect(total).toBe(rowCount);
  return chunkSizes;
}

test('chunks of fast rows grow', async () => {
  expect(Math.max(...(await writeRows(20_000, () => 0.01)))).toBe(2_000);
});

test('chunks shrink after rows become slower', async () => {
  expect((await writeRows(3_000, (row) => (row < 2_000 ? 0.1 : 1))).at(-2)).toBeLessThanOrEqual(50);
});
