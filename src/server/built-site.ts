import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFileNames } from '../build/arena.ts';
import type { Site } from '../site/site.ts';

export const readBuiltSite = (outDir: string): Site =>
  JSON.parse(readFileSync(join(outDir, buildFileNames.site), 'utf8')) as Site;
