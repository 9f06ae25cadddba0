import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Client, createClient, type Transaction } from '@libsql/client';
import { filePath, fileUrl } from './connection.ts';
import { createFile } from './migrate.ts';
import { DatabaseUnavailable, faultOf } from './unavailable.ts';

/** The same name for every way to write the path of a file, which need not exist. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/**
 * Makes this process the only server of a database file until the lock is released or the process ends, however it ends:
 * the operating system holds the lock, on an empty file beside the database. Commands may run beside the server. A remote
 * database may have any number of servers.
 * @throws {DatabaseUnavailable} `in_use` when another server has it
 */
export async function lockForServer(url: string): Promise<{ release(): void }> {
  const path = filePath(url);
  if (!path) return { release() {} };
  const file = `${realPath(path)}.server-lock`;
  createFile(file);
  let client: Client | undefined;
  let held: Transaction;
  try {
    client = createClient({ url: fileUrl(file), concurrency: 1, timeout: 0 });
    held = await client.transaction('write');
  } catch (error) {
    client?.close();
    const fault = faultOf(error);
    const reason = fault.of === 'statement' ? 'unreachable' : fault.reason;
    throw new DatabaseUnavailable(reason === 'busy' ? 'in_use' : reason, { cause: error });
  }
  return {
    release() {
      held.close();
      client?.close();
    },
  };
}
