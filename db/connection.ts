import { createClient, type Client } from '@libsql/client/sqlite3';
import { identifyFile } from './identity.ts';
import { BUSY_TIMEOUT_MS, pragmas } from './pragmas.ts';
import { DatabaseUnavailableError } from './unavailable.ts';

/** A connection that is reopened after a fault. */
export interface Connection {
  /**
   * A working client, after reconnecting if necessary. @throws {DatabaseUnavailableError} or the
   * client's error
   */
  getClient: () => Promise<Client>;
  /** Makes the next call to `getClient` reconnect. */
  invalidate: () => void;
  close: () => void;
}

/**
 * A read-only connection to a file. A failed step leaves an unfinished statement behind
 * (libsql-client-ts issue 352), so call `invalidate` after every database error.
 */
export function connectFile(path: string, check: (client: Client) => Promise<void>): Connection {
  let client: Client | undefined;
  let pendingConnection: Promise<Client> | undefined;
  let identity: string | undefined;
  let isClosed = false;

  const connect = async () => {
    identity = undefined;
    // Checked first, because opening a missing file would create an empty one.
    if (!identifyFile(path)) throw new DatabaseUnavailableError('gone');
    if (client) client.reconnect();
    else client = createClient({ url: fileUrlOf(path), concurrency: 1, timeout: BUSY_TIMEOUT_MS });
    await client.executeMultiple(`${pragmas} PRAGMA query_only=ON;`);
    await check(client);
    identity = identifyFile(path);
    return client;
  };

  return {
    async getClient() {
      if (isClosed) throw new DatabaseUnavailableError('closed');
      if (client && identity && !pendingConnection && identity === identifyFile(path))
        return client;
      return (pendingConnection ??= connect().finally(() => (pendingConnection = undefined)));
    },
    invalidate() {
      identity = undefined;
    },
    close() {
      isClosed = true;
      client?.close();
    },
  };
}

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * A libsql-server client, loaded on demand because a file database does not need it. The library
 * itself sets no timeout.
 */
export async function createRemoteClient(url: string, authToken?: string): Promise<Client> {
  const { createClient: createHttpClient } = await import('@libsql/client/http');
  return createHttpClient({
    url,
    authToken,
    fetch: (request: Request) =>
      fetch(request, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }),
  });
}

/** A connection to libsql-server. It never reconnects because each request is independent. */
export async function connectRemote(url: string, authToken?: string): Promise<Connection> {
  const client = await createRemoteClient(url, authToken);
  return { getClient: async () => client, invalidate() {}, close: () => client.close() };
}

/** The `file:` URL of a path, in the library's format. */
export const fileUrlOf = (path: string): string =>
  `file:${path.split('/').map(encodeURIComponent).join('/')}`;

/**
 * The path in a `file:` URL; undefined for a remote database. @throws {TypeError} for an in-memory
 * database, which could have only one connection
 */
export function filePathOf(url: string): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  const path = decodeURIComponent(url.slice('file:'.length).replace(/^\/\/(localhost)?(?=\/)/, ''));
  if (!path || path.includes('?') || path.startsWith(':memory:'))
    throw new TypeError(
      'The database URL must be file: followed by a file path, such as file:./data/frontage.db.',
    );
  return path;
}
