import { createRequire } from 'node:module';
import { Sqlite3Client } from '@libsql/client/sqlite3';
import { afterAll, expect } from 'vitest';
import type { Statement } from '../../db/client.ts';
import { FileConnection } from '../../db/file-commits.ts';
import { readMigrations } from '../../db/migrate.ts';
import { StatementEncoder } from '../../db/sent-statements.ts';

// Records every statement that the program sends during a test file, and checks the query plans for
// large tables: a statement that reads a large table without an index gets slower with every lead.

/** Tables that grow with leads, share links, questions or tasks. */
const LARGE_TABLES = [
  'leads',
  'lead_history',
  'offers',
  'holds',
  'storefronts',
  'callbacks',
  'outbox',
  'deliveries',
  'delivery_attempts',
  'idempotency',
  'budget_uses',
  'share_links',
  'a2a_tasks',
  'quotes',
  'tasks',
  'ledger_entries',
  'demand',
];
/** Statements from drizzle quote names. Statements that tests write do not, and are ignored. */
const LARGE_TABLE_PATTERN = new RegExp(`"(?:${LARGE_TABLES.join('|')})"`);

/** Statements that may scan a whole table, with the reason. */
const allowed: readonly { statement: RegExp; read?: string }[] = [
  // Used by test/operations/setup/fixture.ts.
  { statement: /^select \* from "\w+"$/ },
  // An export reads every lead anyway; its columns are the fields that occur in any lead.
  { statement: /^select distinct field\.key as name from "leads", json_each/ },
  // An erasure looks for people in text that is in no index.
  { statement: /^delete from "demand" where \(\(/ },
  { statement: /^update .* where \(title is not null or meta is not null\)/ },
  // Tests read whole tables.
  {
    statement:
      /^select [^()]* from "(?:share_links|demand|tasks|ledger_entries)"(?: order by \S+)?$/,
  },
];

/** Sent and checked statements, shared by all test files of a process. */
const STATEMENTS_KEY = Symbol.for('frontage.sent-statements');

interface Recorded {
  sent: Set<string>;
  checked: Set<string>;
  /** Classes whose statements are recorded; a test file that resets modules loads them again. */
  wrapped: WeakSet<object>;
}

/** Wraps the classes through which all statements to a file go. */
function recordStatements(): Recorded {
  const shared = globalThis as { [STATEMENTS_KEY]?: Recorded };
  const recorded = (shared[STATEMENTS_KEY] ??= {
    sent: new Set(),
    checked: new Set(),
    wrapped: new WeakSet(),
  });
  const { sent, wrapped } = recorded;
  const record = (statement: Statement) =>
    sent.add(
      typeof statement === 'string'
        ? statement
        : Array.isArray(statement)
          ? statement[0]
          : statement.sql,
    );
  if (!wrapped.has(StatementEncoder)) {
    const { encode: send } = StatementEncoder.prototype;
    StatementEncoder.prototype.encode = function (statements) {
      for (const [sql] of statements) sent.add(sql);
      return send.call(this, statements);
    };
  }
  if (!wrapped.has(FileConnection)) {
    const { commit } = FileConnection.prototype;
    FileConnection.prototype.commit = function (statements) {
      for (const [sql] of statements) sent.add(sql);
      return commit.call(this, statements);
    };
  }
  if (!wrapped.has(Sqlite3Client)) {
    const { execute, batch } = Sqlite3Client.prototype;
    Sqlite3Client.prototype.execute = function (...args: Parameters<typeof execute>) {
      record(args[0]);
      return execute.apply(this, args);
    };
    Sqlite3Client.prototype.batch = function (statements, mode) {
      for (const statement of statements) record(statement);
      return batch.call(this, statements, mode);
    };
  }
  wrapped.add(StatementEncoder).add(FileConnection).add(Sqlite3Client);
  return recorded;
}
const { sent, checked } = recordStatements();

/** Distinct statements sent while a function runs alone. */
export async function captureStatements(work: () => Promise<unknown>): Promise<string[]> {
  const previous = [...sent];
  sent.clear();
  await work();
  const newStatements = [...sent];
  for (const statement of previous) sent.add(statement);
  return newStatements;
}

interface Driver {
  exec(sql: string): void;
  prepare(sql: string): { raw(): { all(values: unknown[]): unknown[][] } };
  close(): void;
}
const Driver = createRequire(import.meta.url)('libsql') as new (path: string) => Driver;

/** Query plan step that reads all leads with one state, subsite or action. */
const GROUP_READ_PATTERN =
  /^SEARCH leads USING (?:COVERING )?INDEX leads_(?:inbox|subsite|action) \(\w+=\?\)$/;

/** Query plan of a statement. */
const explainStatement = (sql: string, database: Driver): string[] =>
  database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .raw()
    .all([])
    .map(([, , , detail]) => String(detail));

/** An empty database with the current schema. */
function createEmptyDatabase(): Driver {
  const database = new Driver(':memory:');
  for (const { sql } of readMigrations('db/migrations'))
    for (const statement of sql) if (statement.trim()) database.exec(statement);
  return database;
}

/** Query plans of statements. */
export function explainStatements(statements: readonly string[]): string[][] {
  const database = createEmptyDatabase();
  const plans = statements.map((sql) => explainStatement(sql, database));
  database.close();
  return plans;
}

/**
 * Query plan steps of a statement that scan a large table, build a temporary index or sort a large
 * group of leads to return the first few.
 */
function findCostlySteps(sql: string, database: Driver): string[] {
  const names = LARGE_TABLES.flatMap((table) => [
    table,
    ...[...sql.matchAll(new RegExp(`"${table}"(?: as)? "?(\\w+)`, 'g'))].map(([, alias]) => alias),
  ]);
  const scan = new RegExp(`^SCAN (?:${names.join('|')})$|AUTOMATIC`);
  const plan = explainStatement(sql, database);
  const needsSort = / limit /i.test(sql) && plan.includes('USE TEMP B-TREE FOR ORDER BY');
  return plan.filter(
    (detail) =>
      (scan.test(detail) || (needsSort && GROUP_READ_PATTERN.test(detail))) &&
      !allowed.some(({ statement, read = detail }) => read === detail && statement.test(sql)),
  );
}

afterAll(() => {
  const statements = [...sent].filter((sql) => LARGE_TABLE_PATTERN.test(sql) && !checked.has(sql));
  for (const sql of statements) checked.add(sql);
  if (!statements.length) return;
  const database = createEmptyDatabase();
  const findings = statements.flatMap((sql) => {
    const steps = findCostlySteps(sql, database);
    return steps.length ? [`${steps.join(', ')}: ${sql}`] : [];
  });
  database.close();
  expect(findings, 'statements that read a large table without an index').toEqual([]);
});
