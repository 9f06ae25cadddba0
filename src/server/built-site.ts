import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFiles } from '../build/arena.ts';
import type { Site } from '../site/site.ts';

/** The site of a build. */
export const readBuiltSite = (outDir: string): Site =>
  JSON.parse(readFileSync(join(outDir, buildFiles.site), 'utf8')) as Site;
