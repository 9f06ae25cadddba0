import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Row {
  /** Other project folders that files in this folder may import. */
  modules: readonly string[];
  /** Folders from which only types may be imported. */
  types?: readonly string[];
  /** Allowed packages, if they are restricted. */
  packages?: readonly string[];
}

/** All folders of `src/`, its top-level files, and `db`. */
const rows: Record<string, Row> = {
  db: {
    modules: [],
    packages: ['drizzle-orm', '@libsql/client', 'libsql', 'drizzle-kit', 'node:'],
  },
  'src/environment.js': { modules: ['src/text-encoding.js'], packages: ['node:'] },
  'src/text-encoding.js': { modules: [], packages: ['node:'] },
  'src/declared-settings.ts': {
    modules: ['src/environment.js', 'src/site'],
    packages: ['valibot', 'node:'],
  },
  'src/settings.ts': {
    modules: ['src/declared-settings.ts', 'src/environment.js', 'src/outbound', 'src/site'],
  },
  'src/env.d.ts': { modules: ['src/http', 'src/site'] },
  'src/language.ts': { modules: [], packages: [] },
  'src/text': { modules: ['src/language.ts'], packages: [] },
  'src/outbound': { modules: [], packages: ['node:'] },
  'src/fields': { modules: ['src/language.ts', 'src/site', 'src/text'], packages: ['valibot'] },
  'src/site': {
    modules: ['src/language.ts', 'src/fields', 'src/text'],
    types: ['src/registry'],
    packages: ['canonicalize', 'marked', 'node:'],
  },
  'src/registry': {
    modules: ['src/language.ts', 'src/fields', 'src/site', 'src/text-encoding.js'],
    packages: ['zod', 'yaml', 'node:'],
  },
  'src/build-site.ts': { modules: ['src/build', 'src/registry', 'src/settings.ts', 'src/site'] },
  'src/search': { modules: ['src/language.ts', 'src/site', 'src/text'], types: ['src/registry'] },
  'src/operation': { modules: ['src/language.ts', 'src/fields', 'src/site', 'db'] },
  'src/keys': { modules: ['src/capabilities', 'src/operation', 'src/site', 'db'] },
  'src/leads': {
    modules: [
      'src/language.ts',
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
  'src/links': { modules: ['src/fields', 'src/leads', 'src/operation', 'src/site', 'db'] },
  'src/capabilities': {
    modules: [
      'src/language.ts',
      'src/fields',
      'src/keys',
      'src/leads',
      'src/operation',
      'src/outbound',
      'src/search',
      'src/site',
      'db',
    ],
    types: ['src/registry'],
  },
  'src/artifacts': {
    modules: [
      'src/language.ts',
      'src/a2a',
      'src/fields',
      'src/http',
      'src/operation',
      'src/registry',
      'src/site',
    ],
  },
  'src/http': {
    modules: [
      'src/language.ts',
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
    modules: [
      'src/language.ts',
      'src/capabilities',
      'src/fields',
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
    modules: [
      'src/fields',
      'src/http',
      'src/keys',
      'src/leads',
      'src/operation',
      'src/search',
      'src/site',
      'db',
    ],
  },
  'src/components': {
    modules: [
      'src/language.ts',
      'public/icon.svg?raw',
      'src/fields',
      'src/layouts',
      'src/search',
      'src/site',
      'src/styles',
      'src/text',
    ],
    types: ['src/http', 'src/leads', 'src/registry'],
  },
  'src/layouts': {
    modules: ['src/language.ts', 'src/components', 'src/site', 'src/styles', 'src/text'],
    types: ['src/registry'],
  },
  'src/styles': { modules: [] },
  'src/pages': {
    modules: [
      'src/language.ts',
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
    modules: [
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
    modules: [
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
    modules: [
      'src/language.ts',
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
      'src/text-encoding.js',
      'db',
    ],
  },
};

const IMPORT_PATTERN =
  /(?:^|\n)\s*((?:import|export)\b[^'"`;]*?)from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g;

/** Matches a type-only import: `import type { A }`, or braces with `type` before every name. */
const TYPE_IMPORT_PATTERN =
  /^\s*(?:import|export)\s+(?:type\b|\{(?:\s*type\s+[\w\s]+,?)+\s*\}\s*$)/;

const rowOf = (path: string) =>
  Object.keys(rows).find((row) => path === row || path.startsWith(`${row}/`));
const files = globSync(['src/**/*.{ts,js,astro,css}', 'db/**/*.ts']).sort();

/** Imports in a file. `path` is relative to the project for its own modules. */
const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT_PATTERN)].map(
    ([, clause, from, dynamic, bare]) => {
      const specifier = (from ?? dynamic ?? bare)!;
      return {
        specifier,
        isDynamic: dynamic !== undefined,
        path: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : undefined,
        isType: clause !== undefined && TYPE_IMPORT_PATTERN.test(clause),
      };
    },
  );

const isAllowed = (specifier: string, packages: readonly string[] | undefined) =>
  !packages ||
  packages.some(
    (allowed) =>
      specifier === allowed ||
      specifier.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`),
  );

/** Imports in a file that its folder does not allow. */
function findForbiddenImports(file: string): string[] {
  const folderRow = rowOf(file)!;
  const { modules, types = [], packages } = rows[folderRow]!;
  return importsOf(file)
    .filter(({ specifier, path, isType }) => {
      if (path === undefined) return !isAllowed(specifier, packages);
      const target = rowOf(path) ?? path;
      return ![folderRow, ...modules, ...(isType ? types : [])].includes(target);
    })
    .map(({ specifier }) => specifier);
}

/** Shortest import cycle for each file in a cycle, including type imports. */
function findImportCycles(): string[] {
  const targets = new Map(
    files.map((file) => [file, importsOf(file).flatMap(({ path }) => path ?? [])]),
  );
  return files.flatMap((file) => {
    const importers = new Map<string, string>();
    const queue = [file];
    for (let current = queue.shift(); current !== undefined; current = queue.shift())
      for (const next of targets.get(current) ?? []) {
        if (next === file) {
          const cycle = [file];
          for (
            let step: string | undefined = current;
            step !== undefined;
            step = importers.get(step)
          )
            cycle.unshift(step);
          return [cycle.join(' → ')];
        }
        if (importers.has(next)) continue;
        importers.set(next, current);
        queue.push(next);
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

  it('allow no unused import', () => {
    const usedImports = new Map<string, { values: Set<string>; types: Set<string> }>();
    for (const file of files) {
      const folderRow = rowOf(file)!;
      const imports = usedImports.get(folderRow) ?? {
        values: new Set<string>(),
        types: new Set<string>(),
      };
      usedImports.set(folderRow, imports);
      for (const { path, isType } of importsOf(file))
        if (path !== undefined) (isType ? imports.types : imports.values).add(rowOf(path) ?? path);
    }
    const unusedEntries = Object.entries(rows).flatMap(([row, { modules, types = [] }]) => [
      ...modules
        .filter((other) => !usedImports.get(row)?.values.has(other))
        .map((other) => [row, other]),
      ...types
        .filter((other) => !usedImports.get(row)?.types.has(other))
        .map((other) => [row, other]),
    ]);
    expect(unusedEntries).toEqual([]);
  });

  it('have no cycles, including type imports', () => {
    expect(findImportCycles()).toEqual([]);
  });

  it.each(files)('%s imports only what its folder allows', (file) => {
    expect(findForbiddenImports(file)).toEqual([]);
  });

  it('keep file system, environment, and clock access in the outermost files', () => {
    const outermostPattern =
      /^src\/(?:cli|server|build)\/|\/index\.ts$|^src\/(?:settings\.ts|environment\.js)$|^src\/(?:build-site|registry\/files)\.ts$|^src\/pages\//;
    // Page scripts use the browser’s clock to show whether a service is open.
    const browserModules = [
      'src/components/search/search-engine.ts',
      'src/components/subsite/open-now.ts',
      'src/components/forms/lead-forms.ts',
    ];
    for (const file of files.filter(
      (name) =>
        name.startsWith('src/') && !outermostPattern.test(name) && !browserModules.includes(name),
    )) {
      const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      expect(code.match(/process\.env|node:fs|Date\.now\(\)|new Date\(\)/g), file).toBeNull();
    }
  });

  it('preload in tests every module that the server imports on first use', () => {
    const preloadedModules = importsOf('test/setup/lazy-imports.ts').map(
      ({ specifier, path }) => path ?? specifier,
    );
    const lazyImports = files
      // Commands and builds wait for their imports; scripts of components run in the browser.
      .filter((file) => !/^src\/(?:cli|build|server|components)\/|\.d\.ts$/.test(file))
      .flatMap((file) => importsOf(file).filter(({ isDynamic }) => isDynamic))
      .map(({ specifier, path }) => path ?? specifier);
    expect([...new Set(lazyImports)].sort()).toEqual(preloadedModules.sort());
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
