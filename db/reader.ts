import { setTimeout as wait } from 'node:timers/promises';
import type { ResultSet } from '@libsql/client';
import type { Statement } from './client.ts';
import type { Connection } from './connection.ts';
import { DatabaseUnavailableError, faultOf } from './unavailable.ts';
import { computeBackoffMs } from './writer.ts';

/** How long a read keeps retrying, in ms. */
const MAX_RETRY_MS = 1_000;

/**
 * Reads from one snapshot, and retries after a database fault. @throws {DatabaseUnavailableError},
 * or the statement's error
 */
export async function readWithRetry(
  connection: Connection,
  statements: Statement[],
): Promise<ResultSet[]> {
  const deadline = performance.now() + MAX_RETRY_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      const client = await connection.getClient();
      const [first, ...others] = statements;
      if (first && !others.length && !Array.isArray(first)) return [await client.execute(first)];
      return await client.batch(statements, 'deferred');
    } catch (error) {
      const fault = faultOf(error);
      if (fault.target === 'statement') throw error;
      connection.invalidate();
      const isRetryable = fault.reason === 'busy' || fault.reason === 'unreachable';
      if (!isRetryable || performance.now() > deadline)
        throw new DatabaseUnavailableError(fault.reason, { cause: error });
      await wait(computeBackoffMs(attempt));
    }
  }
}
