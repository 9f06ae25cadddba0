import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import { type Client, createClient } from '@libsql/client/sqlite3';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { drizzle } from 'drizzle-orm/libsql/sqlite3';
import { openBackgroundReader } from './background.ts';
import { createCheckpointer } from './checkpoints.ts';
import { createBatchClient } from './client.ts';
import {
  createInThreadCommitter,
  createWorkerCommitter,
  createRemoteCommitter,
} from './committer.ts';
import {
  type Connection,
  connectFile,
  connectRemote,
  filePathOf,
  fileUrlOf,
  createRemoteClient,
} from './connection.ts';
import { identifyFile } from './identity.ts';
import { TRUNCATE_WAIT_MS } from './pragmas.ts';
import {
  createValueQuery,
  migrateFile,
  migrateRemote,
  readMigrations,
  versionsOf,
} from './migrate.ts';
import { findFileAccessWarnings } from './private-files.ts';
import { createSpaceGuard, disabledSpaceGuard } from './free-space.ts';
import { readWithRetry } from './reader.ts';
import { DatabaseUnavailableError, faultOf } from './unavailable.ts';
import { requireUsablePath } from './usable-path.ts';
import { checkExistingDatabase, checkVersion } from './version.ts';
import { findWriteAccessNotices } from './write-access.ts';
import { createWriteCheck } from './write-check.ts';
import { Writer } from './writer.ts';

export { DatabaseUnavailableError, isDuplicateKeyError } from './unavailable.ts';

/**
 * The open database of one process. Errors are `DatabaseUnavailableError` or the statement's own,
 * and never contain the written values. Every function that uses the database may throw them.
 */
export interface Database {
  /** drizzle on the group-committing writer; `batch([...])` is atomic. */
  readonly writer: LibSQLDatabase & { readonly $client: Client };
  /** drizzle on the read connection, which for a remote database also goes to the primary. */
  readonly reader: LibSQLDatabase;
  /**
   * drizzle for lists and counts. A process with threads reads a file in a separate thread, because
   * these reads would block the event loop for too long. Results are as recent as those from
   * `reader`.
   */
  readonly background: LibSQLDatabase;
  /**
   * Number of groups of writes that this process has committed. Reads may be cached as long as the
   * number stays the same and no other process writes.
   */
  readonly commitCount: number;
  /** Warnings about this database for the operator. */
  readonly notices: readonly string[];
  /** True if writes are rejected because the disk of a database file is nearly full. */
  isLowOnSpace: () => boolean;
  /**
   * True if a write would succeed now, apart from a lack of space, which `isLowOnSpace` reports.
   */
  canWrite: () => Promise<boolean>;
  /** @throws {DatabaseUnavailableError} if the database does not respond */
  ping: () => Promise<void>;
  /**
   * Checkpoints and empties the log so that it contains no erased data. If the log is in use, a
   * later call empties it.
   */
  truncateLog: () => Promise<void>;
  /**
   * Resolves when no checkpoint is running in this process. Bulk writes wait for this, which keeps
   * a file's log short and the disk available for other writes.
   */
  waitForCheckpoint: () => Promise<void>;
  /**
   * Rejects new work, finishes queued work, checkpoints the log and closes. May be called more than
   * once.
   */
  close: () => Promise<void>;
}

export interface DatabaseOptions {
  /** `file:` and a path, or an `http:`, `https:` or `libsql:` URL of libsql-server. */
  url: string;
  authToken?: string;
  /**
   * Minimum number of free bytes on a database file's disk, below which writes are rejected. The
   * default, 0, sets no minimum.
   */
  minFreeBytes?: number;
  /** Folder with the drizzle-kit migrations. */
  migrationsFolder?: string;
  /** Opens only an existing database and changes nothing: no folder, file or migration. */
  mustExist?: boolean;
  /** If true, creates a database file's missing folder; if false, a missing folder is an error. */
  createsFolder?: boolean;
  /** If false, everything runs in the calling thread, for a process that serves no requests. */
  usesThread?: boolean;
}

const defaultMigrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * Creates the file if it is missing, migrates the database (once, even if two processes start
 * together) and opens it; with `mustExist`, only opens it.
 * @throws {DatabaseUnavailableError} if it is unreachable or was written by another version of the
 * program
 */
export async function openDatabase({
  url,
  authToken,
  migrationsFolder: folder = defaultMigrationsFolder,
  mustExist = false,
  createsFolder = false,
  usesThread = true,
  minFreeBytes = 0,
}: DatabaseOptions): Promise<Database> {
  const migrations = readMigrations(folder);
  const fileUrlPath = filePathOf(url);
  const path = fileUrlPath && resolve(fileUrlPath);
  const versions = versionsOf(migrations);
  const version = versions.at(-1) ?? 0;
  if (path) requireUsablePath(path, mustExist || createsFolder);
  const isNew = !mustExist && path !== undefined && !existsSync(path);
  if (mustExist) await requireDatabase({ path, url, authToken, versions });
  else if (path) await migrateFile(path, migrations);
  else await migrateRemote(() => createRemoteClient(url, authToken), migrations);

  const createCommitter = usesThread ? createWorkerCommitter : createInThreadCommitter;
  const committer = path
    ? createCommitter(path, version, 'write')
    : createRemoteCommitter(await createRemoteClient(url, authToken));
  const readConnection = path
    ? connectFile(path, (client) => checkVersion(createValueQuery(client), version))
    : await connectRemote(url, authToken);
  const backgroundReader = path && usesThread ? openBackgroundReader(path, version) : undefined;
  const checkpointer = path
    ? createCheckpointer(createCommitter(path, version, 'read'))
    : undefined;
  const writer = new Writer(committer, checkpointer?.countChanges);
  try {
    await Promise.all([!mustExist && committer.connect(), readConnection.getClient()]);
  } catch (error) {
    await committer.close();
    readConnection.close();
    throw error;
  }
  const spaceGuard =
    path && minFreeBytes > 0 ? createSpaceGuard(path, minFreeBytes) : disabledSpaceGuard;
  let closePromise: Promise<void> | undefined;

  const ping = async () => {
    await readWithRetry(readConnection, ['SELECT 1 FROM sqlite_master LIMIT 1']);
  };
  const truncateLog = async () => {
    // The rest of the log will be checkpointed next time.
    await checkpointer?.truncate().catch(() => undefined);
  };
  const close = async () => {
    await writer.stop();
    await Promise.all([backgroundReader?.close(), checkpointer?.close()]);
    // A read-only process leaves the log to the writers.
    if (path && (!mustExist || writer.commitCount)) await truncateLogFile(path);
    readConnection.close();
    await committer.close();
  };
  const createOrm = (run: Parameters<typeof createBatchClient>[0]) =>
    createDrizzle(createBatchClient(run, path ? 'file' : 'http', () => void database.close()));
  const createReader = (connection: Connection) =>
    createOrm((statements) =>
      closePromise
        ? Promise.reject(new DatabaseUnavailableError('closed'))
        : readWithRetry(connection, statements),
    );
  const reader = createReader(readConnection);
  const database: Database = {
    writer: createOrm(async (statements) => {
      spaceGuard.requireSpace(statements);
      return writer.write(statements);
    }),
    reader,
    background: backgroundReader ? createReader(backgroundReader.connection) : reader,
    get commitCount() {
      return writer.commitCount;
    },
    notices: path
      ? [
          ...(isNew ? [`Created a new database: ${path}`] : []),
          ...findWriteAccessNotices(path),
          ...findFileAccessWarnings(path),
        ]
      : await findDurabilityNotices(await createRemoteClient(url, authToken)),
    isLowOnSpace: spaceGuard.isSpaceLow,
    canWrite: createWriteCheck(writer),
    ping,
    truncateLog,
    waitForCheckpoint: async () => checkpointer?.waitUntilIdle(),
    close: () => (closePromise ??= close()),
  };
  return database;
}

/**
 * @throws {DatabaseUnavailableError} unless there is a database written by this version of the
 * program
 */
async function requireDatabase({
  path,
  url,
  authToken,
  versions,
}: Pick<DatabaseOptions, 'url' | 'authToken'> & {
  path: string | undefined;
  versions: readonly number[];
}): Promise<void> {
  // Checked first, because connecting to a missing file would create an empty one.
  if (path && !identifyFile(path)) throw new DatabaseUnavailableError('missing');
  const check = (client: Client) => checkExistingDatabase(createValueQuery(client), versions);
  const connection = path ? connectFile(path, check) : await connectRemote(url, authToken);
  try {
    const client = await connection.getClient();
    if (!path) await check(client);
  } catch (error) {
    const fault = faultOf(error);
    throw fault.target === 'database'
      ? new DatabaseUnavailableError(fault.reason, { cause: error })
      : error;
  } finally {
    connection.close();
  }
}

/**
 * Empties the write-ahead log of a database file on a separate connection, because a connection
 * that fails must be reopened.
 */
async function truncateLogFile(path: string): Promise<void> {
  try {
    const client = createClient({
      url: fileUrlOf(path),
      concurrency: 1,
      timeout: TRUNCATE_WAIT_MS,
    });
    // PASSIVE copies the log without blocking writers, leaving little for TRUNCATE to do.
    for (const mode of ['PASSIVE', 'TRUNCATE'])
      await client.execute(`PRAGMA wal_checkpoint(${mode})`).catch(() => undefined);
    client.close();
  } catch {
    // The file cannot be opened. The next start reads the rest of the log, so nothing is lost.
  }
}

/**
 * A drizzle database that uses a client. drizzle's errors repeat the statement with all values,
 * which would end up in logs, so the client's errors are thrown instead.
 */
function createDrizzle(client: Client): Database['writer'] {
  const database = drizzle(client);
  const { session } = database as unknown as {
    session: { prepareQuery: (...args: unknown[]) => object };
  };
  const prepareQuery = session.prepareQuery.bind(session);
  session.prepareQuery = (...args) =>
    Object.assign(prepareQuery(...args), {
      queryWithCache: (_sql: string, _values: unknown, run: () => Promise<unknown>) => run(),
    });
  return database;
}

/**
 * A warning if a server may lose acknowledged writes; a server that does not report its setting is
 * trusted.
 */
async function findDurabilityNotices(client: Client): Promise<string[]> {
  const result = await client.execute('PRAGMA synchronous').catch(() => undefined);
  client.close();
  const level = result?.rows[0]?.[0];
  if (level === undefined || Number(level) >= 2) return [];
  return [
    'The database server may lose acknowledged writes in a power failure; set durability_mode to strong on its admin port.',
  ];
}
