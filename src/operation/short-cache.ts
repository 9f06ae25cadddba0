import type { Database } from '../../db/index.ts';
import { memoize } from '../site/memoize.ts';
import { evictOldest } from './evict-oldest.ts';
import type { Context } from './context.ts';

interface CacheEntry<Value> {
  value: Value;
  commitCount: number;
  /** A time from `performance.now()`, which changes to the system clock do not affect. */
  expiresAt: number;
}

/** Maximum number of cached results; the oldest is evicted first. */
const MAX_ENTRIES = 2_000;
/**
 * How long a result is cached while this process writes nothing, in ms. Changes by other processes
 * become visible after this time.
 */
const LIFETIME_MS = 250;

/**
 * Briefly caches the results of reads, for callers that poll. Any write by this process invalidates
 * the whole cache.
 */
export function cacheBriefly<Value>(
  read: (name: string, context: Context) => Promise<Value>,
): (name: string, context: Context) => Promise<Value> {
  const cacheOf = memoize((_: Database) => new Map<string, CacheEntry<Value>>());
  return async (name, context) => {
    const { database } = context;
    const cache = cacheOf(database);
    const now = performance.now();
    const cachedValue = cache.get(name);
    if (
      cachedValue &&
      cachedValue.commitCount === database.commitCount &&
      cachedValue.expiresAt > now
    )
      return cachedValue.value;
    // Read the version before the query, so that a concurrent write makes the result stale.
    const { commitCount } = database;
    const value = await read(name, context);
    cache.delete(name);
    cache.set(name, { value, commitCount, expiresAt: now + LIFETIME_MS });
    evictOldest(cache, MAX_ENTRIES);
    return value;
  };
}
