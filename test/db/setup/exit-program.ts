import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { openDatabase } from '../../../db/index.ts';

// Exits with code 3 while a thread runs a statement.
const database = await openDatabase({ url: process.argv[2]! });
const countTo = (end: number) =>
  database.background.all(
    sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${end}) select count(*) from numbers`,
  );
// Starts the thread.
await countTo(1);
// Takes about half a second.
countTo(3_000_000).catch(() => undefined);
await wait(100);
process.exit(3);
