import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../site/calendar/durations.ts';
import { HASHED_ASSET_PREFIX } from './policies.ts';
import { listCompleteReleases } from './releases.ts';

/** Time in ms for which an asset stays available after the last build that used it. */
const MAX_AGE_MS = 7 * DAY_MS;

/**
 * Copies the scripts and styles of kept releases into a new build, unless no build has used them
 * for a week. Caches, and browsers with an open page, still request them after a new release.
 */
export function keepOldAssets(clientDir: string, outDir: string, now = Date.now()): void {
  for (const release of listCompleteReleases(outDir)) {
    const folder = join(release, 'client', HASHED_ASSET_PREFIX);
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const target = join(clientDir, HASHED_ASSET_PREFIX, name);
      const source = join(folder, name);
      if (!existsSync(target) && now - statSync(source).mtimeMs < MAX_AGE_MS)
        cpSync(source, target, { preserveTimestamps: true });
    }
  }
}
