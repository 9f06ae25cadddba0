import { accessSync, constants } from 'node:fs';
import { codeOf } from './error-code.ts';

/**
 * Warnings about a database file that this user cannot write to. Such a file still opens because
 * reads need no write access.
 */
export function findWriteAccessNotices(path: string): string[] {
  try {
    accessSync(path, constants.W_OK);
    return [];
  } catch (error) {
    return [
      `The database ${path} cannot be written to (${codeOf(error)}), so no requests are accepted. Give the user who runs the server write access to the file and its folder, then restart the server.`,
    ];
  }
}
