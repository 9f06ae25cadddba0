import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { hashContent } from './arena.ts';

/** Minimum size for compression, in bytes; a smaller body fits in one packet either way. */
const MIN_BYTES = 600;

/** A content coding is stored only if it saves at least a tenth of the size. */
const isWorthStoring = (encodedBody: Uint8Array, body: Uint8Array): boolean =>
  encodedBody.length < body.length * 0.9;

/** Files to pack, and whether their media type is compressible. */
export type PackJob = readonly { file: string; compressible: boolean }[];

/** Sizes in bytes of the consecutive identity, gzip and brotli bodies; 0 if not stored. */
export type BodyLengths = readonly [identity: number, gzip: number, brotli: number];

/** Total size in bytes of all bodies of a file. */
export const sumLengths = (lengths: BodyLengths): number => lengths[0] + lengths[1] + lengths[2];

/** The bodies and, for each file, its hash and lengths; no lengths if it was stored before. */
export interface PackResult {
  bytes: Uint8Array<ArrayBuffer>;
  entries: [hash: string, lengths?: BodyLengths][];
}

function compressWithBrotli(body: Buffer): Buffer {
  // A window no larger than the body saves most of the encoder’s setup; above quality 5, each saved
  // byte costs much more time.
  const windowBits = Math.min(22, Math.max(10, Math.ceil(Math.log2(body.length + 16))));
  return brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_LGWIN]: windowBits,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}

/**
 * Reads, hashes and compresses files in order; a file with a hash in `packedHashes` is only hashed.
 * The synchronous codecs cost less than a thread pool. Increment ARENA_FORMAT with any change to
 * the output.
 */
export function pack(files: PackJob, packedHashes: { has: (hash: string) => boolean }): PackResult {
  const chunks: Buffer[] = [];
  const entries = files.map(({ file, compressible }): PackResult['entries'][number] => {
    const body = readFileSync(file);
    const hash = hashContent(body);
    if (packedHashes.has(hash)) return [hash];
    const encodedBodies =
      compressible && body.length >= MIN_BYTES
        ? { gzip: gzipSync(body, { level: 9 }), br: compressWithBrotli(body) }
        : undefined;
    const gzip =
      encodedBodies && isWorthStoring(encodedBodies.gzip, body) ? encodedBodies.gzip : undefined;
    const br =
      encodedBodies && isWorthStoring(encodedBodies.br, body) ? encodedBodies.br : undefined;
    chunks.push(body, ...(gzip ? [gzip] : []), ...(br ? [br] : []));
    return [hash, [body.length, gzip?.length ?? 0, br?.length ?? 0]];
  });
  // Unlike small buffers, the array has its own memory, which a worker thread can transfer.
  return { bytes: new Uint8Array(Buffer.concat(chunks)), entries };
}
