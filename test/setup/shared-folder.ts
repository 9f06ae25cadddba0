import { mkdirSync, readdirSync, rmSync } from 'node:fs';
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

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Deletes the folders of runs that have ended. */
export function deleteEndedRuns(): void {
  mkdirSync(runsFolder, { recursive: true });
  for (const name of readdirSync(runsFolder))
    if (name === run || !isRunning(Number(name)))
      rmSync(join(runsFolder, name), { recursive: true, force: true });
}
