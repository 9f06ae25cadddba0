import { execFileSync } from 'node:child_process';

/**
 * Bytes of a database file, its log or its index while this process has the database open. Another
 * process reads them, because closing a file releases every lock that this process has on it
 * (fcntl(2)). The next process to open the database would then truncate the index, and this process
 * would end with SIGBUS.
 */
export const readStoredBytes = (path: string): Buffer =>
  execFileSync('cat', [path], { maxBuffer: 1 << 30 });
