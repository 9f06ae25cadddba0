import { readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { ARENA_FORMAT, type ArenaIndex, buildFiles } from './arena.ts';
import type { Lengths } from './pack.ts';

/** The location of the consecutive bodies of one content hash. */
export interface KeptBody {
  file: FileHandle;
  offset: number;
  lengths: Lengths;
}

/** The previous build's arena, which supplies the compressed bodies of unchanged files. */
export interface KeptArena {
  /** Bodies that are already packed, by content hash. */
  bodies: Map<string, KeptBody>;
  /** Content hashes of files that were packed in this build, by their absolute path. */
  hashOf: Map<string, string>;
  close: () => Promise<void>;
}

async function readKept(
  release: string,
): Promise<{ file: FileHandle; bodies: KeptArena['bodies'] } | undefined> {
  try {
    const { format, rows } = JSON.parse(
      readFileSync(join(release, buildFiles.index), 'utf8'),
    ) as ArenaIndex;
    if (format !== ARENA_FORMAT) return undefined;
    const file = await open(join(release, buildFiles.arena));
    return {
      file,
      bodies: new Map(
        rows.map(([, , hash, offset, ...lengths]) => [hash, { file, offset, lengths }]),
      ),
    };
  } catch {
    return undefined; // It may have another format, or have been deleted.
  }
}

/** The arena of a release; empty without a release in this format. */
export async function openKeptArena(release: string | undefined): Promise<KeptArena> {
  const kept = release === undefined ? undefined : await readKept(release);
  return {
    bodies: kept?.bodies ?? new Map<string, KeptBody>(),
    hashOf: new Map(),
    close: async () => kept?.file.close(),
  };
}
