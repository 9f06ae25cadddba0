import type { Database } from '../../db/index.ts';
import { onceFor } from '../site/once-for.ts';
import type { Context } from './context.ts';
import { networkOf } from './network-of-address.ts';
import type { Call } from './operation.ts';

/** Maximum number of waiting callers, in this process and from one address (IPv6: its /64). */
const MAX_WAITS = 2_000;
const MAX_PER_ADDRESS = 4;
/** Polling interval for changes by other processes, in ms. */
const LOOK_MS = 1_000;
/**
 * Maximum duration of a wait, less than a replaced release is kept; clients that still wait ask
 * again.
 */
const MAX_FOLLOW_MS = 150_000;

/** A version of a record: equal while nothing has changed. */
type Version = string | number;

/** Records of one kind that callers can wait for. */
export interface Watchable {
  /** The stored versions of these records. */
  versions: (
    names: readonly string[],
    database: Database,
  ) => Promise<readonly { name: string; version: Version }[]>;
}

/** A caller who waits for a change of a record. */
interface Waiter {
  /** The version that the caller knows; undefined before the first wait. */
  version: Version | undefined;
  changed: boolean;
  wake: () => void;
}

/** The slot of a waiting caller. */
interface WaitingPlace {
  /** Whether waiting has ended: the service is stopping, or the caller disconnected. */
  readonly over: boolean;
  /**
   * Resolves when the record has another version, when waiting has ended, or after a timeout in ms.
   */
  change: (version: Version, ms: number) => Promise<void>;
  /** Frees the slot. */
  leave: () => void;
}

/**
 * The callers in this process that wait for a change of a record. A call of `changed` wakes them
 * immediately; other writes, including those of other processes, are polled for once a second, for
 * all records of a kind together and only while somebody waits.
 */
class Waits {
  readonly #database: Database;
  readonly #byKind = new Map<Watchable, Map<string, Set<Waiter>>>();
  readonly #byNetwork = new Map<string, number>();
  #count = 0;
  #closed = false;
  #looking = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * A slot for a caller; undefined if too many wait or the service is stopping. A caller without an
   * address has no limit per address.
   */
  enter(
    kind: Watchable,
    name: string,
    { address, signal }: Pick<Call, 'address' | 'signal'>,
  ): WaitingPlace | undefined {
    const network = address === undefined ? undefined : networkOf(address);
    const others = network === undefined ? 0 : (this.#byNetwork.get(network) ?? 0);
    if (this.#closed || this.#count >= MAX_WAITS || others >= MAX_PER_ADDRESS) return undefined;
    if (network !== undefined) this.#byNetwork.set(network, others + 1);
    this.#count++;
    const waiter: Waiter = { version: undefined, changed: false, wake: () => undefined };
    const byName = this.#byKind.get(kind) ?? new Map<string, Set<Waiter>>();
    this.#byKind.set(kind, byName);
    const waiters = byName.get(name) ?? new Set();
    byName.set(name, waiters.add(waiter));
    const gone = () => waiter.wake();
    signal?.addEventListener('abort', gone);
    void this.#look();
    const isOver = () => this.#closed || signal?.aborted === true;
    return {
      get over() {
        return isOver();
      },
      async change(version, ms) {
        waiter.version = version;
        if (!waiter.changed && !isOver())
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, ms);
            waiter.wake = () => {
              clearTimeout(timer);
              resolve();
            };
          });
        waiter.changed = false;
      },
      leave: () => {
        signal?.removeEventListener('abort', gone);
        waiters.delete(waiter);
        if (!waiters.size) byName.delete(name);
        this.#count--;
        if (network === undefined) return;
        const left = this.#byNetwork.get(network)! - 1;
        if (left) this.#byNetwork.set(network, left);
        else this.#byNetwork.delete(network);
      },
    };
  }

  /** Wakes callers that wait for a record and know another version of it. */
  changed(kind: Watchable, name: string, version: Version): void {
    for (const waiter of this.#byKind.get(kind)?.get(name) ?? [])
      if (waiter.version !== version) {
        waiter.changed = true;
        waiter.wake();
      }
  }

  /** Ends all waiting permanently. */
  close(): void {
    this.#closed = true;
    for (const byName of this.#byKind.values())
      for (const waiters of byName.values()) for (const { wake } of waiters) wake();
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
      if (!this.#count || this.#closed) break;
      for (const [kind, byName] of this.#byKind) {
        if (!byName.size) continue;
        // Waiting callers find out at the end that the database does not respond.
        const found = await kind.versions([...byName.keys()], this.#database).catch(() => []);
        for (const { name, version } of found) this.changed(kind, name, version);
      }
    }
    this.#looking = false;
  }
}

/** The callers who wait for changes in a database, across releases of the program. */
export const waitsOn = onceFor((database: Database) => new Waits(database));

/** A record as read, and for how many ms it stays unchanged without a write. */
interface Reading<Value> {
  value: Value;
  version: Version;
  lapsesMs?: number;
}

/**
 * Yields a record, and again after each change, whoever makes it, or when something in it lapses.
 * Ends after 150 seconds, when the caller disconnects, when the service stops, and immediately if
 * too many callers wait. Throws what `read` throws.
 */
export async function* follow<Value>(
  kind: Watchable,
  name: string,
  read: () => Promise<Reading<Value>>,
  call: Pick<Call, 'address' | 'signal'>,
  { database }: Pick<Context, 'database'>,
): AsyncGenerator<Value, void, undefined> {
  const place = waitsOn(database).enter(kind, name, call);
  if (!place) return;
  const end = performance.now() + MAX_FOLLOW_MS;
  try {
    while (!place.over) {
      const { value, version, lapsesMs = Infinity } = await read();
      yield value;
      const left = end - performance.now();
      if (left <= 0) return;
      await place.change(version, Math.min(left, lapsesMs));
    }
  } finally {
    place.leave();
  }
}
