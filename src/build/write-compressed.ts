import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openArena } from '../server/arena.ts';

const endings = { gzip: '.gz', br: '.br' } as const;

/** File below `client` that answers at a path. */
const fileOf = (path: string, page: boolean): string => (page ? `${path === '/' ? '/index' : path}.html` : path);

/**
 * Writes the compressed bodies of a build beside its files, for servers that look for them there, and gives their
 * number. A step of its own: in a large network these files take longer to write than to make, and the service itself
 * and most CDNs have no use for them.
 */
export function writeCompressed(outDir: string): number {
  const arena = openArena(outDir);
  let written = 0;
  for (const path of arena.paths()) {
    const entry = arena.get(path)!;
    for (const coding of ['gzip', 'br'] as const) {
      if (entry.length(coding) === undefined) continue;
      writeFileSync(join(outDir, 'client', fileOf(path, entry.policy.kind === 'page') + endings[coding]), entry.body(coding));
      written++;
    }
  }
  arena.close();
  return written;
}
