import { statSync } from 'node:fs';

const identityOf = (path: string): string | undefined => {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
};

/**
 * Identifies the file at a path and its log; undefined if there is no file. Writes to an open file
 * that was deleted or replaced are lost, so the identity is checked before a connection is used and
 * before a write is acknowledged.
 */
export function identifyFile(path: string): string | undefined {
  try {
    const file = identityOf(path);
    return file && `${file} ${identityOf(`${path}-wal`)}`;
  } catch {
    return undefined;
  }
}
