import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterAll, inject, onTestFinished, TestRunner } from 'vitest';
import { type Database, openDatabase } from '../../../db/index.ts';
import type { Context, Log } from '../../../src/operation/context.ts';
import { createContext } from '../../../src/server/create-context.ts';
import { loadRegistry } from '../../../src/registry/index.ts';
import type { Registry } from '../../../src/site/registry.ts';
import type { Site } from '../../../src/site/site.ts';
import { sharedFolder } from '../../setup/leftovers.ts';

/** A site of a registry folder at a fixed address. */
export function siteOf(registry: Registry): Site {
  return {
    registry,
    base: 'https://network.example',
    generatedAt: '2026-11-06T20:40:00.000Z',
    dynamic: true,
  };
}

/** Both networks; what is no matter of one network’s content is tested on each. */
export const sites: readonly { name: string; site: Site }[] = [
  { name: 'the main network', site: siteOf(loadRegistry('registry')) },
  { name: 'the network of four', site: siteOf(loadRegistry('test/fixtures/network-of-four')) },
];

/**
 * The fixture of one test: a database of its own in a temporary folder, a clock that can be turned,
 * a log that is kept.
 */
export interface Fixture {
  context: Context;
  database: Database;
  /** Address of the database, for a second process or connection. */
  url: string;
  logged: unknown[][];
  /** Turns the clock on. */
  later(hours: number): void;
  /** Rows of a table. */
  rows(
    table:
      | 'leads'
      | 'lead_history'
      | 'offers'
      | 'outbox'
      | 'holds'
      | 'storefronts'
      | 'idempotency'
      | 'share_links'
      | 'budget_uses'
      | 'tasks'
      | 'a2a_tasks',
  ): Promise<Record<string, any>[]>;
}

type Batch = Fixture['database']['writer']['$client']['batch'];

/** The same fixture with another way to write; `write` is the true one. */
export function writingBy(fixture: Fixture, batch: (write: Batch) => Batch): Fixture {
  const { writer } = fixture.database;
  const replaced = Object.assign(Object.create(writer) as typeof writer, {
    $client: { ...writer.$client, batch: batch(writer.$client.batch) },
  });
  return {
    ...fixture,
    context: { ...fixture.context, database: { ...fixture.database, writer: replaced } },
  };
}

/** The file of an empty database of this program. */
async function emptyDatabase(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'operations-'));
  const path = join(folder, 'test.db');
  try {
    const database = await openDatabase({ url: `file:${path}` });
    await database.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Made once a process: the migrations take about as long as all else that opens a database. */
let empty: Promise<Buffer> | undefined;

/** The open database of a fixture, and where it is. */
interface Opened {
  database: Database;
  url: string;
}

/** Databases that their tests left open; each was emptied. */
const idle: Opened[] = [];

/** An empty database: one that a test left, or a new one in a file. */
async function openFile(): Promise<Opened> {
  const left = idle.pop();
  if (left) return left;
  const content = await (empty ??= emptyDatabase());
  mkdirSync(sharedFolder, { recursive: true });
  const path = join(mkdtempSync(join(sharedFolder, 'fixture-')), 'test.db');
  writeFileSync(path, content, { mode: 0o600 });
  const url = `file:${path}`;
  return { database: await openDatabase({ url }), url };
}

/**
 * Empties a database for the next test: to open one takes longer than most tests, for it starts
 * threads. One that a test closed, replaced or broke is closed and removed.
 */
async function leaveFile(opened: Opened): Promise<void> {
  const { database, url } = opened;
  try {
    const tables = await database.reader.all<{ name: string }>(
      sql`select name from sqlite_schema where type = 'table' and name not like 'sqlite_stat%' and name not like '%migrations%'`,
    );
    await database.writer.$client.batch([
      'PRAGMA defer_foreign_keys = ON',
      ...tables.map(({ name }) => `DELETE FROM ${name}`),
    ]);
    idle.push(opened);
  } catch {
    await database.close();
    rmSync(dirname(fileURLToPath(url)), { recursive: true, force: true });
  }
}

/** A new database in the libsql-server of the project. */
async function openOnServer({
  port,
  adminPort,
}: {
  port: number;
  adminPort: number;
}): Promise<Opened> {
  const name = `fixture-${randomUUID()}`;
  const answer = await fetch(`http://127.0.0.1:${adminPort}/v1/namespaces/${name}/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!answer.ok) throw new Error(`libsql-server makes no database: ${answer.status}.`);
  const url = `http://${name}.localhost:${port}`;
  return { database: await openDatabase({ url }), url };
}

/**
 * Opens a fixture; it is closed and removed when the test that opened it is done, or the tests that
 * share it.
 */
export async function openFixture(site: Site): Promise<Fixture> {
  const server = inject('libsqlServer');
  const opened = await (server ? openOnServer(server) : openFile());
  const { url } = opened;
  // The program keeps things for a database, such as who waits: for each fixture it is another one.
  const database = Object.create(opened.database) as Database;
  const remove = () => (server ? database.close() : leaveFile(opened));
  if (TestRunner.getCurrentTest()) onTestFinished(remove);
  else afterAll(remove);
  const logged: unknown[][] = [];
  const keep = (...of: unknown[]) => void logged.push(of);
  const log: Log = { info: keep, warn: keep, error: keep };
  // Days in the tests are days to come: the clock starts when the sites were made.
  let ahead = Date.parse(site.generatedAt) - Date.now();
  const context: Context = {
    ...createContext({ site, database, log }),
    now: () => new Date(Date.now() + ahead),
  };
  return {
    context,
    database,
    url,
    logged,
    later: (hours) => void (ahead += hours * 3_600_000),
    rows: (table) =>
      database.writer.all<Record<string, any>>(sql`select * from ${sql.identifier(table)}`),
  };
}
