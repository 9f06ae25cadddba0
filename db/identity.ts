import { statSync } from 'node:fs';

const identityOf = (path: string): string | undefined => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
};

/**
 * Identifies the file at a path, with its log; undefined if there is none. Writes to a deleted or
 * replaced open file are lost, so this is checked before a connection is used and before a write is
 * acknowledged.
 */
export function identify(path: string): string | undefined {
  try {
    const file = identityOf(path);
    return file && `${file} ${identityOf(`${path}-wal`)}`;
  } catch {
    return undefined;
  }
}
