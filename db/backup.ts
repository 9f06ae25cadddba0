import { createReadStream, createWriteStream, type Stats } from 'node:fs';
import { chown, link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createClient } from '@libsql/client/sqlite3';
import { fileUrlOf, filePathOf } from './connection.ts';
import { codeOf } from './error-code.ts';
import { fillWhileFlushing } from './fill-while-flushing.ts';
import { requireUsablePath } from './usable-path.ts';
import { withMigrationLock } from './migrate.ts';
import { makeFilePrivate, PRIVATE_MODE } from './private-files.ts';
import { DatabaseUnavailableError, faultOf } from './unavailable.ts';

/**
 * Thrown when a backup or restore is refused and nothing has changed. The message gives the reason
 * in one sentence.
 */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const fileExists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

const createFolderError = (path: string) =>
  new BackupError(`${path} is a folder. Choose a file in that folder.`, {
    cause: Object.assign(new Error('Expected a file, not a folder.'), { code: 'EISDIR' }),
  });

/** True if two paths refer to the same file, directly or through links. */
const isSameFile = (one: Stats, other: Stats | undefined): boolean =>
  one.dev === other?.dev && one.ino === other.ino;

const pathOf = (url: string): string => {
  const path = filePathOf(url);
  if (!path)
    throw new BackupError(
      'Back up a remote database on its server; GET /dump of libsql-server returns it as SQL.',
    );
  return resolve(path);
};

async function queryValue(path: string, sql: string, args: string[] = []): Promise<unknown> {
  const client = createClient({ url: fileUrlOf(path), concurrency: 1, timeout: 5_000 });
  try {
    return (await client.execute({ sql, args })).rows[0]?.[0];
  } finally {
    client.close();
  }
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

const formatDiskFullText = (folder: string): string =>
  `The disk with ${folder} is full; free some space, or choose a folder on another disk.`;

async function createEmptyFile(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', PRIVATE_MODE)).close();
  } catch (error) {
    const folder = dirname(resolve(path));
    throw new BackupError(
      {
        ENOENT: `The folder ${folder} does not exist; create it first, or choose another folder.`,
        ENOTDIR: `${folder} is not a folder; choose a folder.`,
        EROFS: `${folder} is on a read-only file system; choose another folder.`,
        ENOSPC: formatDiskFullText(folder),
      }[codeOf(error)] ??
        `The backup cannot be written to ${folder}; choose another folder, such as the one in DATABASE_URL, or give this user write access to this folder.`,
      { cause: error },
    );
  }
}

async function findUnusedPath(path: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${path}.replaced` : `${path}.replaced-${number}`;
    if (!(await fileExists(name))) return name;
  }
}

/** @throws {BackupError} if the file is not a complete database of this program */
async function verifyBackup(path: string): Promise<void> {
  const integrity = await queryValue(path, 'PRAGMA integrity_check').catch(() => undefined);
  const migrationCount = await queryValue(path, 'SELECT count(*) FROM __drizzle_migrations').catch(
    () => undefined,
  );
  if (integrity !== 'ok' || !migrationCount)
    throw new BackupError(`${path} is damaged or is not a database of this program.`);
}

/**
 * Writes a complete, verified copy while the server runs, readable only by its owner. The file gets
 * its final name when it is complete.
 * @throws {BackupError} or {DatabaseUnavailableError}
 */
export async function backUpDatabase({ url }: { url: string }, target: string): Promise<void> {
  const path = pathOf(url);
  if (!(await fileExists(path))) throw new DatabaseUnavailableError('missing');
  const existingTarget = await stat(target).catch(() => undefined);
  if (existingTarget?.isDirectory()) throw createFolderError(target);
  if (existingTarget) throw new BackupError(`${target} already exists; choose another name.`);
  const partialPath = `${target}.unfinished`;
  await rm(partialPath, { force: true }).catch(() => undefined);
  await createEmptyFile(partialPath);
  try {
    // Fills the empty file and keeps its mode.
    await fillWhileFlushing(partialPath, () => queryValue(path, 'VACUUM INTO ?', [partialPath]));
    await verifyBackup(partialPath);
    await syncToDisk(partialPath);
    await rename(partialPath, target);
    await syncToDisk(dirname(resolve(target)));
  } catch (error) {
    const fault = faultOf(error);
    if (fault.target !== 'database') throw error;
    // Only the target's disk can be full, because nothing is written to the database's.
    throw fault.reason === 'full'
      ? new BackupError(formatDiskFullText(dirname(resolve(target))), { cause: error })
      : new DatabaseUnavailableError(fault.reason, { cause: error });
  } finally {
    await rm(partialPath, { force: true });
  }
}

/**
 * True if no other connection is open: only then can the journal mode change. A damaged file counts
 * as unused because it cannot be queried.
 */
async function isUnused(path: string): Promise<boolean> {
  try {
    return (await queryValue(path, 'PRAGMA journal_mode=DELETE')) === 'delete';
  } catch (error) {
    const fault = faultOf(error);
    return fault.target === 'database' && fault.reason === 'malformed';
  }
}

/** Changes made after a backup, which restoring the backup undoes. */
export interface UndoneChanges {
  /** References of leads that were erased. */
  erased: string[];
  /** IDs of keys that were revoked. */
  revoked: string[];
  /**
   * True if the secret for answer links was renewed, so that restoring the backup makes old links
   * work again.
   */
  linksRotated: boolean;
  /** References of leads missing from the backup. */
  leads: string[];
  /** Keys that are missing from the backup and therefore no longer work. */
  keys: { id: string; name: string }[];
  /** References of leads whose last change is missing from the backup, except erased leads. */
  changes: string[];
}

/**
 * Changes that are missing from the restored database; undefined if the replaced database is
 * unreadable.
 */
async function findRevertedChanges(
  replacedPath: string,
  restoredPath: string,
): Promise<UndoneChanges | undefined> {
  const client = createClient({ url: fileUrlOf(restoredPath), concurrency: 1, timeout: 5_000 });
  const queryTexts = async (sql: string) =>
    (await client.execute(sql)).rows.map((row) => row[0] as string);
  const count = async (sql: string) => Number((await client.execute(sql)).rows[0]?.[0]);
  try {
    await client.execute({ sql: 'ATTACH DATABASE ? AS replaced', args: [replacedPath] });
    return {
      erased: await queryTexts(
        "select outbox.id from replaced.leads as was cross join main.leads as now on now.token = was.token cross join main.outbox as outbox on outbox.lead = was.token and outbox.kind = 'lead.created' where was.status = 'erased' and now.status <> 'erased' order by 1",
      ),
      revoked: await queryTexts(
        'select now.id from replaced.keys as was cross join main.keys as now on now.id = was.id where was.revoked_at is not null and now.revoked_at is null order by 1',
      ),
      linksRotated:
        (await count(
          "select count(*) from replaced.secrets as was cross join main.secrets as now on now.name = was.name where was.name = 'links' and was.value <> now.value and was.created_at > now.created_at",
        )) > 0,
      leads: await queryTexts(
        "select outbox.id from replaced.leads as was cross join replaced.outbox as outbox on outbox.lead = was.token and outbox.kind = 'lead.created' where not exists (select 1 from main.leads as now where now.token = was.token) order by was.token",
      ),
      keys: (
        await client.execute(
          'select was.id, was.name from replaced.keys as was where not exists (select 1 from main.keys as now where now.id = was.id) order by 1',
        )
      ).rows.map((row) => ({ id: row[0] as string, name: row[1] as string })),
      changes: await queryTexts(
        "select outbox.id from replaced.leads as was cross join main.leads as now on now.token = was.token cross join main.outbox as outbox on outbox.lead = was.token and outbox.kind = 'lead.created' where was.updated_at > now.updated_at and was.status <> 'erased' order by was.token",
      ),
    };
  } catch {
    return undefined;
  } finally {
    client.close();
  }
}

const COUNT_UNDELIVERED_SQL =
  'select (select count(*) from outbox where due_at is not null) + (select count(*) from deliveries where due_at is not null)';

/**
 * Replaces the database with a backup. The new file gets the owner of the replaced file, and only
 * that owner can read either file. Returns the number of messages that a server will send when it
 * starts, the undone changes, and the replaced file's new name, which ends in `.replaced`,
 * `.replaced-2`, and so on. If there was no database, returns only the number.
 * @throws {BackupError} while a server or command has the database open, or if the backup is
 * incomplete
 * @throws {DatabaseUnavailableError} if no database can exist at the path
 */
export async function restoreDatabase(
  backup: string,
  { url, createsFolder = false }: { url: string; createsFolder?: boolean },
): Promise<{ undelivered: number; replaced?: string; undone?: UndoneChanges }> {
  const path = pathOf(url);
  requireUsablePath(path, createsFolder);
  const backupFile = await stat(backup).catch((cause: unknown) => {
    throw new BackupError(`There is no file ${backup}.`, { cause });
  });
  if (backupFile.isDirectory()) throw createFolderError(backup);
  if (isSameFile(backupFile, await stat(path).catch(() => undefined)))
    throw new BackupError(`${backup} is the database itself; choose a backup.`);
  await verifyBackup(backup);
  let replacedPath: string | undefined;
  await withMigrationLock(dirname(path), async () => {
    const existingFile = await stat(path).catch(() => undefined);
    if (existingFile && !(await isUnused(path)))
      throw new BackupError(
        'The database is in use; stop every server and command that has it open.',
      );
    const partialPath = `${path}.unfinished`;
    await rm(partialPath, { force: true });
    // copyFile would also copy the backup's mode.
    await pipeline(
      createReadStream(backup),
      createWriteStream(partialPath, { flags: 'wx', mode: PRIVATE_MODE }),
    ).catch(async (error: unknown) => {
      await rm(partialPath, { force: true });
      throw codeOf(error) === 'ENOSPC'
        ? new BackupError(formatDiskFullText(dirname(path)), { cause: error })
        : error;
    });
    // Fails unless the user is root; no other user needs to change the owner.
    if (existingFile)
      await chown(partialPath, existingFile.uid, existingFile.gid).catch(() => undefined);
    await syncToDisk(partialPath);
    if (existingFile) {
      makeFilePrivate(path);
      const unusedPath = await findUnusedPath(path);
      // A link gives the file a second name, so that a database exists at the path at all times.
      // Not every file system supports links.
      await link(path, unusedPath).catch(() => rename(path, unusedPath));
      replacedPath = unusedPath;
    }
    // Otherwise, the log of the replaced file would be applied to the new one.
    for (const suffix of ['-wal', '-shm']) await rm(path + suffix, { force: true });
    await rename(partialPath, path);
    await syncToDisk(dirname(path));
  });
  const undelivered = Number(await queryValue(path, COUNT_UNDELIVERED_SQL));
  if (replacedPath === undefined) return { undelivered };
  const undone = await findRevertedChanges(replacedPath, path);
  return { undelivered, replaced: replacedPath, ...(undone && { undone }) };
}
