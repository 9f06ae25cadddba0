import { statSync } from 'node:fs';
import { createClient, type Client } from '@libsql/client';
import { DatabaseUnavailable } from './unavailable.ts';

/** A connection that is made again after a fault. */
export interface Connection {
  /** A client on which the last statement did not fail. @throws {DatabaseUnavailable} or the client's error */
  ready(): Promise<Client>;
  /** Whether what was written stands where it was meant to; asked before a write is acknowledged. @throws {DatabaseUnavailable} */
  verify(): void;
  /** The next `ready` connects anew. */
  distrust(): void;
  close(): void;
}

/** The PRAGMAs of one connection to a file; they do not outlive it. FULL: a commit is on the disk before it is acknowledged. secure_delete: what was erased is overwritten. */
const pragmas = 'PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY; PRAGMA secure_delete=ON;';

/** Time that one statement waits for another writer, in ms. It blocks the event loop, so it is short and retries are made outside. */
const busyTimeout = 100;

const identityOf = (path: string) => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
};

/**
 * A connection to a file. A failed step leaves an unfinished statement behind, and then later commits on the same connection
 * are acknowledged and never made (libsql-client-ts issue 352): so `distrust` after every fault of the database.
 */
export function connectFile(path: string, check: (client: Client) => Promise<void>, more = ''): Connection {
  let client: Client | undefined;
  let connecting: Promise<Client> | undefined;
  let identity: string | undefined;
  let closed = false;

  // An open file that was deleted or replaced takes writes that nobody will find again.
  const identify = () => {
    try {
      const file = identityOf(path);
      return file && `${file} ${identityOf(`${path}-wal`)}`;
    } catch {
      return undefined;
    }
  };

  const connect = async () => {
    identity = undefined;
    // Opening would make an empty file.
    if (!identify()) throw new DatabaseUnavailable('gone');
    if (client) client.reconnect();
    else client = createClient({ url: fileUrl(path), concurrency: 1, timeout: busyTimeout });
    await client.executeMultiple(pragmas + more);
    await check(client);
    identity = identify();
    return client;
  };

  return {
    async ready() {
      if (closed) throw new DatabaseUnavailable('closed');
      if (client && identity && !connecting && identity === identify()) return client;
      return (connecting ??= connect().finally(() => (connecting = undefined)));
    },
    verify() {
      if (identify() === identity) return;
      identity = undefined;
      throw new DatabaseUnavailable('gone');
    },
    distrust() {
      identity = undefined;
    },
    close() {
      closed = true;
      client?.close();
    },
  };
}

/** Time that one request to a remote server may take, in ms. */
const requestTimeout = 10_000;

/** A client of libsql-server; the library has no time limit of its own. */
export const remoteClient = (url: string, authToken?: string): Client =>
  createClient({ url, authToken, fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(requestTimeout) }) });

/** A connection to libsql-server; it needs no care, requests stand alone. */
export function connectRemote(url: string, authToken?: string): Connection {
  const client = remoteClient(url, authToken);
  return { ready: async () => client, verify() {}, distrust() {}, close: () => client.close() };
}

/** The `file:` URL of a path, as the library reads it. */
export const fileUrl = (path: string): string => `file:${path.split('/').map(encodeURIComponent).join('/')}`;

/** The path of a `file:` URL; undefined for a remote database. @throws {TypeError} for a database in memory, which has one connection only */
export function filePath(url: string): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  const path = decodeURIComponent(url.slice('file:'.length).replace(/^\/\/(localhost)?(?=\/)/, ''));
  if (!path || path.includes('?') || path.startsWith(':memory:')) throw new TypeError('The database URL must be file: and the path of a file, for example file:./data/frontage.db.');
  return path;
}
