import { readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { ARENA_FORMAT, type ArenaIndex, buildFiles } from './arena.ts';
import type { Lengths } from './pack.ts';

/** The location of the consecutive bodies with one content hash. */
export interface PackedBody {
  file: FileHandle;
  offset: number;
  lengths: Lengths;
}

/** The previous build's arena, which supplies the compressed bodies of unchanged files. */
export interface PreviousArena {
  /** Bodies that are already packed, by content hash. */
  bodies: Map<string, PackedBody>;
  /** Content hashes of files that were packed during this build, by absolute path. */
  hashesByFile: Map<string, string>;
  close: () => Promise<void>;
}

async function readPrevious(
  release: string,
): Promise<{ file: FileHandle; bodies: PreviousArena['bodies'] } | undefined> {
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
    return undefined; // The arena may have a different format or have been deleted.
  }
}

/** The arena of a release; empty without a release in this format. */
export async function openPreviousArena(release: string | undefined): Promise<PreviousArena> {
  const previous = release === undefined ? undefined : await readPrevious(release);
  return {
    bodies: previous?.bodies ?? new Map<string, PackedBody>(),
    hashesByFile: new Map(),
    close: async () => previous?.file.close(),
  };
}
