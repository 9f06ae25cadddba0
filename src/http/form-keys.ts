import { createHash, randomUUID } from 'node:crypto';

/** Time, in ms, during which an identical form from the same address counts as a repeat. */
const WINDOW_MS = 10 * 60_000;
const MAX_KEYS = 5_000;

/**
 * Creates idempotency keys for forms without a key, which come from pages without scripts. An
 * identical form from the same address shortly afterwards gets the same key, because it is a double
 * click or a reload.
 */
export class FormKeyStore {
  readonly #keys = new Map<string, { key: string; until: number }>();

  /** Returns the idempotency key of a form that an address sends to a URL; `now` is in ms. */
  keyOf(address: string, url: string, bytes: Uint8Array, now: number): string {
    const name = createHash('sha256').update(`${address} ${url}\0`).update(bytes).digest('base64');
    const knownKey = this.#keys.get(name);
    if (knownKey && knownKey.until > now) return knownKey.key;
    for (const [oldKey, { until }] of this.#keys) {
      if (until > now && this.#keys.size < MAX_KEYS) break;
      this.#keys.delete(oldKey);
    }
    const key = `form-${randomUUID()}`;
    this.#keys.delete(name);
    this.#keys.set(name, { key, until: now + WINDOW_MS });
    return key;
  }
}
