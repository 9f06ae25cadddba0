import { closeSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { lockFile } from '../../db/file-lock.ts';
import { DatabaseUnavailable } from '../../db/index.ts';

/** How often a waiting command checks again, in ms. */
const LOOK_MS = 250;

/**
 * Makes this process the only one that writes builds to a folder until it ends, or until the
 * returned function is called. Builds share a cache, and each removes incomplete releases, so they
 * run one after the other. `say` gets a sentence when another build is running.
 */
export async function lockOutDir(
  outDir: string,
  say: (sentence: string) => void,
): Promise<() => void> {
  mkdirSync(outDir, { recursive: true });
  const file = join(realpathSync(outDir), 'build.lock');
  closeSync(openSync(file, 'a'));
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
      if (!(error instanceof DatabaseUnavailable && error.reason === 'in_use')) throw error;
      if (first) say(`Another process writes to ${outDir}. Waiting for it to end.`);
      await wait(LOOK_MS);
    }
}
