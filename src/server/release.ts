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

/**
 * Imports what Astro’s build exports, without the listener that its adapter adds to the process each time: it keeps
 * rejections that nothing handles from all others, and writes those of pages past the log.
 */
async function importEntry(outDir: string): Promise<{ handler: AstroHandler }> {
  const own = new Set(process.listeners('unhandledRejection'));
  const entry: unknown = await import(pathToFileURL(resolve(outDir, 'server/entry.mjs')).href);
  for (const listener of process.listeners('unhandledRejection'))
    if (!own.has(listener)) process.removeListener('unhandledRejection', listener);
  return entry as { handler: AstroHandler };
}

/** Opens the build of a folder. @throws when there is none, or one of another format */
export async function openRelease(
  outDir: string,
  site: Site = readBuiltSite(outDir),
): Promise<Release> {
  const arena = openArena(outDir);
  const { handler } = await importEntry(outDir);
  return { site, arena, render: astroRenderer(handler, site) };
}
