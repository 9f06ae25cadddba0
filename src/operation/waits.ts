import type { Database } from '../../db/index.ts';
import { memoize } from '../site/memoize.ts';
import type { Context } from './context.ts';
import { networkOf } from './network-of-address.ts';
import type { Call } from './operation.ts';

/** Maximum number of waiting callers, in this process and from one address (IPv6: its /64). */
const MAX_WAITS = 2_000;
const MAX_PER_ADDRESS = 4;
/** Polling interval for changes by other processes, in ms. */
const POLL_MS = 1_000;
/**
 * Maximum duration of a wait, in ms: shorter than the time for which a replaced release keeps
 * running. Clients that want to wait longer must call again.
 */
const MAX_FOLLOW_MS = 150_000;

/** A version of a record, which stays the same until the record changes. */
type Version = string | number;

/** Records of one kind that callers can wait for. */
export interface Watchable {
  /** Reads the stored versions of these records. */
  readVersions: (
    names: readonly string[],
    database: Database,
  ) => Promise<readonly { name: string; version: Version }[]>;
}

interface Waiter {
  /** The version that the caller has; undefined before the first wait. */
  version: Version | undefined;
  changed: boolean;
  wake: () => void;
}

interface WaitSlot {
  /** Whether waiting has ended because the service is stopping or the caller disconnected. */
  readonly ended: boolean;
  /** Resolves when the record has a different version, when waiting has ended, or after `ms`. */
  change: (version: Version, ms: number) => Promise<void>;
  leave: () => void;
}

/**
 * The callers in this process that are waiting for records to change. A call to `changed` wakes
 * them immediately. Other writes, including those of other processes, are found by polling once a
 * second, for all records of a kind together, and only while a caller is waiting.
 */
class WaitList {
  readonly #database: Database;
  readonly #byKind = new Map<Watchable, Map<string, Set<Waiter>>>();
  readonly #byNetwork = new Map<string, number>();
  #count = 0;
  #closed = false;
  #polling = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * A wait slot for a caller; undefined if too many callers are waiting or the service is stopping.
   * The limit per address does not apply to a caller without an address.
   */
  enter(
    kind: Watchable,
    name: string,
    { address, signal }: Pick<Call, 'address' | 'signal'>,
  ): WaitSlot | undefined {
    const network = address === undefined ? undefined : networkOf(address);
    const others = network === undefined ? 0 : (this.#byNetwork.get(network) ?? 0);
    if (this.#closed || this.#count >= MAX_WAITS || others >= MAX_PER_ADDRESS) return undefined;
    if (network !== undefined) this.#byNetwork.set(network, others + 1);
    this.#count++;
    const waiter: Waiter = { version: undefined, changed: false, wake: () => undefined };
    const waitersByName = this.#byKind.get(kind) ?? new Map<string, Set<Waiter>>();
    this.#byKind.set(kind, waitersByName);
    const waiters = waitersByName.get(name) ?? new Set();
    waitersByName.set(name, waiters.add(waiter));
    const onAbort = () => waiter.wake();
    signal?.addEventListener('abort', onAbort);
    void this.#poll();
    const isOver = () => this.#closed || signal?.aborted === true;
    return {
      get ended() {
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
        signal?.removeEventListener('abort', onAbort);
        waiters.delete(waiter);
        if (!waiters.size) waitersByName.delete(name);
        this.#count--;
        if (network === undefined) return;
        const remainingCount = this.#byNetwork.get(network)! - 1;
        if (remainingCount) this.#byNetwork.set(network, remainingCount);
        else this.#byNetwork.delete(network);
      },
    };
  }

  /** Wakes the callers that are waiting for a record and have a different version of it. */
  changed(kind: Watchable, name: string, version: Version): void {
    for (const waiter of this.#byKind.get(kind)?.get(name) ?? [])
      if (waiter.version !== version) {
        waiter.changed = true;
        waiter.wake();
      }
  }

  close(): void {
    this.#closed = true;
    for (const waitersByName of this.#byKind.values())
      for (const waiters of waitersByName.values()) for (const { wake } of waiters) wake();
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS).unref());
      if (!this.#count || this.#closed) break;
      for (const [kind, waitersByName] of this.#byKind) {
        if (!waitersByName.size) continue;
        // If the database does not respond, waiting callers learn of it when their waits end.
        const found = await kind
          .readVersions([...waitersByName.keys()], this.#database)
          .catch(() => []);
        for (const { name, version } of found) this.changed(kind, name, version);
      }
    }
    this.#polling = false;
  }
}

/** The callers that are waiting for changes to a database. */
export const waitListOf = memoize((database: Database) => new WaitList(database));

/**
 * A record, and the number of milliseconds until it changes without a write, as when an offer
 * expires.
 */
interface Observation<Value> {
  value: Value;
  version: Version;
  expiresInMs?: number;
}

/**
 * Yields a record immediately, and again whenever it changes or something in it expires. Ends after
 * 150 seconds, when the caller disconnects, when the service stops, and immediately if too many
 * callers are waiting. Throws whatever `read` throws.
 */
export async function* followRecord<Value>(
  kind: Watchable,
  name: string,
  read: () => Promise<Observation<Value>>,
  call: Pick<Call, 'address' | 'signal'>,
  { database }: Pick<Context, 'database'>,
): AsyncGenerator<Value, void, undefined> {
  const slot = waitListOf(database).enter(kind, name, call);
  if (!slot) return;
  const end = performance.now() + MAX_FOLLOW_MS;
  try {
    while (!slot.ended) {
      const { value, version, expiresInMs = Infinity } = await read();
      yield value;
      const remainingMs = end - performance.now();
      if (remainingMs <= 0) return;
      await slot.change(version, Math.min(remainingMs, expiresInMs));
    }
  } finally {
    slot.leave();
  }
}
