import type { Database } from '../../db/index.ts';
import { onceFor } from '../site/once-for.ts';
import { keepAtMost } from './keep-at-most.ts';
import type { Context } from './context.ts';

interface Cached<Value> {
  value: Value;
  commits: number;
  /** Milliseconds since 1970. */
  until: number;
}

/** Maximum number of cached answers; the oldest is evicted first. */
const MAX_KEPT = 2_000;
/**
 * How long an answer is cached while this process writes nothing: another process's changes are
 * visible within a second.
 */
const KEPT_MS = 250;

/**
 * Briefly caches the answers to reads, for callers that poll. Any write of this process invalidates
 * all of them at once, a write of another process after `KEPT_MS`.
 */
export function keepBriefly<Value>(
  read: (name: string, context: Context) => Promise<Value>,
): (name: string, context: Context) => Promise<Value> {
  const cacheOf = onceFor((_: Database) => new Map<string, Cached<Value>>());
  return async (name, context) => {
    const { database } = context;
    const kept = cacheOf(database);
    const now = context.now().getTime();
    const known = kept.get(name);
    if (known && known.commits === database.commits && known.until > now) return known.value;
    // Read before the query, so that a concurrent write makes the answer stale.
    const { commits } = database;
    const value = await read(name, context);
    kept.delete(name);
    kept.set(name, { value, commits, until: now + KEPT_MS });
    keepAtMost(kept, MAX_KEPT);
    return value;
  };
}
