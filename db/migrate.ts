import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type Client } from '@libsql/client/sqlite3';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { fileUrlOf } from './connection.ts';
import { createFolders } from './create-folders.ts';
import { codeOf } from './error-code.ts';
import { DatabaseUnavailableError, faultOf, isDuplicateKeyError } from './unavailable.ts';
import { type ValueQuery, checkOwner, readNewestVersion } from './version.ts';
import { createPrivateFile, makeFilePrivate } from './private-files.ts';
import { computeBackoffMs } from './writer.ts';

/** How long startup waits for another process that is migrating, in ms. */
const MAX_WAIT_MS = 60_000;

type Migration = ReturnType<typeof readMigrationFiles>[number];

/** The drizzle-kit migrations in a folder, oldest first. */
export const readMigrations = (folder: string): Migration[] =>
  readMigrationFiles({ migrationsFolder: folder });

/** When each migration was written, in ms since 1970, oldest first. */
export const versionsOf = (migrations: Migration[]): number[] =>
  migrations.map(({ folderMillis }) => folderMillis);

/** Creates a function that returns the single value of a query. */
export const createValueQuery =
  (client: Client): ValueQuery =>
  async (sql) =>
    (await client.execute(sql)).rows[0]?.[0];

/** Applies pending migrations in one transaction, using the journal that drizzle-kit also reads. */
async function applyPendingMigrations(client: Client, migrations: Migration[]): Promise<void> {
  const versions = versionsOf(migrations);
  await checkOwner(createValueQuery(client), versions);
  const newestVersion = await readNewestVersion(createValueQuery(client));
  if (newestVersion > (versions.at(-1) ?? 0)) throw new DatabaseUnavailableError('newer');
  const pendingMigrations = migrations.filter(({ folderMillis }) => folderMillis > newestVersion);
  if (!pendingMigrations.length) return;
  await client.execute(
    'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
  );
  await client.execute(
    'CREATE UNIQUE INDEX IF NOT EXISTS __drizzle_migrations_once ON __drizzle_migrations (created_at)',
  );
  try {
    // The journal is written first: the second of two processes violates its unique index before
    // changing anything.
    await client.migrate(
      pendingMigrations.flatMap(({ sql, hash, folderMillis }) => [
        {
          sql: 'INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)',
          args: [hash, folderMillis],
        },
        ...sql.filter((statement) => statement.trim()),
      ]),
    );
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
  }
}

/** Retries work that failed because another process was writing, with a new client each time. */
async function retryWhileBusy(
  connect: () => Client | Promise<Client>,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (let attempt = 0; ; attempt++) {
    let client: Client | undefined;
    try {
      client = await connect();
      await work(client);
      return;
    } catch (error) {
      const fault = faultOf(error);
      if (fault.target === 'statement') throw error;
      if (fault.reason !== 'busy' || performance.now() > deadline)
        throw new DatabaseUnavailableError(fault.reason, { cause: error });
    } finally {
      client?.close();
    }
    await wait(computeBackoffMs(attempt));
  }
}

/**
 * Creates a missing file and its folder, accessible only to their owner. @throws
 * {DatabaseUnavailableError}
 */
export function createFile(path: string): void {
  try {
    createFolders(dirname(path), 0o700);
    createPrivateFile(path);
  } catch (error) {
    const isForbidden = ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error));
    throw new DatabaseUnavailableError(isForbidden ? 'read_only' : 'unreachable', { cause: error });
  }
}

/**
 * Creates the folder and the file, makes the file private and migrates it. Concurrent processes do
 * this one after another: each first locks a file next to the database.
 */
export async function migrateFile(path: string, migrations: Migration[]): Promise<void> {
  createFile(path);
  await withMigrationLock(dirname(path), () =>
    retryWhileBusy(
      () => createClient({ url: fileUrlOf(path), concurrency: 1, timeout: 1_000 }),
      async (client) => {
        // Checked first, because setting the journal mode writes to the file.
        await checkOwner(createValueQuery(client), versionsOf(migrations));
        makeFilePrivate(path);
        const { rows } = await client.execute('PRAGMA journal_mode=WAL');
        if (rows[0]?.[0] !== 'wal') throw new DatabaseUnavailableError('unreachable');
        await client.execute('PRAGMA synchronous=FULL');
        await applyPendingMigrations(client, migrations);
      },
    ),
  );
}

/** Runs `work` while no other process can migrate or restore a database in this folder. */
export async function withMigrationLock(folder: string, work: () => Promise<void>): Promise<void> {
  const path = join(folder, 'migrate.lock.db');
  createFile(path);
  await retryWhileBusy(
    () => createClient({ url: fileUrlOf(path), concurrency: 1, timeout: 100 }),
    async (lockClient) => {
      const lockTransaction = await lockClient.transaction('write');
      try {
        await work();
      } finally {
        await lockTransaction.rollback();
      }
    },
  );
}

/** Migrates a libsql-server database, only once even if two processes start at the same time. */
export const migrateRemote = (
  connect: () => Promise<Client>,
  migrations: Migration[],
): Promise<void> => retryWhileBusy(connect, (client) => applyPendingMigrations(client, migrations));
