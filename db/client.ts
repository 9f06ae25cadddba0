import type { Client, InArgs, InStatement } from '@libsql/client';

export type Statement = InStatement | [string, InArgs?];

/** A `Client` as drizzle uses it, built from its two ways to run statements. */
export function clientOf(batch: Client['batch'], protocol: string, close: () => void): Client {
  const refuse = (what: string) => (): never => {
    throw new Error(
      `${what} is not available here: use single statements and batches, which are atomic.`,
    );
  };
  return {
    protocol,
    closed: false,
    execute: async (statement: InStatement, args?: InArgs) => {
      const [result] = await batch([
        args && typeof statement === 'string' ? { sql: statement, args } : statement,
      ]);
      if (!result) throw new Error('The database gave no result.');
      return result;
    },
    batch,
    migrate: refuse('migrate'),
    // An interactive transaction holds the writer while its caller thinks.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- a client has it, and here it is refused
    transaction: refuse('An interactive transaction'),
    executeMultiple: refuse('executeMultiple'),
    sync: refuse('sync'),
    reconnect: refuse('reconnect'),
    close,
  };
}
