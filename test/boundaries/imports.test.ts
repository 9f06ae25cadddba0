import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * Rooms of the house and the rooms of ours that each may import beside itself; a file at the top of
 * `src/` is a room of its own. Packages are listed only where a room is held to a few.
 */
const rooms: Record<string, { may: readonly string[]; packages?: readonly string[] }> = {
  db: {
    may: [],
    packages: ['drizzle-orm', '@libsql/client', 'libsql', 'drizzle-kit', 'node:'],
  },
  'src/environment.js': { may: [], packages: ['node:'] },
  'src/settings.ts': { may: ['src/environment.js'] },
  'src/fields': { may: ['src/site'], packages: ['valibot'] },
  'src/registry': { may: ['src/fields', 'src/site'], packages: ['zod', 'yaml', 'node:'] },
  'src/site': { may: ['src/fields', 'src/registry'], packages: ['canonicalize', 'zod', 'node:'] },
  'src/build-site.ts': { may: ['src/build', 'src/registry', 'src/settings.ts', 'src/site'] },
  'src/search': { may: ['src/registry', 'src/site'] },
  'src/operation': {
    may: [
      'src/capabilities',
      'src/fields',
      'src/keys',
      'src/leads',
      'src/registry',
      'src/site',
      'db',
    ],
  },
  'src/keys': { may: ['src/capabilities', 'src/operation', 'src/site', 'db'] },
  'src/leads': {
    may: [
      'src/capabilities',
      'src/fields',
      'src/keys',
      'src/operation',
      'src/registry',
      'src/search',
      'src/settings.ts',
      'src/site',
      'db',
    ],
  },
  'src/links': { may: ['src/fields', 'src/leads', 'src/operation', 'src/site', 'db'] },
  'src/capabilities': {
    may: [
      'src/fields',
      'src/keys',
      'src/leads',
      'src/operation',
      'src/registry',
      'src/search',
      'src/site',
      'db',
    ],
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
  'src/components': {
    may: ['src/fields', 'src/layouts', 'src/registry', 'src/search', 'src/site', 'src/styles'],
  },
  'src/layouts': { may: ['src/components', 'src/registry', 'src/site', 'src/styles'] },
};

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g;

const roomOf = (file: string) =>
  Object.keys(rooms).find((room) => file === room || file.startsWith(`${room}/`));
const files = globSync(['src/**/*.{ts,js,astro}', 'db/**/*.ts']).sort();

const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(
    ([, from, dynamic, bare]) => (from ?? dynamic ?? bare)!,
  );

/** Every import of a file that its room does not allow. */
function trespasses(file: string): string[] {
  const room = roomOf(file)!;
  const { may, packages } = rooms[room]!;
  return importsOf(file).flatMap((specifier) => {
    if (!specifier.startsWith('.'))
      return packages &&
        !packages.some(
          (allowed) =>
            specifier === allowed ||
            specifier.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`),
        )
        ? [specifier]
        : [];
    const target = normalize(join(dirname(file), specifier));
    return [room, ...may].some((allowed) => target === allowed || target.startsWith(`${allowed}/`))
      ? []
      : [specifier];
  });
}

describe('import boundaries', () => {
  it.each(Object.keys(rooms))('%s is a room with files in it', (room) => {
    expect(files.some((file) => roomOf(file) === room)).toBe(true);
  });

  it.each(files.filter(roomOf))('%s imports only what its room allows', (file) => {
    expect(trespasses(file)).toEqual([]);
  });

  it('keeps the database out of pages, and pages out of everything', () => {
    for (const file of files) {
      const targets = importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => normalize(join(dirname(file), specifier)));
      if (file.startsWith('src/pages/'))
        expect(
          targets.filter((target) => target.startsWith('db/')),
          file,
        ).toEqual([]);
      else
        expect(
          targets.filter((target) => target.startsWith('src/pages/')),
          file,
        ).toEqual([]);
    }
  });

  it('leaves disk, environment and clock to the outermost files', () => {
    const outermost =
      /^src\/(?:cli|server|build)\/|\/index\.ts$|^src\/(?:settings\.ts|environment\.js)$|^src\/build-site\.ts$|^src\/pages\//;
    // Scripts of pages tell whether a place is open by the clock of the browser.
    const inBrowser = ['src/components/site-search.ts', 'src/components/open-now.ts'];
    for (const file of files.filter(
      (name) => name.startsWith('src/') && !outermost.test(name) && !inBrowser.includes(name),
    )) {
      const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      expect(code.match(/process\.env|node:fs|Date\.now\(\)|new Date\(\)/g), file).toBeNull();
    }
  });

  it('reads the environment in one module only', () => {
    expect(
      [...files, 'astro.config.mjs'].filter((file) =>
        /process\.env/.test(readFileSync(file, 'utf8')),
      ),
    ).toEqual(['src/environment.js']);
  });

  it('has no room without a noun', () => {
    expect(
      files.filter((file) => /(?:^|\/)(?:utils?|helpers?|lib|common|misc)(?:\/|\.)/.test(file)),
    ).toEqual([]);
  });
});
