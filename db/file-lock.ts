import { type Client, createClient, type Transaction } from '@libsql/client/sqlite3';
import { fileUrlOf } from './connection.ts';
import { DatabaseUnavailableError, faultOf } from './unavailable.ts';

/**
 * Locks a file against other processes until the lock is released or the process ends in any way;
 * the operating system holds the lock. The file must exist, and be empty or have been locked
 * before.
 * @throws {DatabaseUnavailableError} `in_use` if another process has the lock
 */
export async function lockFile(file: string): Promise<{ release(): void }> {
  let client: Client | undefined;
  let transaction: Transaction;
  try {
    client = createClient({ url: fileUrlOf(file), concurrency: 1, timeout: 0 });
    transaction = await client.transaction('write');
  } catch (error) {
    client?.close();
    const fault = faultOf(error);
    const reason = fault.target === 'statement' ? 'unreachable' : fault.reason;
    throw new DatabaseUnavailableError(reason === 'busy' ? 'in_use' : reason, { cause: error });
  }
  return {
    release() {
      transaction.close();
      client.close();
    },
  };
}
