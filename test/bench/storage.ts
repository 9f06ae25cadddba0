import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { sql } from 'drizzle-orm';
import { fileUrlOf } from '../../db/connection.ts';
import { openDatabase } from '../../db/index.ts';
import { shareLinks } from '../../db/schema-links.ts';
import { link } from '../db/setup/share-link-row.ts';
import { median } from './setup/median.ts';

// Compares durable single-row inserts through the writer with inserts through the bare client. Both
// use WAL and synchronous FULL and alternate on the same disk. Reports the median of the ratios, so
// that other load affects both equally.
const rounds = 7;
const MEASUREMENT_MS = 700;
const widths = [1, 8, 64, 256];

const folder = mkdtempSync(join(tmpdir(), 'frontage-bench-'));
let tokens = 0;

/** Acknowledged rows per second with `width` concurrent callers. */
async function measureRate(
  width: number,
  insert: (token: string) => PromiseLike<unknown>,
): Promise<number> {
  const startedAt = performance.now();
  let rows = 0;
  const caller = async () => {
    while (performance.now() - startedAt < MEASUREMENT_MS) {
      await insert(`row-${tokens++}`);
      rows++;
      // The bare client never yields to the event loop, and its memory is not freed until something
      // yields.
      if (rows % 100 === 0) await new Promise(setImmediate);
    }
  };
  await Promise.all(Array.from({ length: width }, caller));
  return (rows * 1000) / (performance.now() - startedAt);
}

try {
  const url = fileUrlOf(join(folder, 'writer.db'));
  const bareUrl = fileUrlOf(join(folder, 'bare.db'));
  const database = await openDatabase({ url });
  await (await openDatabase({ url: bareUrl })).close();
  const bare = createClient({ url: bareUrl });
  await bare.execute('PRAGMA synchronous=FULL');

  const preparedInsert = database.writer
    .insert(shareLinks)
    .values({ ...link(''), token: sql.placeholder('token'), digest: sql.placeholder('digest') })
    .prepare();
  const statement =
    'INSERT INTO share_links (token, digest, subsite, path, created_at) VALUES (?, ?, ?, ?, ?)';
  const inserts = {
    bare: (token: string) => bare.execute({ sql: statement, args: Object.values(link(token)) }),
    drizzle: (token: string) => database.writer.insert(shareLinks).values(link(token)),
    prepared: (token: string) => preparedInsert.run(link(token)),
  };
  for (const width of widths) {
    const results = { bare: [] as number[], drizzle: [] as number[], prepared: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      results.bare.push(await measureRate(1, inserts.bare));
      results.drizzle.push(await measureRate(width, inserts.drizzle));
      results.prepared.push(await measureRate(width, inserts.prepared));
    }
    const formatRatio = (method: 'drizzle' | 'prepared') =>
      median(results[method].map((value, round) => value / results.bare[round]!)).toFixed(2);
    process.stdout.write(
      `${width} at a time: db.insert() ${formatRatio('drizzle')}, prepared ${formatRatio('prepared')} of bare inserts one at a time (${median(results.bare).toFixed(0)} rows/s; db.insert() ${median(results.drizzle).toFixed(0)} rows/s)\n`,
    );
  }
  bare.close();
  await database.close();
} finally {
  rmSync(folder, { recursive: true });
}
