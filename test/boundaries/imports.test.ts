import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * Rooms of the house and the rooms of ours that each may import beside itself; a file at the top of
 * `src/` is a room of its own. Packages are listed only where a room is held to a few.
 */
const rooms: Record<string, { may: readonly string[]; packages?: readonly string[] }> = {
  'src/registry': { may: [], packages: ['zod', 'yaml', 'node:'] },
  db: { may: [], packages: ['drizzle-orm', '@libsql/client', 'libsql', 'drizzle-kit', 'node:'] },
  'src/settings.ts': { may: [] },
  'src/service-rules.ts': { may: ['src/registry', 'src/operations', 'src/components'] },
  'src/build-site.ts': { may: ['src/registry', 'src/service-rules.ts', 'src/settings.ts'] },
  'src/adapters': { may: ['src/registry', 'src/operations', 'db'] },
  'src/operations': { may: ['src/registry', 'src/adapters', 'db'] },
  'src/deliveries': { may: ['src/registry', 'src/operations', 'src/adapters', 'src/settings.ts', 'db'] },
  'src/artifacts': { may: ['src/registry', 'src/operations', 'src/settings.ts'] },
  'src/transports': { may: ['src/operations', 'src/adapters', 'src/registry', 'src/settings.ts'] },
  // A component that is a whole page stands in a layout.
  'src/components': { may: ['src/registry', 'src/settings.ts', 'src/layouts', 'src/styles'] },
  'src/layouts': { may: ['src/registry', 'src/settings.ts', 'src/components', 'src/styles'] },
};

const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g;

const roomOf = (file: string) => Object.keys(rooms).find((room) => file === room || file.startsWith(`${room}/`));
const files = globSync(['src/**/*.{ts,astro}', 'db/**/*.ts']).sort();

const importsOf = (file: string) => [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from, dynamic, bare]) => (from ?? dynamic ?? bare)!);

/** Every import of a file that its room does not allow. */
function trespasses(file: string): string[] {
  const room = roomOf(file)!;
  const { may, packages } = rooms[room]!;
  return importsOf(file).flatMap((specifier) => {
    if (!specifier.startsWith('.')) return packages && !packages.some((allowed) => specifier === allowed || specifier.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`)) ? [specifier] : [];
    const target = normalize(join(dirname(file), specifier));
    return [room, ...may].some((allowed) => target === allowed || target.startsWith(`${allowed}/`)) ? [] : [specifier];
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
      const targets = importsOf(file).filter((specifier) => specifier.startsWith('.')).map((specifier) => normalize(join(dirname(file), specifier)));
      if (file.startsWith('src/pages/')) expect(targets.filter((target) => target.startsWith('db/')), file).toEqual([]);
      else expect(targets.filter((target) => target.startsWith('src/pages/')), file).toEqual([]);
    }
  });

  it('leaves disk, environment and clock to the outermost files', () => {
    const outermost = /^src\/(?:cli|server|build)\/|\/index\.ts$|^src\/settings\.ts$|^src\/build-site\.ts$|^src\/pages\//;
    for (const file of files.filter((name) => name.startsWith('src/') && !outermost.test(name))) {
      const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      expect(code.match(/process\.env|node:fs|Date\.now\(\)|new Date\(\)/g), file).toBeNull();
    }
  });

  it('reads the environment in one module only', () => {
    expect([...files, 'astro.config.mjs'].filter((file) => /process\.env/.test(readFileSync(file, 'utf8')))).toEqual(['src/settings.ts']);
  });

  it('has no room without a noun', () => {
    expect(files.filter((file) => /(?:^|\/)(?:utils?|helpers?|lib|common|misc)(?:\/|\.)/.test(file))).toEqual([]);
  });
});
