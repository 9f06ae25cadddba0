import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { PRIVATE } from '../../../db/private-files.ts';

const { O_CREAT, O_WRONLY } = constants;

/**
 * Opens a file for personal data, empty and readable by its owner only, also where a file with another mode is there. A
 * pipe or device is opened as it is. @throws EPERM, before anything is deleted, for a file of another user
 */
export async function openPrivate(path: string): Promise<FileHandle> {
  const file = await open(path, O_WRONLY | O_CREAT, PRIVATE);
  try {
    if ((await file.stat()).isFile()) {
      await file.chmod(PRIVATE);
      await file.truncate();
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
