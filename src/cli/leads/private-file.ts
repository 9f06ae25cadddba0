import { constants } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { PRIVATE_MODE } from '../../../db/private-files.ts';
import { Problem } from '../../operation/problem.ts';

const { O_CREAT, O_WRONLY } = constants;

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );

/** Removes an incomplete file; a pipe or device is kept. */
export async function removeFile(path: string): Promise<void> {
  if (await isFile(path)) await rm(path, { force: true });
}

/**
 * Opens an empty file, which only its owner can read, for personal data. Replaces an existing file
 * only on request; opens a pipe or device as is. @throws {Problem} conflict when the file exists
 * and must not be replaced @throws EPERM, before anything is deleted, for another user's file
 */
export async function openPrivateFile(path: string, overwrite: boolean): Promise<FileHandle> {
  if (!overwrite && (await isFile(path)))
    throw new Problem(
      'conflict',
      `${path} already exists. Choose another file, or add --overwrite to replace it.`,
    );
  const file = await open(path, O_WRONLY | O_CREAT, PRIVATE_MODE);
  try {
    if ((await file.stat()).isFile()) {
      await file.chmod(PRIVATE_MODE);
      await file.truncate();
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
