import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import { fileUrlOf } from '../../db/connection.ts';
import { openDatabase } from '../../db/index.ts';
import { shareLinks } from '../../db/schema-links.ts';
import { link, readStoredTokens } from './setup/database.ts';
import { readStoredBytes } from './setup/stored-bytes.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-checkpoints-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the write-ahead log', () => {
  it('is copied into the file by a separate thread while writes continue', async () => {
    const path = join(folder, 'many.db');
    const database = await openDatabase({ url: fileUrlOf(path) });
    const tokens = Array.from({ length: 1_500 }, (_, index) => `many-${index}`);
    for (const token of tokens)
      void database.writer
        .insert(shareLinks)
        .values(link(token))
        .catch(() => undefined);
    // Too few pages for an automatic checkpoint by the writer thread.
    await expect.poll(() => readStoredBytes(path).includes('many-0')).toBe(true);
    await database.close();
    expect([...(await readStoredTokens(fileUrlOf(path)))].toSorted()).toEqual(tokens.toSorted());
  });

  it.each([true, false])(
    'starts over after statements that change many rows, with threads: %s',
    async (usesThread) => {
      const path = join(folder, `bulk-${usesThread}.db`);
      const database = await openDatabase({ url: fileUrlOf(path), usesThread });
      const sizes: number[] = [];
      for (let round = 0; round < 3; round++) {
        const rows = Array.from({ length: 1_500 }, (_, index) => `bulk-${round}-${index}`);
        for (let next = 0; next < rows.length; next += 60) {
          await database.writer.run(
            sql`insert into ${shareLinks} (token, digest, subsite, path, created_at) select value, value, 'hvac', '/', '2026-01-01' from json_each(${JSON.stringify(rows.slice(next, next + 60))})`,
          );
          // As bulk writes do: a checkpoint during a write leaves its pages in the log.
          await database.waitForCheckpoint();
        }
        expect(readStoredBytes(path).includes(rows[0]!)).toBe(true);
        sizes.push(statSync(`${path}-wal`).size);
      }
      // The second round overwrites the log from its start instead of extending it.
      expect(sizes[2]).toBeLessThan(2 * sizes[0]!);
      await database.close();
    },
  );

  it('is left unchanged by a read-only process, and merged when the last writer exits', async () => {
    const path = join(folder, 'few.db');
    const database = await openDatabase({ url: fileUrlOf(path) });
    await database.writer.insert(shareLinks).values(link('few'));
    const readOnlyDatabase = await openDatabase({
      url: fileUrlOf(path),
      mustExist: true,
      usesThread: false,
    });
    await readOnlyDatabase.reader.select().from(shareLinks);
    await readOnlyDatabase.close();
    expect(readStoredBytes(path).includes('few')).toBe(false);
    await database.close();
    expect(readStoredBytes(path).includes('few')).toBe(true);
  });
});
