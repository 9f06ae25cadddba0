import { rename, rm, writeFile } from 'node:fs/promises';

const FULL_DISK_TEXT = 'The disk is full. Free some space, or choose a path on another disk.';

/** Sentences about file errors, by system error code. */
const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder. Create it first, or choose another path.',
  ENOTDIR: 'A part of the path is a file, not a folder. Choose another path.',
  EISDIR: 'The path is a folder. Choose a file in it.',
  EEXIST: 'This path already exists. Choose another path.',
  EACCES: 'Permission denied. Change the permissions, or choose another path.',
  EPERM: 'Permission denied. Change the permissions, or choose another path.',
  EROFS: 'The file system is read-only. Choose another path.',
  ENOSPC: FULL_DISK_TEXT,
  EDQUOT: FULL_DISK_TEXT,
};

/**
 * Explains a system error about a file and what to do; undefined for any other error. Errors from
 * writing to an open file do not include its path, so `path` provides it.
 */
export function fileErrorText(error: unknown, path?: string): string | undefined {
  const { code = '', path: named = path } = error as NodeJS.ErrnoException;
  const sentence = sentences[code];
  return sentence && (named === undefined ? sentence : `${named}: ${sentence}`);
}

/** Writes a file completely or, if that fails, leaves the existing file unchanged. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = `${path}.unfinished`;
  try {
    await writeFile(unfinished, text);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
}
