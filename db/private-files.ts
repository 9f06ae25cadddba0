import { codeOf } from './error-code.ts';
import { chmodSync, closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Mode of every file that holds personal data: readable and writable by its owner only. */
export const PRIVATE_MODE = 0o600;

/**
 * Creates an empty private file if there is none. An existing file is not opened because closing it
 * would release SQLite's locks.
 */
export function createPrivateFile(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'wx', PRIVATE_MODE));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes a database file private, and its log and index if they exist; SQLite creates later logs and
 * indexes with the mode of the database file. Another user's file keeps its mode, which
 * `findFileAccessWarnings` reports.
 */
export function makeFilePrivate(path: string): void {
  const file = realpathSync(path);
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) {
    try {
      chmodSync(path, PRIVATE_MODE);
    } catch (error) {
      if (!['ENOENT', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error;
    }
  }
}

const describeAccess = (mode: number): string =>
  [mode & 0o044 && 'read', mode & 0o022 && 'change'].filter(Boolean).join(' and ');

/**
 * Warnings about other users' access to a database file; none if its folder or mode prevents such
 * access.
 */
export function findFileAccessWarnings(path: string): string[] {
  const file = realpathSync(path);
  const folder = dirname(file);
  const [folderAccess, fileAccess] = [
    describeAccess(statSync(folder).mode),
    describeAccess(statSync(file).mode),
  ];
  return [
    ...(folderAccess
      ? [
          `Other users of this machine can ${folderAccess} the database folder, ${folder}. Run chmod 700 on it, or set DATABASE_URL to a file in a separate folder.`,
        ]
      : []),
    ...(fileAccess
      ? [
          `Other users of this machine can ${fileAccess} the database ${file}, which another user owns. Make the user who runs the server its owner (chown), then run chmod 600 on it.`,
        ]
      : []),
  ];
}
