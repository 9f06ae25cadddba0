import { createHash, randomUUID } from 'node:crypto';

/** Time during which an identical form from the same address counts as a repeat, in ms. */
const WINDOW_MS = 10 * 60_000;
const MAX_KEYS = 5_000;

/**
 * Idempotency keys for forms without one, when no script ran on the page: an identical form from
 * the same address shortly after is the same intent, such as a double click or a reload.
 */
export class FormKeys {
  readonly #keys = new Map<string, { key: string; until: number }>();

  /** The key of a form with these bytes, from this address to this URL; `now` in ms. */
  keyOf(address: string, url: string, bytes: Uint8Array, now: number): string {
    const name = createHash('sha256').update(`${address} ${url}\0`).update(bytes).digest('base64');
    const known = this.#keys.get(name);
    if (known && known.until > now) return known.key;
    for (const [old, { until }] of this.#keys) {
      if (until > now && this.#keys.size < MAX_KEYS) break;
      this.#keys.delete(old);
    }
    const key = `form-${randomUUID()}`;
    this.#keys.delete(name);
    this.#keys.set(name, { key, until: now + WINDOW_MS });
    return key;
  }
}
