import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { getSystemErrorName } from 'node:util';
import { rename, rm, writeFile } from 'node:fs/promises';
import { isInside } from '../build/build-root.ts';

const DISK_FULL_TEXT = 'The disk is full. Free some space, or choose a path on another disk.';

const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder. Check the path.',
  ENOTDIR: 'Part of the path is a file, not a folder. Choose another path.',
  EISDIR: 'The path is a folder. Choose a file in that folder.',
  EEXIST: 'This path already exists. Choose another path.',
  EACCES: 'Permission denied. Change the permissions, or choose another path.',
  EPERM: 'Permission denied. Change the permissions, or choose another path.',
  EROFS: 'The file system is read-only. Choose another path.',
  ENOSPC: DISK_FULL_TEXT,
  EDQUOT: DISK_FULL_TEXT,
};

/**
 * The code that only the message of a system error contains, as in errors from Rust code such as
 * Vite’s bundler.
 */
function findCodeInText({ message = '' }: Partial<Error>): string | undefined {
  const [, number] = /\(os error (\d+)\)/.exec(message) ?? [];
  return number === undefined ? undefined : getSystemErrorName(-Number(number));
}

/**
 * Explains a system error about a file and what to do; undefined for any other error. Errors from
 * writing to an open file do not include its path, so `path` provides it.
 */
export function describeFileError(error: unknown, path?: string): string | undefined {
  const { code = '', path: pathInError = path } = error as NodeJS.ErrnoException;
  const folder = pathInError && dirname(pathInError);
  if (code === 'ENOENT' && folder && !existsSync(folder))
    return `There is no folder ${folder}. Check the path, or create the folder.`;
  const sentence = sentences[code] ?? sentences[findCodeInText(error as Error) ?? ''];
  return sentence && (pathInError === undefined ? sentence : `${pathInError}: ${sentence}`);
}

/**
 * How to make this user the owner of a folder's content again if root owns the path that denied
 * access, for example because a command once ran as root; undefined otherwise.
 */
export function describeRootOwnership(error: unknown, folder: string): string | undefined {
  const { code = '', path = folder } = error as NodeJS.ErrnoException;
  if (!['EACCES', 'EPERM'].includes(code) || process.getuid?.() === 0) return undefined;
  const root = resolve(folder);
  let part = resolve(path);
  while (!existsSync(part)) part = dirname(part);
  const isInFolder = part === root || part.startsWith(`${root}/`);
  if (!isInFolder || statSync(part).uid !== 0) return undefined;
  return `${part} belongs to root, perhaps because a command ran as root. As root, run chown -R ${process.getuid?.()} '${root}'.`;
}

/**
 * If the build folder is in the program's folder, where Astro also writes: how to fix an error about
 * a file outside the build folder; undefined for any other error.
 */
export function describeWriteOutside(error: unknown, outDir: string): string | undefined {
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (!['EACCES', 'EPERM', 'EROFS'].includes(code) || path === undefined) return undefined;
  if (!isInside(resolve(outDir), resolve('.')) || isInside(resolve(path), resolve(outDir)))
    return undefined;
  return `A build into ${outDir}, which is in the program’s folder, also writes to that folder, and this user cannot write to ${path}. Set OUT_DIR to a folder outside it.`;
}

/** Writes a file completely or, if that fails, leaves the existing file unchanged. */
export async function writeFileAtomically(path: string, text: string): Promise<void> {
  const temporaryPath = `${path}.unfinished`;
  try {
    await writeFile(temporaryPath, text);
    await rename(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true }).catch(() => undefined);
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
}
