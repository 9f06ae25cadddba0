import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import { type Client, createClient } from '@libsql/client';
import { drizzle, type LibSQLDatabase } from 'drizzle-orm/libsql';
import { clientOf } from './client.ts';
import { fileCommitter, remoteCommitter } from './committer.ts';
import { connectFile, connectRemote, filePath, fileUrl, remoteClient } from './connection.ts';
import { askValue, migrateFile, migrateRemote, newestOf, readMigrations } from './migrate.ts';
import { read } from './reader.ts';
import * as schema from './schema.ts';
import { DatabaseUnavailable } from './unavailable.ts';
import { checkVersion } from './version.ts';
import { Writer } from './writer.ts';

export { DatabaseUnavailable, isDuplicate } from './unavailable.ts';

/** The open database of one process. Errors are `DatabaseUnavailable` or the statement's own, never with the values written. */
export interface Database {
  /** drizzle whose statements and batches go through the group-committing writer; `batch([...])` is one atomic unit. */
  readonly writer: LibSQLDatabase<typeof schema> & { readonly $client: Client };
  /** drizzle on the reading connection; a remote database's primary too. */
  readonly reader: LibSQLDatabase<typeof schema>;
  /** Groups that this process committed; what was read may be kept while it stays the same and no other process writes. */
  readonly commits: number;
  /** What an operator should know about this database, in sentences; empty when all is well. */
  readonly notices: readonly string[];
  /** @throws {DatabaseUnavailable} when it does not answer */
  ping(): Promise<void>;
  /** Folds the log into the file and empties it, so that it holds nothing of what was erased before; a busy log is left for later. */
  foldLog(): Promise<void>;
  /** Refuses new work, finishes what is queued, folds the log into the file and closes. May be called twice. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `file:` and a path, or an `http:`, `https:` or `libsql:` URL of libsql-server. */
  url: string;
  authToken?: string;
  /** Folder of the migrations that drizzle-kit wrote. */
  migrations?: string;
}

const ownMigrations = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * Makes the folder, migrates (once, also when two processes start together) and opens.
 * @throws {DatabaseUnavailable} in one sentence, when it cannot be reached or a newer program wrote it
 */
export async function openDatabase({ url, authToken, migrations: folder = ownMigrations }: DatabaseOptions): Promise<Database> {
  const migrations = readMigrations(folder);
  const given = filePath(url);
  const path = given && resolve(given);
  const version = newestOf(migrations);
  if (path) await migrateFile(path, migrations);
  else await migrateRemote(() => remoteClient(url, authToken), migrations);

  const committer = path ? fileCommitter(path, version) : remoteCommitter(remoteClient(url, authToken));
  const reading = path ? connectFile(path, (client) => checkVersion(askValue(client), version)) : connectRemote(url, authToken);
  const writer = new Writer(committer);
  try {
    await Promise.all([committer.ready(), reading.ready()]);
  } catch (error) {
    await committer.close();
    reading.close();
    throw error;
  }
  const protocol = path ? 'file' : 'http';
  let closing: Promise<void> | undefined;

  const ping = async () => {
    await read(reading, ['SELECT 1 FROM sqlite_master LIMIT 1']);
  };
  const foldLog = async () => {
    if (path) await truncateLog(path);
  };
  const close = async () => {
    await writer.stop();
    await foldLog();
    reading.close();
    await committer.close();
  };
  const database: Database = {
    writer: orm(clientOf((statements) => writer.write(statements), protocol, () => void database.close())),
    reader: orm(
      clientOf((statements) => (closing ? Promise.reject(new DatabaseUnavailable('closed')) : read(reading, statements)), protocol, () => void database.close()),
    ),
    get commits() {
      return writer.commits;
    },
    notices: path ? [] : await noticesOf(remoteClient(url, authToken)),
    ping,
    foldLog,
    close: () => (closing ??= close()),
  };
  return database;
}

/** Empties the log of a file, on a connection of its own: one that fails must be made anew. */
async function truncateLog(path: string): Promise<void> {
  const client = createClient({ url: fileUrl(path), concurrency: 1, timeout: 100 });
  // What stays in the log is read at the next start, so a failure here loses nothing.
  await client.execute('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => undefined);
  client.close();
}

/** drizzle over a client. Its own errors repeat the statement with all values, which would end in logs: the client's error comes bare. */
function orm(client: Client): Database['writer'] {
  const database = drizzle(client, { schema });
  const { session } = database as unknown as { session: { prepareQuery(...of: unknown[]): object } };
  const prepareQuery = session.prepareQuery.bind(session);
  session.prepareQuery = (...of) => Object.assign(prepareQuery(...of), { queryWithCache: (_sql: string, _values: unknown, run: () => Promise<unknown>) => run() });
  return database;
}

/** Asks a server how durable it is; one that does not tell is believed. */
async function noticesOf(client: Client): Promise<string[]> {
  const answer = await client.execute('PRAGMA synchronous').catch(() => undefined);
  client.close();
  const level = answer?.rows[0]?.[0];
  if (level === undefined || Number(level) >= 2) return [];
  return ['The database server may lose what it acknowledged when its power fails; set durability_mode to strong on its admin port.'];
}
