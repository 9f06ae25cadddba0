import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { filePathOf } from './connection.ts';
import { lockFile } from './file-lock.ts';
import { createFile } from './migrate.ts';
import { PRIVATE_MODE } from './private-files.ts';
import { DatabaseUnavailableError } from './unavailable.ts';
import { requireUsablePath } from './usable-path.ts';

/** The canonical path of a file, which need not exist. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/**
 * The process that last locked a database, as recorded by that process; undefined if it could not
 * record this.
 */
function readLockOwner(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Records who holds the lock. The lock is valid even if this fails. */
function writeLockOwner(file: string): void {
  try {
    writeFileSync(file, `process ${process.pid}, started in ${process.cwd()}\n`, {
      mode: PRIVATE_MODE,
    });
  } catch {
    return;
  }
}

/**
 * Makes this process the only server for a database file until the lock is released or the process
 * ends in any way. The operating system holds the lock, on an empty file next to the database. A
 * second file names the holder. Commands may run at the same time. A remote database may have any
 * number of servers.
 * @throws {DatabaseUnavailableError} `in_use`, naming the process and its folder, if another server
 * has the lock
 */
export async function lockForServer({
  url,
  createsFolder = false,
}: {
  url: string;
  createsFolder?: boolean;
}): Promise<{ release(): void }> {
  const path = filePathOf(url);
  if (!path) return { release() {} };
  requireUsablePath(path, createsFolder);
  const file = `${realPath(path)}.server-lock`;
  const lockOwnerFile = `${file}-holder`;
  createFile(file);
  try {
    const lock = await lockFile(file);
    writeLockOwner(lockOwnerFile);
    return lock;
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError && error.reason === 'in_use')) throw error;
    throw new DatabaseUnavailableError('in_use', {
      cause: error.cause,
      lockOwner: readLockOwner(lockOwnerFile),
    });
  }
}
