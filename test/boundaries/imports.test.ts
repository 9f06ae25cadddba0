import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Row {
  /** Other project folders that files in this folder may import. */
  may: readonly string[];
  /** Folders from which only types may be imported. */
  types?: readonly string[];
  /** Allowed packages, if they are restricted. */
  packages?: readonly string[];
}

/** All folders of `src/`, its top-level files, and `db`. */
const rows: Record<string, Row> = {
  db: { may: [], packages: ['drizzle-orm', '@libsql/client', 'libsql', 'drizzle-kit', 'node:'] },
  'src/environment.js': { may: [], packages: ['node:'] },
  'src/declared-settings.ts': { may: ['src/environment.js'], packages: ['valibot', 'node:'] },
  'src/settings.ts': { may: ['src/declared-settings.ts', 'src/environment.js'] },
  'src/env.d.ts': { may: ['src/http', 'src/site'] },
  'src/text': { may: [], packages: [] },
  'src/outbound': { may: [], packages: ['node:'] },
  'src/fields': { may: ['src/site'], packages: ['valibot'] },
  'src/site': {
    may: ['src/fields'],
    types: ['src/registry'],
    packages: ['canonicalize', 'marked', 'node:'],
  },
  'src/registry': { may: ['src/fields', 'src/site'], packages: ['zod', 'yaml', 'node:'] },
  'src/build-site.ts': { may: ['src/build', 'src/registry', 'src/settings.ts', 'src/site'] },
  'src/search': { may: ['src/site'], types: ['src/registry'] },
  'src/operation': { may: ['src/fields', 'src/site', 'db'] },
  'src/keys': { may: ['src/capabilities', 'src/operation', 'src/site', 'db'] },
  'src/leads': {
    may: [
      'src/fields',
      'src/keys',
      'src/operation',
      'src/outbound',
      'src/registry',
      'src/search',
      'src/site',
      'src/text',
      'db',
    ],
    types: ['src/settings.ts'],
  },
  'src/links': { may: ['src/fields', 'src/leads', 'src/operation', 'src/site', 'db'] },
  'src/capabilities': {
    may: ['src/keys', 'src/leads', 'src/operation', 'src/outbound', 'src/search', 'src/site', 'db'],
    types: ['src/registry'],
  },
  'src/artifacts': {
    may: ['src/fields', 'src/http', 'src/operation', 'src/registry', 'src/site'],
  },
  'src/http': {
    may: [
      'src/a2a',
      'src/build',
      'src/capabilities',
      'src/keys',
      'src/leads',
      'src/links',
      'src/mcp',
      'src/operation',
      'src/search',
      'src/site',
      'db',
    ],
  },
  'src/mcp': {
    may: [
      'src/capabilities',
      'src/http',
      'src/keys',
      'src/leads',
      'src/links',
      'src/operation',
      'src/search',
      'src/site',
    ],
    types: ['src/registry'],
  },
  'src/a2a': {
    may: ['src/http', 'src/keys', 'src/leads', 'src/operation', 'src/search', 'src/site', 'db'],
  },
  'src/components': {
    may: [
      'public/icon.svg?raw',
      'src/fields',
      'src/layouts',
      'src/search',
      'src/site',
      'src/styles',
      'src/text',
    ],
    types: ['src/registry'],
  },
  'src/layouts': {
    may: ['src/components', 'src/site', 'src/styles', 'src/text'],
    types: ['src/registry'],
  },
  'src/styles': { may: [] },
  'src/pages': {
    may: [
      'src/artifacts',
      'src/build-site.ts',
      'src/components',
      'src/fields',
      'src/layouts',
      'src/operation',
      'src/search',
      'src/settings.ts',
      'src/site',
      'src/styles',
      'src/text',
    ],
    types: ['src/http'],
  },
  'src/build': {
    may: [
      'src/artifacts',
      'src/build-site.ts',
      'src/capabilities',
      'src/components',
      'src/registry',
      'src/settings.ts',
      'src/site',
    ],
    types: ['src/http', 'src/server'],
  },
  'src/server': {
    may: [
      'src/a2a',
      'src/artifacts',
      'src/build',
      'src/capabilities',
      'src/http',
      'src/keys',
      'src/leads',
      'src/links',
      'src/operation',
      'src/search',
      'src/settings.ts',
      'src/site',
      'db',
    ],
  },
  'src/cli': {
    may: [
      'src/artifacts',
      'src/build',
      'src/build-site.ts',
      'src/capabilities',
      'src/environment.js',
      'src/fields',
      'src/keys',
      'src/leads',
      'src/links',
      'src/operation',
      'src/registry',
      'src/search',
      'src/server',
      'src/settings.ts',
      'src/site',
      'db',
    ],
  },
};

const IMPORT =
  /(?:^|\n)\s*((?:import|export)\b[^'"`;]*?)from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g;

/** A type-only import clause: `import type { A }`, or braces in which every name has `type`. */
const TYPES = /^\s*(?:import|export)\s+(?:type\b|\{(?:\s*type\s+[\w\s]+,?)+\s*\}\s*$)/;

const rowOf = (path: string) =>
  Object.keys(rows).find((row) => path === row || path.startsWith(`${row}/`));
const files = globSync(['src/**/*.{ts,js,astro,css}', 'db/**/*.ts']).sort();

/** Imports of a file. `path` is relative to the project for its own modules. */
const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, clause, from, dynamic, bare]) => {
    const specifier = (from ?? dynamic ?? bare)!;
    return {
      specifier,
      isDynamic: dynamic !== undefined,
      path: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : undefined,
      isType: clause !== undefined && TYPES.test(clause),
    };
  });

const isAllowed = (specifier: string, packages: readonly string[] | undefined) =>
  !packages ||
  packages.some(
    (allowed) =>
      specifier === allowed ||
      specifier.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`),
  );

/** Imports of a file that its folder does not allow. */
function trespasses(file: string): string[] {
  const own = rowOf(file)!;
  const { may, types = [], packages } = rows[own]!;
  return importsOf(file)
    .filter(({ specifier, path, isType }) => {
      if (path === undefined) return !isAllowed(specifier, packages);
      const target = rowOf(path) ?? path;
      return ![own, ...may, ...(isType ? types : [])].includes(target);
    })
    .map(({ specifier }) => specifier);
}

/** Shortest import cycle of each file that is in one, type imports included. */
function circles(): string[] {
  const targets = new Map(
    files.map((file) => [file, importsOf(file).flatMap(({ path }) => path ?? [])]),
  );
  return files.flatMap((file) => {
    const cameFrom = new Map<string, string>();
    const waiting = [file];
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift())
      for (const next of targets.get(at) ?? []) {
        if (next === file) {
          const way = [file];
          for (let step: string | undefined = at; step !== undefined; step = cameFrom.get(step))
            way.unshift(step);
          return [way.join(' → ')];
        }
        if (cameFrom.has(next)) continue;
        cameFrom.set(next, at);
        waiting.push(next);
      }
    return [];
  });
}

describe('import boundaries', () => {
  it('cover every file, and no row is unused', () => {
    expect(files.filter((file) => !rowOf(file))).toEqual([]);
    expect(Object.keys(rows).filter((row) => !files.some((file) => rowOf(file) === row))).toEqual(
      [],
    );
  });

  it('allow no import that is not used', () => {
    const used = new Map<string, { values: Set<string>; types: Set<string> }>();
    for (const file of files) {
      const own = rowOf(file)!;
      const of = used.get(own) ?? { values: new Set<string>(), types: new Set<string>() };
      used.set(own, of);
      for (const { path, isType } of importsOf(file))
        if (path !== undefined) (isType ? of.types : of.values).add(rowOf(path) ?? path);
    }
    const idle = Object.entries(rows).flatMap(([row, { may, types = [] }]) => [
      ...may.filter((other) => !used.get(row)?.values.has(other)).map((other) => [row, other]),
      ...types.filter((other) => !used.get(row)?.types.has(other)).map((other) => [row, other]),
    ]);
    expect(idle).toEqual([]);
  });

  it('have no cycles, type imports included', () => {
    expect(circles()).toEqual([]);
  });

  it.each(files)('%s imports only what its folder allows', (file) => {
    expect(trespasses(file)).toEqual([]);
  });

  it('keep file system, environment, and clock access in the outermost files', () => {
    const outermost =
      /^src\/(?:cli|server|build)\/|\/index\.ts$|^src\/(?:settings\.ts|environment\.js)$|^src\/build-site\.ts$|^src\/pages\//;
    // Scripts of pages use the browser’s clock to show whether a service is open.
    const inBrowser = [
      'src/components/search/site-search.ts',
      'src/components/subsite/open-now.ts',
      'src/components/forms/lead-forms.ts',
    ];
    for (const file of files.filter(
      (name) => name.startsWith('src/') && !outermost.test(name) && !inBrowser.includes(name),
    )) {
      const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      expect(code.match(/process\.env|node:fs|Date\.now\(\)|new Date\(\)/g), file).toBeNull();
    }
  });

  it('have the tests begin with every module that the server imports at first use', () => {
    const known = importsOf('test/setup/lazy-imports.ts').map(
      ({ specifier, path }) => path ?? specifier,
    );
    const lazy = files
      // Commands and builds wait for what they import.
      .filter((file) => !/^src\/(?:cli|build|server)\/|\.d\.ts$/.test(file))
      .flatMap((file) => importsOf(file).filter(({ isDynamic }) => isDynamic))
      .map(({ specifier, path }) => path ?? specifier);
    expect([...new Set(lazy)].sort()).toEqual(known.sort());
  });

  it('allow only one module to read the environment', () => {
    expect(
      [...files, 'astro.config.mjs'].filter((file) =>
        /process\.env/.test(readFileSync(file, 'utf8')),
      ),
    ).toEqual(['src/environment.js']);
  });

  it('have no folder with a vague name', () => {
    expect(
      files.filter((file) => /(?:^|\/)(?:utils?|helpers?|lib|common|misc)(?:\/|\.)/.test(file)),
    ).toEqual([]);
  });
});
