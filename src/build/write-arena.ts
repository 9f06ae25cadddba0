import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ARENA_FORMAT,
  type ArenaIndex,
  type ArenaRow,
  buildFileNames,
  type Policy,
} from './arena.ts';
import { createArenaWriter } from './arena-writer.ts';
import type { PreviousArena } from './previous-arena.ts';
import { type BodyLengths, type PackJob, sumLengths } from './pack.ts';
import { packInBatches } from './pack-all.ts';
import type { ServedFile } from './policies.ts';

/** Media types worth compressing. */
const COMPRESSIBLE_TYPE_PATTERN =
  /^text\/|^application\/(?:.*\+)?(?:json|xml|javascript|manifest)\b|^image\/svg\+xml|^font\/[ot]tf/;

export interface ArenaInput {
  /** The build folder. */
  outDir: string;
  /** The folder that contains the files. */
  clientDir: string;
  base: string;
  generatedAt: string;
  redirects: ArenaIndex['redirects'];
  files: readonly ServedFile[];
  /** Bodies that are already packed. */
  previous: Pick<PreviousArena, 'bodies'>;
}

/** A file’s hash and, if it is packed here, its bodies. */
interface Entry {
  hash: string;
  packed?: { bytes: Uint8Array; lengths: BodyLengths };
}

async function* packEntries(
  job: PackJob,
  packedHashes: ReadonlySet<string>,
): AsyncGenerator<Entry, undefined> {
  for await (const { bytes, entries } of packInBatches(job, packedHashes)) {
    let offset = 0;
    for (const [hash, lengths] of entries) {
      const start = offset;
      if (lengths) offset += sumLengths(lengths);
      yield lengths
        ? { hash, packed: { bytes: bytes.subarray(start, offset), lengths } }
        : { hash };
    }
  }
}

/** Writes the bodies and the index for the memory tier; equal bodies are stored once. */
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
  const jobs = files.map(({ file, policy }) => ({
    file: join(clientDir, file),
    compressible: COMPRESSIBLE_TYPE_PATTERN.test(policy.mediaType),
  }));
  const arena = await open(join(outDir, buildFileNames.arena), 'w');
  const writer = createArenaWriter(arena.fd);
  let offset = 0;
  try {
    for await (const { hash, packed } of packEntries(
      { files: jobs },
      new Set(previous.bodies.keys()),
    )) {
      const { path, policy } = files[rows.length]!;
      if (!bodiesByHash.has(hash)) {
        const previousBody = packed ? undefined : previous.bodies.get(hash)!;
        const lengths = packed?.lengths ?? previousBody!.lengths;
        if (previousBody)
          writer.copy(previousBody.file.fd, previousBody.offset, sumLengths(lengths));
        else writer.append(packed!.bytes);
        bodiesByHash.set(hash, [offset, ...lengths]);
        offset += sumLengths(lengths);
      }
      rows.push([path, policyNumbers.get(policy)!, hash, ...bodiesByHash.get(hash)!]);
    }
    writer.flush();
  } finally {
    await arena.close();
  }
  const index: ArenaIndex = { format: ARENA_FORMAT, base, generatedAt, policies, redirects, rows };
  await writeFile(join(outDir, buildFileNames.index), JSON.stringify(index));
  return index;
}
