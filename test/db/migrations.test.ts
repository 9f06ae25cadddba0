import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@libsql/client';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { expect, it, onTestFinished } from 'vitest';
import { fileUrlOf } from '../../db/connection.ts';
import drizzleConfig from '../../db/drizzle.config.ts';
import { openDatabase } from '../../db/index.ts';
import { runChild } from './setup/child-process.ts';
import { findProgram } from '../setup/programs.ts';
import { createLibsqlServer } from './setup/libsql-server.ts';
import { createTemporaryFolder } from './setup/database.ts';

/** Writes a migrations folder in drizzle-kit’s format. */
function migrationsOf(...migrations: string[]): string {
  const folder = createTemporaryFolder();
  mkdirSync(join(folder, 'meta'));
  const entries = migrations.map((sql, idx) => {
    writeFileSync(join(folder, `${idx}.sql`), sql);
    return { idx, version: '6', when: 1_000 + idx, tag: String(idx), breakpoints: true };
  });
  writeFileSync(
    join(folder, 'meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'sqlite', entries }),
  );
  return folder;
}

const tableMigration =
  "CREATE TABLE counter (name text NOT NULL, value integer NOT NULL);\n--> statement-breakpoint\nINSERT INTO counter VALUES ('runs', 0);";
const dataMigration = 'UPDATE counter SET value = value + 1;';

async function readCounterValues(url: string): Promise<unknown> {
  const client = createClient({ url });
  const { rows } = await client.execute('SELECT value FROM counter');
  client.close();
  return rows.map((row) => row.value);
}

async function startTogether(url: string, migrations: string): Promise<void> {
  const processes = Array.from({ length: 3 }, () => runChild('open-program', [url, migrations]));
  expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0, 0]);
}

it('runs a data migration once when three processes start together, on a new file and on an existing file', async () => {
  const tableAndData = migrationsOf(tableMigration, dataMigration);
  const freshUrl = fileUrlOf(join(createTemporaryFolder(), 'data', 'fresh.db'));
  await startTogether(freshUrl, tableAndData);
  expect(await readCounterValues(freshUrl)).toEqual([1]);

  const olderUrl = fileUrlOf(join(createTemporaryFolder(), 'older.db'));
  await (
    await openDatabase({ url: olderUrl, migrationsFolder: migrationsOf(tableMigration) })
  ).close();
  await startTogether(olderUrl, tableAndData);
  expect(await readCounterValues(olderUrl)).toEqual([1]);
});

it.runIf(findProgram('sqld'))(
  'runs a data migration once on libsql-server too',
  async () => {
    const server = await createLibsqlServer(createTemporaryFolder());
    onTestFinished(() => server.stop('SIGKILL'));
    await server.start();
    await startTogether(server.url, migrationsOf(tableMigration, dataMigration));
    expect(await readCounterValues(server.url)).toEqual([1]);
  },
  60_000,
);

it('leaves the database unchanged when a migration fails', async () => {
  const url = fileUrlOf(join(createTemporaryFolder(), 'frontage.db'));
  await (await openDatabase({ url, migrationsFolder: migrationsOf(tableMigration) })).close();
  await expect(
    openDatabase({
      url,
      migrationsFolder: migrationsOf(
        tableMigration,
        `${dataMigration}\n--> statement-breakpoint\nUPDATE absent SET value = 1;`,
      ),
    }),
  ).rejects.toThrow('no such table: absent');
  expect(await readCounterValues(url)).toEqual([0]);
  await (
    await openDatabase({ url, migrationsFolder: migrationsOf(tableMigration, dataMigration) })
  ).close();
  expect(await readCounterValues(url)).toEqual([1]);
});

it('loses nothing when it is killed in the middle of a migration', async () => {
  const path = join(createTemporaryFolder(), 'frontage.db');
  const url = fileUrlOf(path);
  await (await openDatabase({ url, migrationsFolder: migrationsOf(tableMigration) })).close();
  // The migration never completes, so the process is killed while it writes.
  const endlessMigration = `${dataMigration}\n--> statement-breakpoint\nINSERT INTO counter
    WITH RECURSIVE rows (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM rows) SELECT 'row', value FROM rows;`;
  const migratingProcess = runChild('open-program', [
    url,
    migrationsOf(tableMigration, endlessMigration),
  ]);
  const readLogSize = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  while (readLogSize() < 1_000_000) await wait(5);
  migratingProcess.process.kill('SIGKILL');
  await migratingProcess.ended;

  await (await openDatabase({ url, migrationsFolder: migrationsOf(tableMigration) })).close();
  expect(await readCounterValues(url)).toEqual([0]);
  await (
    await openDatabase({ url, migrationsFolder: migrationsOf(tableMigration, dataMigration) })
  ).close();
  expect(await readCounterValues(url)).toEqual([1]);
});

it('creates every table in an empty database, and leaves an up-to-date one unchanged', async () => {
  const path = join(createTemporaryFolder(), 'frontage.db');
  const url = fileUrlOf(path);
  const contents = async () => {
    const client = createClient({ url });
    const [tables, journal, rows] = await client.batch([
      'SELECT name, sql FROM sqlite_master ORDER BY name',
      'SELECT * FROM __drizzle_migrations',
      'SELECT * FROM contracts',
    ]);
    client.close();
    return [tables, journal, rows].map((result) => result?.rows.map((row) => ({ ...row })));
  };
  await (await openDatabase({ url })).close();
  const client = createClient({ url });
  await client.execute("INSERT INTO contracts VALUES ('digest', '{}', '2026-07-27T10:00:00.000Z')");
  client.close();
  const first = await contents();
  const names = Object.keys(await createTableSnapshot().then(({ tables }) => tables));
  expect(first[0]).toEqual(
    expect.arrayContaining(names.map((name) => expect.objectContaining({ name }))),
  );
  await (await openDatabase({ url })).close();
  expect(await contents()).toEqual(first);
});

/** The current tables in drizzle-kit’s snapshot format. */
async function createTableSnapshot(): ReturnType<typeof generateSQLiteDrizzleJson> {
  const modules: object[] = await Promise.all(
    [drizzleConfig.schema ?? []].flat().map((file) => import(resolve(file)) as Promise<object>),
  );
  return generateSQLiteDrizzleJson(Object.assign({}, ...modules));
}

it('makes the data folder private to its owner', async () => {
  const folder = join(createTemporaryFolder(), 'deep', 'data');
  const url = fileUrlOf(join(folder, 'frontage.db'));
  await (await openDatabase({ url, createsFolder: true })).close();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it('has a migration for every schema change', async () => {
  const { entries } = JSON.parse(readFileSync('db/migrations/meta/_journal.json', 'utf8')) as {
    entries: { idx: number; when: number }[];
  };
  const newest = String(entries.at(-1)!.idx).padStart(4, '0');
  const snapshot = JSON.parse(
    readFileSync(`db/migrations/meta/${newest}_snapshot.json`, 'utf8'),
  ) as Awaited<ReturnType<typeof generateSQLiteDrizzleJson>>;
  expect(await generateSQLiteMigration(snapshot, await createTableSnapshot())).toEqual([]);
});
