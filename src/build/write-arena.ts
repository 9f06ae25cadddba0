import { readSync, writeFileSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ARENA_FORMAT,
  type ArenaIndex,
  type ArenaRow,
  buildFileNames,
  type Policy,
} from './arena.ts';
import type { PackedBody, PreviousArena } from './previous-arena.ts';
import { type BodyLengths, sumLengths } from './pack.ts';
import { packInBatches } from './pack-all.ts';
import type { ServedFile } from './policies.ts';

/** Media types worth compressing. */
const COMPRESSIBLE_TYPE_PATTERN =
  /^text\/|^application\/(?:.*\+)?(?:json|xml|javascript|manifest)\b|^image\/svg\+xml|^font\/[ot]tf/;

export interface ArenaInput extends Pick<ArenaIndex, 'base' | 'generatedAt' | 'redirects'> {
  outDir: string;
  /** The folder that contains the files. */
  clientDir: string;
  files: readonly ServedFile[];
  /** Bodies that are already packed. */
  previous: Pick<PreviousArena, 'bodies'>;
}

function readPreviousBody({ file, offset, lengths }: PackedBody): Uint8Array {
  const bytes = Buffer.allocUnsafe(sumLengths(lengths));
  if (readSync(file.fd, bytes, 0, bytes.length, offset) < bytes.length)
    throw new Error('The previous release was truncated during the build. Build again.');
  return bytes;
}

/**
 * Writes the bodies and the index for the memory tier; identical bodies are stored once. Bodies are
 * read and written synchronously: a large network has tens of thousands of small ones, and a
 * promise for each would take longer.
 */
export async function writeArena({
  outDir,
  clientDir,
  base,
  generatedAt,
  redirects,
  files,
  previous,
}: ArenaInput): Promise<ArenaIndex> {
  const policies = [...new Set(files.map((file) => file.policy))];
  const policyNumbers = new Map<Policy, number>(policies.map((policy, number) => [policy, number]));
  const rows: ArenaRow[] = [];
  const bodiesByHash = new Map<string, readonly [offset: number, ...BodyLengths]>();
  const filesToPack = files.map(({ file, policy }) => ({
    file: join(clientDir, file),
    compressible: COMPRESSIBLE_TYPE_PATTERN.test(policy.mediaType),
  }));
  const arena = await open(join(outDir, buildFileNames.arena), 'w');
  let arenaLength = 0;
  const addBody = (hash: string, lengths: BodyLengths, bytes: Uint8Array) => {
    if (bodiesByHash.has(hash)) return;
    writeFileSync(arena.fd, bytes);
    bodiesByHash.set(hash, [arenaLength, ...lengths]);
    arenaLength += bytes.length;
  };
  try {
    const packedHashes = new Set(previous.bodies.keys());
    for await (const { bytes, entries } of packInBatches(filesToPack, packedHashes)) {
      let offset = 0;
      for (const [hash, lengths] of entries) {
        if (lengths) {
          const end = offset + sumLengths(lengths);
          addBody(hash, lengths, bytes.subarray(offset, end));
          offset = end;
        } else if (!bodiesByHash.has(hash)) {
          const body = previous.bodies.get(hash)!;
          addBody(hash, body.lengths, readPreviousBody(body));
        }
        const { path, policy } = files[rows.length]!;
        rows.push([path, policyNumbers.get(policy)!, hash, ...bodiesByHash.get(hash)!]);
      }
    }
  } finally {
    await arena.close();
  }
  const index: ArenaIndex = { format: ARENA_FORMAT, base, generatedAt, policies, redirects, rows };
  await writeFile(join(outDir, buildFileNames.index), JSON.stringify(index));
  return index;
}
