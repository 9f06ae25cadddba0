import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { PRIVATE } from '../../../db/private-files.ts';
import { Problem } from '../../operation/problem.ts';

const { O_CREAT, O_WRONLY } = constants;

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/**
 * Opens a file for personal data, empty and readable by its owner only. A file that is there is
 * replaced only where that is asked for; a pipe or device is opened as it is.
 * @throws {Problem} conflict, when there is a file that is not to be replaced
 * @throws EPERM, before anything is deleted, for a file of another user
 */
export async function openPrivate(path: string, overwrite: boolean): Promise<FileHandle> {
  if (!overwrite && (await isFile(path)))
    throw new Problem(
      'conflict',
      `${path} exists already. Name another file, or add --overwrite to replace it.`,
    );
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
