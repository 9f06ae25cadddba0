import { readSync, writeSync } from 'node:fs';

/** Size of the write buffer, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Creates a writer that appends to an open file, from memory and from other files. A large network
 * has tens of thousands of small bodies, so they are buffered, and read synchronously to avoid a
 * promise for each.
 */
export function arenaWriter(to: number) {
  const buffer = Buffer.allocUnsafe(MAX_BYTES);
  let buffered = 0;
  const write = (bytes: Uint8Array) => {
    for (let written = 0; written < bytes.length;)
      written += writeSync(to, bytes, written, bytes.length - written);
  };
  const flush = () => {
    write(buffer.subarray(0, buffered));
    buffered = 0;
  };
  const makeRoom = (length: number) => {
    if (buffered + length > MAX_BYTES) flush();
  };
  return {
    append(bytes: Uint8Array): void {
      makeRoom(bytes.length);
      if (bytes.length > MAX_BYTES) {
        write(bytes);
        return;
      }
      buffer.set(bytes, buffered);
      buffered += bytes.length;
    },
    copy(from: number, offset: number, length: number): void {
      for (let copied = 0; copied < length;) {
        const part = Math.min(MAX_BYTES, length - copied);
        makeRoom(part);
        const read = readSync(from, buffer, buffered, part, offset + copied);
        if (read === 0)
          throw new Error(
            'A body from an earlier build is truncated. Remove node_modules/.astro and build again.',
          );
        buffered += read;
        copied += read;
      }
    },
    flush,
  };
}
