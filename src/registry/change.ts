import { isDeepStrictEqual } from 'node:util';

/** A difference that agents notice; `breaking` when a client that worked before may fail now. */
export interface Change {
  /** What changed: a subsite, an action, a capability, a document, a route or a link. */
  where: string;
  change: string;
  breaking: boolean;
}

/** Where a comparison is, and what it has found so far. */
export interface Walk {
  where: string;
  changes: Change[];
}

/** The same comparison, further down. */
export const at = ({ changes }: Walk, where: string): Walk => ({ where, changes });

export const note = ({ where, changes }: Walk, change: string, breaking = false): void => void changes.push({ where, change, breaking });

/** Whether two values read alike; the order of keys means nothing. */
export const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);

/** Pairs by key: what left, what came, what stands in both, and whether that stands in another order. */
export function pairs<T>(before: readonly T[], after: readonly T[], key: (value: T) => string): { left: T[]; came: T[]; both: [T, T][]; moved: boolean } {
  const old = new Map(before.map((value) => [key(value), value]));
  const now = new Set(after.map(key));
  const stayed = before.filter((value) => now.has(key(value)));
  const both = after.flatMap((value) => (old.has(key(value)) ? [[old.get(key(value))!, value] as [T, T]] : []));
  return {
    left: before.filter((value) => !now.has(key(value))),
    came: after.filter((value) => !old.has(key(value))),
    both,
    moved: stayed.some((value, index) => key(value) !== key(both[index]![1])),
  };
}

/** Notes what a list lost and won. */
export function compareLists(walk: Walk, noun: string, before: readonly string[] = [], after: readonly string[] = []): void {
  const { left, came, moved } = pairs(before, after, (value) => value);
  for (const value of came) note(walk, `${noun} ${value} was added`);
  for (const value of left) note(walk, `${noun} ${value} was removed`, true);
  if (moved) note(walk, `${noun}s stand in another order`);
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : String(value));
const isShort = (value: unknown) => ['number', 'boolean', 'undefined'].includes(typeof value);

/**
 * Notes each key of which the values differ, except those compared in words of their own and those that agents never
 * see. What no one thought of is so reported too: silence means that nothing changed.
 */
export function compareRest(walk: Walk, before: object, after: object, apart: readonly string[] = [], prefix = ''): void {
  const [old, now] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (apart.includes(name) || same(old[name], now[name])) continue;
    const values = [old[name], now[name]];
    const figures = values.every(isShort) && values.some((value) => value !== undefined);
    note(walk, `${prefix}${name} changed${figures ? ` from ${shown(old[name])} to ${shown(now[name])}` : ''}`);
  }
}

/** Notes what left, came and moved among records of one kind, and compares those that stayed. */
export function compareRecords<T extends object>(
  walk: Walk,
  [before, after]: readonly [readonly T[] | undefined, readonly T[] | undefined],
  { key, where, nouns, removalBreaks = true, compare }: { key: (value: T) => string; where: (value: T) => string; nouns: string; removalBreaks?: boolean; compare: (walk: Walk, before: T, after: T) => void },
): void {
  const { left, came, both, moved } = pairs(before ?? [], after ?? [], key);
  for (const value of left) note(at(walk, where(value)), 'was removed', removalBreaks);
  for (const value of came) note(at(walk, where(value)), 'was added');
  for (const [old, now] of both) compare(at(walk, where(now)), old, now);
  if (moved) note(walk, `${nouns} stand in another order`);
}
