import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Render } from '../http/views.ts';
import type { Site } from '../site/site.ts';
import { type Arena, openArena } from './arena.ts';
import { astroRenderer } from './astro-renderer.ts';
import { readBuiltSite } from './built-site.ts';

/**
 * Everything that a server takes from a build: its documents, its records, and what renders its
 * pages.
 */
export interface Release {
  site: Site;
  arena: Arena;
  render: Render;
  /**
   * Loads what renders pages, so that nobody waits for it. @throws what keeps pages from being
   * rendered
   */
  warm: () => Promise<void>;
}

/** Opens the build of a folder. @throws when there is none, or one of another format */
export function openRelease(outDir: string, site: Site = readBuiltSite(outDir)): Release {
  const entry = resolve(outDir, 'server/entry.mjs');
  if (!existsSync(entry)) throw new Error(`The build in ${outDir} is not whole. Build again.`);
  const render = astroRenderer(pathToFileURL(entry).href, site);
  return {
    site,
    arena: openArena(outDir),
    render,
    async warm() {
      await render({ kind: 'sign-in' });
    },
  };
}
