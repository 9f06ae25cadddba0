import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Render } from '../http/views.ts';
import type { Site } from '../site/site.ts';
import { type Arena, openArena } from './arena.ts';
import { type AstroHandler, astroRenderer } from './astro-renderer.ts';
import { readBuiltSite } from './built-site.ts';

/** Everything that a server takes from a build: its documents, its records, and what renders its pages. */
export interface Release {
  site: Site;
  arena: Arena;
  render: Render;
}

/** Opens the build of a folder. @throws when there is none, or one of another format */
export async function openRelease(
  outDir: string,
  site: Site = readBuiltSite(outDir),
): Promise<Release> {
  const arena = openArena(outDir);
  const { handler } = (await import(pathToFileURL(resolve(outDir, 'server/entry.mjs')).href)) as {
    handler: AstroHandler;
  };
  return { site, arena, render: astroRenderer(handler, site) };
}
