import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RenderView } from '../http/views.ts';
import type { Site } from '../site/site.ts';
import { type Arena, openArena } from './arena.ts';
import { createAstroRenderer } from './astro-renderer.ts';
import { readBuiltSite } from './built-site.ts';

/** The parts of a build that a server needs: its documents, its records, and its page renderer. */
export interface Release {
  site: Site;
  arena: Arena;
  render: RenderView;
  /** Preloads the page renderer. @throws any error while loading it */
  warm: () => Promise<void>;
}

/** Opens the build in a folder. @throws if there is none in this format */
export function openRelease(outDir: string, site: Site = readBuiltSite(outDir)): Release {
  const entry = resolve(outDir, 'server/entry.mjs');
  if (!existsSync(entry)) throw new Error(`The build in ${outDir} is incomplete. Build again.`);
  const render = createAstroRenderer(pathToFileURL(entry).href, site);
  return {
    site,
    arena: openArena(outDir),
    render,
    async warm() {
      await render({ kind: 'sign-in', isSignedOut: false });
    },
  };
}
