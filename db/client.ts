import type { Client, InArgs, InStatement } from '@libsql/client';

export type Statement = InStatement | [string, InArgs?];

/** A `Client` for drizzle that runs every statement through `batch`. */
export function createBatchClient(
  batch: Client['batch'],
  protocol: string,
  close: () => void,
): Client {
  const createUnsupportedMethod = (operationName: string) => (): never => {
    throw new Error(
      `${operationName} is not supported here: use single statements and batches, which are atomic.`,
    );
  };
  return {
    protocol,
    closed: false,
    execute: async (statement: InStatement, args?: InArgs) => {
      const [result] = await batch([
        args && typeof statement === 'string' ? { sql: statement, args } : statement,
      ]);
      if (!result) throw new Error('The database returned no result.');
      return result;
    },
    batch,
    migrate: createUnsupportedMethod('migrate'),
    // An interactive transaction would block the writer until its caller commits.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the interface requires it
    transaction: createUnsupportedMethod('An interactive transaction'),
    executeMultiple: createUnsupportedMethod('executeMultiple'),
    sync: createUnsupportedMethod('sync'),
    reconnect: createUnsupportedMethod('reconnect'),
    close,
  };
}
