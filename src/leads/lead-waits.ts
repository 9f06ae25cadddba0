import { inArray, sql } from 'drizzle-orm';
import type { Database } from '../../db/index.ts';
import { leadHistory } from '../../db/schema.ts';
import { onceFor } from '../site/once-for.ts';
import { networkOf } from '../operation/network-of-address.ts';

/** Most callers that wait at a time, in this process and from one address (IPv6: its /64). */
const MAX_WAITS = 2_000;
const MAX_PER_ADDRESS = 4;
/** Time between two looks for what other processes wrote, in ms. */
const LOOK_MS = 1_000;

/** A caller who waits for a change of a lead. */
interface Waiter {
  /** Entries of the history that the caller knows of. */
  revision: number;
  changed: boolean;
  wake: () => void;
}

/** The place of one caller who waits. */
interface WaitingPlace {
  /** Whether waiting has an end: the service stops, or the caller is gone. */
  readonly over: boolean;
  /** Resolves when the lead has more than so many entries, when waiting has an end, or after so many ms. */
  change: (revision: number, ms: number) => Promise<void>;
  /** Frees the place. */
  leave: () => void;
}

/**
 * The callers of this process who wait for a change of a lead. What this process writes wakes them at once; what others
 * write to the database is looked for once a second, for all leads together and only while somebody waits.
 */
class LeadWaits {
  readonly #database: Database;
  readonly #byLead = new Map<string, Set<Waiter>>();
  readonly #byNetwork = new Map<string, number>();
  #count = 0;
  #closed = false;
  #looking = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A place for a caller; undefined where too many wait or the service stops. A caller without an address has no limit of its own. */
  enter(
    lead: string,
    address: string | undefined,
    signal: AbortSignal | undefined,
  ): WaitingPlace | undefined {
    const network = address === undefined ? undefined : networkOf(address);
    const others = network === undefined ? 0 : (this.#byNetwork.get(network) ?? 0);
    if (this.#closed || this.#count >= MAX_WAITS || others >= MAX_PER_ADDRESS) return undefined;
    if (network !== undefined) this.#byNetwork.set(network, others + 1);
    this.#count++;
    const waiter: Waiter = { revision: 0, changed: false, wake: () => undefined };
    const waiters = this.#byLead.get(lead) ?? new Set();
    this.#byLead.set(lead, waiters.add(waiter));
    const gone = () => waiter.wake();
    signal?.addEventListener('abort', gone);
    void this.#look();
    const isOver = () => this.#closed || signal?.aborted === true;
    return {
      get over() {
        return isOver();
      },
      async change(revision, ms) {
        waiter.revision = revision;
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
        if (!waiters.size) this.#byLead.delete(lead);
        this.#count--;
        if (network === undefined) return;
        const left = this.#byNetwork.get(network)! - 1;
        if (left) this.#byNetwork.set(network, left);
        else this.#byNetwork.delete(network);
      },
    };
  }

  /** Wakes whoever waits for a lead and knows fewer entries than it has. */
  changed(lead: string, revision: number): void {
    for (const waiter of this.#byLead.get(lead) ?? [])
      if (waiter.revision < revision) {
        waiter.changed = true;
        waiter.wake();
      }
  }

  /** Ends all waiting, for good. */
  close(): void {
    this.#closed = true;
    for (const waiters of this.#byLead.values()) for (const { wake } of waiters) wake();
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
      if (!this.#count || this.#closed) break;
      const leads = JSON.stringify([...this.#byLead.keys()]);
      const found = await this.#database.background
        .select({ lead: leadHistory.lead, revision: sql<number>`count(*)` })
        .from(leadHistory)
        .where(inArray(leadHistory.lead, sql`(select value from json_each(${leads}))`))
        .groupBy(leadHistory.lead)
        // Whoever waits finds out at the end that the database does not answer.
        .catch(() => []);
      for (const { lead, revision } of found) this.changed(lead, revision);
    }
    this.#looking = false;
  }
}

/** The callers who wait for changes in a database, whichever release of the program they came by. */
export const waitsOn = onceFor((database: Database) => new LeadWaits(database));
