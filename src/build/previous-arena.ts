import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFileNames, readArenaIndex } from './arena.ts';
import { type BodyLengths, sumLengths } from './pack.ts';

/** The location of the consecutive bodies that share a content hash. */
export interface PackedBody {
  file: FileHandle;
  offset: number;
  lengths: BodyLengths;
}

/** The previous build's arena, which supplies the compressed bodies of unchanged files. */
export interface PreviousArena {
  /** Bodies by content hash, except those missing from a truncated arena. */
  bodies: ReadonlyMap<string, PackedBody>;
  close: () => Promise<void>;
}

async function readPreviousArena(
  release: string,
): Promise<{ file: FileHandle; bodies: PreviousArena['bodies'] } | undefined> {
  try {
    const index = readArenaIndex(release);
    if (!index) return undefined;
    const path = join(release, buildFileNames.arena);
    const file = await open(path);
    const { size } = await file.stat();
    return {
      file,
      bodies: new Map(
        index.rows
          .map(([, , hash, offset, ...lengths]) => [hash, { file, offset, lengths }] as const)
          .filter(([, { offset, lengths }]) => offset + sumLengths(lengths) <= size),
      ),
    };
  } catch {
    return undefined; // The index may be damaged, or the arena may have been deleted.
  }
}

/** The arena of a release; empty if there is no release in this format. */
export async function openPreviousArena(release: string | undefined): Promise<PreviousArena> {
  const previousArena = release === undefined ? undefined : await readPreviousArena(release);
  return {
    bodies: previousArena?.bodies ?? new Map<string, PackedBody>(),
    close: async () => previousArena?.file.close(),
  };
}
