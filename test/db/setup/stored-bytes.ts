import { execFileSync } from 'node:child_process';

/**
 * The bytes of a database file, or of its log or index, while this process has the database open.
 * Another process reads them: closing a file ends every lock that its process has on it (fcntl(2)).
 * Without that lock, the next process to open the database truncates the index under this one,
 * which a SIGBUS then ends.
 */
export const storedBytes = (path: string): Buffer =>
  execFileSync('cat', [path], { maxBuffer: 1 << 30 });
