import { globSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, inject, it } from 'vitest';

/**
 * Folders with modules that handle requests. Only the app loads them; pages receive plain values.
 */
const REQUEST_MODULE_PATTERN =
  /^(?:db|src\/(?:leads|links|capabilities|keys|http|mcp|a2a|server|operation))\//;

describe.each(['mainBuild', 'fourBuild'] as const)('the page bundle of %s', (build) => {
  // Source maps contain paths relative to the renderer’s own folder.
  const renderer = realpathSync(join(inject(build), 'server'));
  const modules = globSync(join(renderer, '**/*.map')).flatMap((map) => {
    const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
    return sources.map((source) => relative('.', resolve(dirname(map), source)));
  });

  it('has the pages of all views', () => {
    const pages = globSync('src/pages/view/*.astro');
    expect(pages.length).toBeGreaterThan(5);
    for (const page of pages) expect(modules).toContain(page);
  });

  it('has only Latin-1 characters, because any other makes V8 store a module with two bytes per character', () => {
    const texts = globSync(join(renderer, '**/*.mjs')).map((file) => readFileSync(file, 'utf8'));
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.flatMap((text) => /.{0,40}[^\0-\xff].{0,40}/.exec(text)?.[0] ?? [])).toEqual([]);
  });

  it('has no module that answers requests', () => {
    expect(modules.filter((module) => REQUEST_MODULE_PATTERN.test(module))).toEqual([]);
  });
});
