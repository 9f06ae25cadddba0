import { closeSync, openSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describeRootOwnership } from './file-errors.ts';
import { createFolders } from '../../db/create-folders.ts';
import { lockFile } from '../../db/file-lock.ts';
import { DatabaseUnavailableError } from '../../db/index.ts';
import { SettingsError } from '../environment.js';

const UNWRITABLE_CODES = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST']);

/** Time between checks by a waiting command, in ms. */
const POLL_MS = 250;

/**
 * Creates the empty lock file and its folder. Returns its path. @throws {SettingsError} when this
 * user may not write there
 */
export function createLockFile(outDir: string): string {
  try {
    createFolders(resolve(outDir));
    const file = join(realpathSync(outDir), 'build.lock');
    closeSync(openSync(file, 'a'));
    return file;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!UNWRITABLE_CODES.has(code)) throw error;
    const fix =
      describeRootOwnership(error, outDir) ??
      'Grant this user write permission, or set OUT_DIR to a writable folder.';
    throw new SettingsError(`OUT_DIR: this user cannot write to ${outDir} (${code}). ${fix}`);
  }
}

/**
 * Locks a build folder for this process until it exits or calls the returned function. Builds must
 * run one at a time, because they share a cache and remove incomplete releases. `notify` gets a
 * message if another build is running.
 */
export async function lockOutDir(
  outDir: string,
  notify: (sentence: string) => void,
): Promise<() => void> {
  const file = createLockFile(outDir);
  for (let first = true; ; first = false)
    try {
      const lock = await lockFile(file);
      const release = () => {
        process.off('exit', release);
        lock.release();
      };
      process.once('exit', release);
      return release;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      if (error.reason === 'full')
        throw new SettingsError(
          `OUT_DIR: the disk with ${outDir} is full. Free some space, or set OUT_DIR to a folder on another disk.`,
        );
      if (error.reason !== 'in_use') throw error;
      if (first) notify(`Another process is writing to ${outDir}. Waiting for it to finish.`);
      await wait(POLL_MS);
    }
}
