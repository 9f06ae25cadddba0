import { createRequire } from 'node:module';
import { Sqlite3Client } from '@libsql/client/sqlite3';
import { afterAll, expect } from 'vitest';
import type { Statement } from '../../db/client.ts';
import { readMigrations } from '../../db/migrate.ts';
import { StatementSender } from '../../db/sent-statements.ts';

// Notes every statement that a test file sends to a database through the program, and has SQLite
// explain those on the big tables: a statement that reads one of them without an index takes longer
// with every lead.

/**
 * Tables that grow with every lead. The program names them in quotes, as drizzle does; tests that
 * look into a table do not.
 */
const BIG = /"(?:leads|outbox|deliveries)"/;

/** Statements that may read a whole table, each for a reason. */
const allowed: readonly { statement: RegExp; read?: string }[] = [
  // How test/operations/setup/fixture.ts looks into a table.
  { statement: /^select \* from "\w+"$/ },
  // The columns of an export are the fields that any lead has; it reads every lead anyway.
  { statement: /^select distinct field\.key as name from "leads", json_each/ },
  // SQLite looks for rows that lack their lead only while the transaction has one, which is never.
  { statement: /^insert into "leads" /, read: 'SCAN deliveries' },
];

/**
 * Statements that were sent and those that were explained, of all test files that a process runs.
 */
const STATEMENTS = Symbol.for('frontage.sent-statements');

/**
 * Notes the statements of the two classes that everything sent to a file goes through, once a
 * process.
 */
function noteStatements(): { sent: Set<string>; explained: Set<string> } {
  const known = globalThis as { [STATEMENTS]?: { sent: Set<string>; explained: Set<string> } };
  if (known[STATEMENTS]) return known[STATEMENTS];
  const sent = new Set<string>();
  const note = (statement: Statement) =>
    sent.add(
      typeof statement === 'string'
        ? statement
        : Array.isArray(statement)
          ? statement[0]
          : statement.sql,
    );
  const { send } = StatementSender.prototype;
  StatementSender.prototype.send = function (statements) {
    for (const [sql] of statements) sent.add(sql);
    return send.call(this, statements);
  };
  const { execute, batch } = Sqlite3Client.prototype;
  Sqlite3Client.prototype.execute = function (...of: Parameters<typeof execute>) {
    note(of[0]);
    return execute.apply(this, of);
  };
  Sqlite3Client.prototype.batch = function (statements, mode) {
    for (const statement of statements) note(statement);
    return batch.call(this, statements, mode);
  };
  return (known[STATEMENTS] = { sent, explained: new Set() });
}
const { sent, explained } = noteStatements();

/** The statements that something sends, each once, while nothing else is done. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const others = [...sent];
  sent.clear();
  await work();
  const own = [...sent];
  for (const statement of others) sent.add(statement);
  return own;
}

interface Driver {
  exec(sql: string): void;
  prepare(sql: string): { raw(): { all(values: unknown[]): unknown[][] } };
  close(): void;
}
const Driver = createRequire(import.meta.url)('libsql') as new (path: string) => Driver;

/** Reads every lead of a state, a service or an action. */
const READS_ALL_ALIKE =
  /^SEARCH leads USING (?:COVERING )?INDEX leads_(?:inbox|subsite|action) \(\w+=\?\)$/;

/** What SQLite does for a statement, step by step. */
const planOf = (sql: string, database: Driver): string[] =>
  database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .raw()
    .all([])
    .map(([, , , detail]) => String(detail));

/** An empty database of this program. */
function emptyDatabase(): Driver {
  const database = new Driver(':memory:');
  for (const { sql } of readMigrations('db/migrations'))
    for (const statement of sql) if (statement.trim()) database.exec(statement);
  return database;
}

/** What SQLite does for each of these statements, step by step. */
export function plansOf(statements: readonly string[]): string[][] {
  const database = emptyDatabase();
  const plans = statements.map((sql) => planOf(sql, database));
  database.close();
  return plans;
}

/**
 * What SQLite does for a statement that reads a big table whole, makes an index of its own of it,
 * or sorts all leads that have something in common for the first few; empty for any other.
 */
function wholeReads(sql: string, database: Driver): string[] {
  const names = ['leads', 'outbox', 'deliveries'].flatMap((table) => [
    table,
    ...[...sql.matchAll(new RegExp(`"${table}"(?: as)? "(\\w+)"`, 'g'))].map(([, alias]) => alias),
  ]);
  const reads = new RegExp(`^SCAN (?:${names.join('|')})$|AUTOMATIC`);
  const plan = planOf(sql, database);
  const sorts = / limit /i.test(sql) && plan.includes('USE TEMP B-TREE FOR ORDER BY');
  return plan.filter(
    (detail) =>
      (reads.test(detail) || (sorts && READS_ALL_ALIKE.test(detail))) &&
      !allowed.some(({ statement, read = detail }) => read === detail && statement.test(sql)),
  );
}

afterAll(() => {
  const statements = [...sent].filter((sql) => BIG.test(sql) && !explained.has(sql));
  for (const sql of statements) explained.add(sql);
  if (!statements.length) return;
  const database = emptyDatabase();
  const refused = statements.flatMap((sql) => {
    const reads = wholeReads(sql, database);
    return reads.length ? [`${reads.join(', ')}: ${sql}`] : [];
  });
  database.close();
  expect(refused, 'statements that read a big table without an index').toEqual([]);
});
