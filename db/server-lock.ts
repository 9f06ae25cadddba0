import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { filePath } from './connection.ts';
import { lockFile } from './file-lock.ts';
import { createFile } from './migrate.ts';

/** The same name for every way to write the path of a file, which need not exist. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/**
 * Makes this process the only server of a database file until the lock is released or the process ends, however it ends:
 * the operating system holds the lock, on an empty file beside the database. Commands may run beside the server. A remote
 * database may have any number of servers.
 * @throws {DatabaseUnavailable} `in_use` when another server has it
 */
export async function lockForServer(url: string): Promise<{ release(): void }> {
  const path = filePath(url);
  if (!path) return { release() {} };
  const file = `${realPath(path)}.server-lock`;
  createFile(file);
  return lockFile(file);
}
