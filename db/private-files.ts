import { codeOf } from './error-code.ts';
import { chmodSync, closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Mode of every file that holds personal data: readable and writable by its owner only. */
export const PRIVATE = 0o600;

/**
 * Creates an empty private file if there is none. An existing file is not opened: closing it would
 * end SQLite's locks.
 */
export function createPrivate(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'wx', PRIVATE));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes a database file private, and its log and index if they exist; SQLite creates later ones
 * with the mode of the database. A file of another user keeps its mode, which `privacyNotices`
 * reports.
 */
export function makePrivate(path: string): void {
  const file = realpathSync(path);
  for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) {
    try {
      chmodSync(each, PRIVATE);
    } catch (error) {
      if (!['ENOENT', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error;
    }
  }
}

const verbs = (mode: number): string =>
  [mode & 0o044 && 'read', mode & 0o022 && 'change'].filter(Boolean).join(' and ');

/**
 * Warnings about other users' access to a database file; none if its folder or mode prevents it.
 */
export function privacyNotices(path: string): string[] {
  const file = realpathSync(path);
  const folder = dirname(file);
  const [inFolder, inFile] = [verbs(statSync(folder).mode), verbs(statSync(file).mode)];
  return [
    ...(inFolder
      ? [
          `Other users of this machine can ${inFolder} the folder of the database, ${folder}. Run chmod 700 on it, or set DATABASE_URL to a file in a folder of its own.`,
        ]
      : []),
    ...(inFile
      ? [
          `Other users of this machine can ${inFile} the database ${file}, which another user owns. Give it to the user who runs the server (chown), then run chmod 600 on it.`,
        ]
      : []),
  ];
}
