import { readSync, writeSync } from 'node:fs';

/** Size of the write buffer, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Creates a writer that appends to an open file from memory and from other files. A large network
 * has tens of thousands of small bodies, so they are buffered, and they are read synchronously to
 * avoid a promise for each one.
 */
export function createArenaWriter(targetFd: number) {
  const buffer = Buffer.allocUnsafe(MAX_BYTES);
  let bufferedBytes = 0;
  const write = (bytes: Uint8Array) => {
    for (let writtenBytes = 0; writtenBytes < bytes.length;)
      writtenBytes += writeSync(targetFd, bytes, writtenBytes, bytes.length - writtenBytes);
  };
  const flush = () => {
    write(buffer.subarray(0, bufferedBytes));
    bufferedBytes = 0;
  };
  const ensureCapacity = (length: number) => {
    if (bufferedBytes + length > MAX_BYTES) flush();
  };
  return {
    append(bytes: Uint8Array): void {
      ensureCapacity(bytes.length);
      if (bytes.length > MAX_BYTES) {
        write(bytes);
        return;
      }
      buffer.set(bytes, bufferedBytes);
      bufferedBytes += bytes.length;
    },
    copy(sourceFd: number, offset: number, length: number): void {
      for (let copiedBytes = 0; copiedBytes < length;) {
        const partLength = Math.min(MAX_BYTES, length - copiedBytes);
        ensureCapacity(partLength);
        const readBytes = readSync(
          sourceFd,
          buffer,
          bufferedBytes,
          partLength,
          offset + copiedBytes,
        );
        if (readBytes === 0)
          throw new Error('The previous release was truncated during the build. Build again.');
        bufferedBytes += readBytes;
        copiedBytes += readBytes;
      }
    },
    flush,
  };
}
