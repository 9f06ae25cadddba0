import { globSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, inject, it } from 'vitest';

/**
 * Folders whose modules answer requests; the app has them, and the pages get plain values from it.
 */
const ANSWERING = /^(?:db|src\/(?:leads|links|capabilities|keys|http|mcp|a2a|server|operation))\//;

describe.each(['mainBuild', 'fourBuild'] as const)('the page bundle of %s', (build) => {
  // Source maps name their sources relative to the release’s own folder.
  const release = realpathSync(inject(build));
  const modules = globSync(join(release, 'server/**/*.map')).flatMap((map) => {
    const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
    return sources.map((source) => relative('.', resolve(dirname(map), source)));
  });

  it('has the pages of all views', () => {
    const pages = globSync('src/pages/view/*.astro');
    expect(pages.length).toBeGreaterThan(5);
    for (const page of pages) expect(modules).toContain(page);
  });

  it('has no module that answers requests', () => {
    expect(modules.filter((module) => ANSWERING.test(module))).toEqual([]);
  });
});
