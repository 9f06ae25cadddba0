import type { Database } from '../../db/index.ts';
import { onceFor } from '../site/once-for.ts';
import { keepAtMost } from './keep-at-most.ts';
import type { Context } from './context.ts';

interface Kept<Value> {
  value: Value;
  commits: number;
  /** Milliseconds since 1970. */
  until: number;
}

/** Answers that are kept; the oldest goes first. */
const MAX_KEPT = 2_000;
/**
 * How long an answer is kept while this process writes nothing: what another process changes is
 * seen within a second.
 */
const KEPT_MS = 250;

/**
 * Keeps the answers to reads for a moment, for callers that poll. Any write of this process ends
 * them all at once, a write of another process after `KEPT_MS`.
 */
export function keepBriefly<Value>(
  read: (name: string, context: Context) => Promise<Value>,
): (name: string, context: Context) => Promise<Value> {
  const keptOf = onceFor((_: Database) => new Map<string, Kept<Value>>());
  return async (name, context) => {
    const { database } = context;
    const kept = keptOf(database);
    const now = context.now().getTime();
    const known = kept.get(name);
    if (known && known.commits === database.commits && known.until > now) return known.value;
    // Counted before the read: a write that comes between makes the answer old at once.
    const { commits } = database;
    const value = await read(name, context);
    kept.delete(name);
    kept.set(name, { value, commits, until: now + KEPT_MS });
    keepAtMost(kept, MAX_KEPT);
    return value;
  };
}
