import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ARENA_FORMAT, type ArenaIndex, buildFileNames } from '../../src/build/arena.ts';
import { openPreviousArena } from '../../src/build/previous-arena.ts';
import { writeArena } from '../../src/build/write-arena.ts';
import { openArena } from '../../src/server/arena.ts';

it('the server and the next build read only arenas in the format of this version', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'frontage-arena-'));
  const writeBuild = (format: number) => {
    const index: ArenaIndex = {
      format,
      base: 'https://example.com',
      generatedAt: '2026-01-01T00:00:00.000Z',
      policies: [{ kind: 'file', mediaType: 'text/plain', headers: {} }],
      redirects: [],
      rows: [['/a.txt', 0, 'hash', 0, 1, 0, 0]],
    };
    writeFileSync(join(folder.path, buildFileNames.index), JSON.stringify(index));
    writeFileSync(join(folder.path, buildFileNames.arena), 'a');
  };
  const countPreviousBodies = async () => {
    const arena = await openPreviousArena(folder.path);
    await arena.close();
    return arena.bodies.size;
  };
  writeBuild(ARENA_FORMAT);
  const arena = openArena(folder.path);
  expect(String(arena.get('/a.txt')?.body('identity'))).toBe('a');
  arena.close();
  expect(await countPreviousBodies()).toBe(1);
  writeBuild(ARENA_FORMAT + 1);
  expect(() => openArena(folder.path)).toThrow('Build again.');
  expect(await countPreviousBodies()).toBe(0);
});

it('a build packs the bodies anew that a truncated previous arena lacks', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'frontage-arena-'));
  const clientDir = join(folder.path, 'client');
  mkdirSync(clientDir);
  const policy = { kind: 'file', mediaType: 'text/plain', headers: {} } as const;
  const files = ['a.txt', 'b.txt'].map((file) => ({ file, path: `/${file}`, policy }));
  for (const { file } of files) writeFileSync(join(clientDir, file), file.repeat(1000));
  const writeRelease = async (name: string, previousName?: string) => {
    const outDir = join(folder.path, name);
    mkdirSync(outDir);
    const previous = await openPreviousArena(previousName && join(folder.path, previousName));
    const common = { base: 'https://example.com', generatedAt: '2026-01-01T00:00:00.000Z' };
    await writeArena({ ...common, outDir, clientDir, redirects: [], files, previous });
    await previous.close();
    return { bodies: previous.bodies.size, arena: join(outDir, buildFileNames.arena) };
  };
  const { arena } = await writeRelease('first');
  const content = readFileSync(arena);
  truncateSync(arena, content.length - 1);
  const second = await writeRelease('second', 'first');
  expect(second.bodies).toBe(1);
  expect(readFileSync(second.arena).equals(content)).toBe(true);
});
