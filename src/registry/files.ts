import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** True for paths of editor schemas and of dotfiles, such as .git, in a registry folder. */
export const isIgnoredPath = (file: string): boolean =>
  /^schema(?:\/|$)/.test(file) || /(?:^|\/)\./.test(file);

/** A file in a registry folder; `problem` is set if it cannot be read. */
export interface RegistryFile {
  /** Path in the folder, with `/` as the separator. */
  file: string;
  problem?: string;
}

/**
 * Describes an error that occurred while reading a folder entry.
 * @throws the error if it does not come from the file system
 */
export function describeReadError(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case undefined:
      throw error;
    case 'ENOENT':
    case 'ENOTDIR':
      return 'is a link to a file that does not exist. Correct or remove the link.';
    case 'ELOOP':
      return 'is a link that points back to itself. Correct or remove the link.';
    case 'EACCES':
    case 'EPERM':
      return 'cannot be read, because permission is denied. Change its permissions.';
    default:
      return `cannot be read (${code}). Check the file and its disk.`;
  }
}

function listEntries(dir: string, file: string, ancestors: readonly string[]): RegistryFile[] {
  try {
    const path = join(dir, file);
    const stat = statSync(path);
    if (stat.isFile()) return [{ file }];
    if (!stat.isDirectory())
      return [{ file, problem: 'is neither a file nor a folder. Remove it.' }];
    if (/\.(?:ya?ml|json|md)$/i.test(file))
      return [{ file, problem: 'is a folder with the name of a file. Rename or remove it.' }];
    const realPath = realpathSync(path);
    if (ancestors.includes(realPath))
      return [{ file, problem: 'is a link to a folder that contains it. Remove the link.' }];
    return readdirSync(path)
      .map((name) => (file === '' ? name : `${file}/${name}`))
      .filter((entry) => !isIgnoredPath(entry))
      .flatMap((entry) => listEntries(dir, entry, [...ancestors, realPath]));
  } catch (error) {
    return [{ file, problem: describeReadError(error) }];
  }
}

/** Lists the files in a registry folder, sorted, except ignored ones. Links are followed. */
export const listRegistryFiles = (dir: string): RegistryFile[] =>
  listEntries(dir, '', []).sort((a, b) => (a.file < b.file ? -1 : 1));
