import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents one by one, with the given mode: a recursive mkdir never returns
 * on a file system that does not allow new folders, such as /proc. @throws the system error
 */
export function createFolders(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return;
  createFolders(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process that is starting may have created the folder.
    if (!existsSync(folder)) throw error;
  }
}
