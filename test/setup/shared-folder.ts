import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const runsFolder = fileURLToPath(new URL('../../.build/shared-by-tests', import.meta.url));

/** The process that started the run; its workers inherit the variable. */
const run = (process.env['TEST_RUN'] ??= String(process.pid));

/**
 * Folder for the databases and bundles of functional tests. Each run has its own, so that two runs
 * can share a checkout.
 */
export const sharedFolder = join(runsFolder, run);

/** In-memory file system, where a commit does not wait for a disk. */
const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 2 ** 30;

function hasMemoryFolder(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize > MIN_FREE_BYTES;
}
const memoryRunsFolder = join(MEMORY_FOLDER, `frontage-tests-${userInfo().uid}`);

/** Chosen by the process that started the run; its workers inherit the variable. */
const databasesFolder = (process.env['TEST_DATABASES'] ??= hasMemoryFolder()
  ? join(memoryRunsFolder, run)
  : sharedFolder);

/** Creates a folder for the database of a test that is not about its disk, and returns its path. */
export function makeDatabaseFolder(): string {
  mkdirSync(databasesFolder, { recursive: true });
  return mkdtempSync(join(databasesFolder, 'database-'));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Deletes the folders of runs that have ended, and databases in memory when this run ends. */
export function deleteEndedRuns(): void {
  mkdirSync(runsFolder, { recursive: true });
  for (const folder of [runsFolder, memoryRunsFolder].filter((path) => existsSync(path)))
    for (const name of readdirSync(folder))
      if (name === run || !isRunning(Number(name)))
        rmSync(join(folder, name), { recursive: true, force: true });
  process.once('exit', () => rmSync(join(memoryRunsFolder, run), { recursive: true, force: true }));
}
