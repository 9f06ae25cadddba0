import { accessSync, constants, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseUnavailableError } from './unavailable.ts';

const formatForbiddenText = (path: string): string =>
  `this user has no permission to read ${path}; grant it, or run the program as another user.`;

/** The status of a path; undefined if nothing is there, `forbidden` if a parent folder hides it. */
function statusOf(path: string): Stats | 'forbidden' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return 'forbidden';
  }
}

/**
 * Why no database file can exist at an absolute path; undefined if one can. A missing folder is a
 * problem unless `createsFolder` is set: its name is probably misspelled, and a new database in it
 * would hide the existing one.
 */
function findPathProblem(path: string, createsFolder: boolean): string | undefined {
  let part = path;
  let status = statusOf(part);
  const isForbidden = status === 'forbidden';
  for (; status === 'forbidden' || !status; status = statusOf(part)) part = dirname(part);
  const isFullPath = part === path;
  if (isFullPath && status.isDirectory())
    return `${path} is a folder; set DATABASE_URL to a file in it.`;
  if (!isFullPath && !status.isDirectory())
    return `${part} is a file, not a folder, so it cannot contain ${path}; set DATABASE_URL to another path.`;
  if (isForbidden) return formatForbiddenText(part);
  const folder = dirname(path);
  if (!createsFolder && part !== path && part !== folder)
    return `there is no folder ${folder}; correct DATABASE_URL, or create the folder for a new database: mkdir -p -m 700 '${folder}'.`;
  try {
    if (isFullPath) accessSync(path, constants.R_OK);
  } catch {
    return formatForbiddenText(path);
  }
  return undefined;
}

/**
 * Checks whether a database file exists, or can be created, at a path. @throws
 * {DatabaseUnavailableError} `unreachable`, with the path and the reason
 */
export function requireUsablePath(path: string, createsFolder: boolean): void {
  const problem = findPathProblem(resolve(path), createsFolder);
  if (problem !== undefined) throw new DatabaseUnavailableError('unreachable', { problem });
}
