import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterAll, inject, it, onTestFinished, TestRunner } from 'vitest';
import { type Database, openDatabase } from '../../../db/index.ts';
import type { Context, Logger } from '../../../src/operation/context.ts';
import { createContext } from '../../../src/server/create-context.ts';
import { loadRegistry } from '../../../src/registry/index.ts';
import type { Item } from '../../../src/registry/schemas/catalog.ts';
import type { Registry } from '../../../src/site/registry.ts';
import type { Site } from '../../../src/site/site.ts';
import { makeDatabaseFolder } from '../../setup/shared-folder.ts';

/** A site with a fixed URL and build time. */
export function createTestSite(registry: Registry): Site {
  return {
    registry,
    base: 'https://network.example',
    generatedAt: '2026-11-06T20:40:00.000Z',
    dynamic: true,
  };
}

/** The same site with other items in a catalog, as after a new release. */
export const withItems = (site: Site, catalog: string, items: readonly Item[]): Site => ({
  ...site,
  registry: {
    ...site.registry,
    catalogs: {
      ...site.registry.catalogs,
      [catalog]: { ...site.registry.catalogs[catalog]!, items: [...items] },
    },
  },
});

/** Both networks. Tests that do not depend on the content of a single network run on both. */
export const sites: readonly { name: string; site: Site }[] = [
  { name: 'the main network', site: createTestSite(loadRegistry('registry')) },
  {
    name: 'the network of four',
    site: createTestSite(loadRegistry('test/fixtures/network-of-four')),
  },
];

/**
 * An isolated service for one test: its own database, a clock that can be advanced, and recorded
 * log entries.
 */
export interface Fixture {
  context: Context;
  database: Database;
  /** URL of the database, for another process or connection. */
  url: string;
  logged: unknown[][];
  /** Advances the clock. */
  advanceHours(hours: number): void;
  /** All rows of a table. */
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
      | 'a2a_tasks'
      | 'demand',
  ): Promise<Record<string, any>[]>;
}

type Batch = Fixture['database']['writer']['$client']['batch'];

/** The same fixture with a replaced batch function; `write` is the original function. */
export function withBatch(fixture: Fixture, batch: (write: Batch) => Batch): Fixture {
  const { writer } = fixture.database;
  const replacedWriter = Object.assign(Object.create(writer) as typeof writer, {
    $client: { ...writer.$client, batch: batch(writer.$client.batch) },
  });
  return {
    ...fixture,
    context: { ...fixture.context, database: { ...fixture.database, writer: replacedWriter } },
  };
}

/** The file of a database without rows. */
async function createEmptyDatabase(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'operations-'));
  const path = join(folder, 'test.db');
  try {
    const database = await openDatabase({ url: `file:${path}`, usesThread: false });
    await database.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Created once per process, because migrations take half of the time that opening a database takes.
 */
let emptyFile: Promise<Buffer> | undefined;

/**
 * The cases of a test that send the same statements if they have the same key. libsql-server only
 * has to run each statement, so one case per key is enough there.
 */
export const chooseCases = <Case>(
  cases: readonly Case[],
  keyOf: (value: Case) => unknown = () => undefined,
): readonly Case[] =>
  inject('libsqlServer')
    ? cases.filter(
        (value, index) => cases.findIndex((one) => keyOf(one) === keyOf(value)) === index,
      )
    : cases;

/** A test that runs only with files, because it sends no statements of its own. */
export function itWithFile(name: string, test: () => void | Promise<void>): void {
  if (!inject('libsqlServer')) it(name, test);
}

/** An open database and its URL. */
interface OpenedDatabase {
  database: Database;
  url: string;
}

/** Emptied databases from finished tests, ready for reuse; those with threads are separate. */
const idleDatabases = { threads: [] as OpenedDatabase[], noThreads: [] as OpenedDatabase[] };

/** A new database in a file. */
export async function openInFile(usesThread = false): Promise<OpenedDatabase> {
  const content = await (emptyFile ??= createEmptyDatabase());
  const path = join(makeDatabaseFolder(), 'test.db');
  writeFileSync(path, content, { mode: 0o600 });
  const url = `file:${path}`;
  return { database: await openDatabase({ url, usesThread }), url };
}

/**
 * Empties a database for reuse, because opening a new database migrates over HTTP or starts threads,
 * and takes longer than most tests. Closes and deletes a database that a test closed,
 * replaced or damaged.
 */
async function release(openedDatabase: OpenedDatabase, idle: OpenedDatabase[]): Promise<void> {
  const { database, url } = openedDatabase;
  try {
    const tables = await database.reader.all<{ name: string }>(
      sql`select name from sqlite_schema where type = 'table' and name not like 'sqlite_stat%' and name not like '%migrations%'`,
    );
    await database.writer.$client.batch([
      'PRAGMA defer_foreign_keys = ON',
      ...tables.map(({ name }) => `DELETE FROM ${name}`),
    ]);
    idle.push(openedDatabase);
  } catch {
    await database.close();
    if (url.startsWith('file:'))
      rmSync(dirname(fileURLToPath(url)), { recursive: true, force: true });
  }
}

/** A new database in the shared libsql-server. */
async function openOnServer({
  port,
  adminPort,
}: {
  port: number;
  adminPort: number;
}): Promise<OpenedDatabase> {
  const name = `fixture-${randomUUID()}`;
  const answer = await fetch(`http://127.0.0.1:${adminPort}/v1/namespaces/${name}/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!answer.ok) throw new Error(`libsql-server created no database: status ${answer.status}.`);
  const url = `http://${name}.localhost:${port}`;
  return { database: await openDatabase({ url }), url };
}

/**
 * Opens a fixture, by default with a reused database if there is one. It is released when the test,
 * or the file that shares it, ends. `usesThread` commits to a file in a thread, as a server does,
 * for tests of concurrent processes; starting a thread takes longer than most tests.
 */
export async function openFixture(
  site: Site,
  { isReused = true, usesThread = false } = {},
): Promise<Fixture> {
  const server = inject('libsqlServer');
  const idle = usesThread ? idleDatabases.threads : idleDatabases.noThreads;
  const openedDatabase =
    (isReused && idle.pop()) || (await (server ? openOnServer(server) : openInFile(usesThread)));
  const { url } = openedDatabase;
  // The program keeps state per database object, so each fixture gets a new object.
  const database = Object.create(openedDatabase.database) as Database;
  const remove = () => release(openedDatabase, idle);
  if (TestRunner.getCurrentTest()) onTestFinished(remove);
  else afterAll(remove);
  const logged: unknown[][] = [];
  const recordEntry = (...entry: unknown[]) => void logged.push(entry);
  const log: Logger = { info: recordEntry, warn: recordEntry, error: recordEntry };
  // Example dates must be in the future, so the clock starts at the build time of the sites.
  let clockOffsetMs = Date.parse(site.generatedAt) - Date.now();
  const context: Context = {
    ...createContext({ isCustomerEmailEnabled: false, site, database, log }),
    // On a busy machine the first call can be slow.
    repeatWaitMs: 60_000,
    now: () => new Date(Date.now() + clockOffsetMs),
  };
  return {
    context,
    database,
    url,
    logged,
    advanceHours: (hours) => void (clockOffsetMs += hours * 3_600_000),
    rows: (table) =>
      database.writer.all<Record<string, any>>(sql`select * from ${sql.identifier(table)}`),
  };
}
