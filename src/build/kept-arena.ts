import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { ARENA_FORMAT, type ArenaIndex, buildFiles } from './arena.ts';
import type { Lengths } from './pack.ts';

/** Where the bodies of one content hash stand, one after another. */
export interface KeptBody {
  file: FileHandle;
  offset: number;
  lengths: Lengths;
}

/** The arena of the build before, from which bodies that did not change are taken as they were compressed then. */
export interface KeptArena {
  /** Bodies that are packed already, by content hash. */
  bodies: Map<string, KeptBody>;
  /** Content hashes of files that were packed in this build, by their absolute path. */
  hashOf: Map<string, string>;
  /** Closes and removes it, once the new arena is whole. */
  drop(): Promise<void>;
}

const parts = [buildFiles.arena, buildFiles.index];

/** Moves the arena of a folder that is about to be emptied to where it is kept. A build that breaks off leaves it there for the next. */
export function setArenaAside(outDir: string, keptDir: string): void {
  if (!parts.every((part) => existsSync(join(outDir, part)))) return;
  for (const part of parts) renameSync(join(outDir, part), join(keptDir, part));
}

async function readKept(keptDir: string): Promise<{ file: FileHandle; bodies: KeptArena['bodies'] } | undefined> {
  try {
    const { format, rows } = JSON.parse(readFileSync(join(keptDir, buildFiles.index), 'utf8')) as ArenaIndex;
    if (format !== ARENA_FORMAT) return undefined;
    const file = await open(join(keptDir, buildFiles.arena));
    return { file, bodies: new Map(rows.map(([, , hash, offset, ...lengths]) => [hash, { file, offset, lengths }])) };
  } catch {
    return undefined; // There was no build before, or not a whole one.
  }
}

/** The arena that is kept; empty where there is none of this format. */
export async function openKeptArena(keptDir: string): Promise<KeptArena> {
  const kept = await readKept(keptDir);
  return {
    bodies: kept?.bodies ?? new Map(),
    hashOf: new Map(),
    async drop() {
      await kept?.file.close();
      for (const part of parts) rmSync(join(keptDir, part), { force: true });
    },
  };
}
