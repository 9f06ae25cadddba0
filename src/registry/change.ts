import { isObject } from '../site/json-object.ts';
import { isDeepStrictEqual } from 'node:util';

/** A difference that agents notice; `breaking` when a client that worked before may fail now. */
export interface Change {
  /** What changed: a subsite, an action, a capability, a document, a route or a link. */
  where: string;
  change: string;
  breaking: boolean;
}

/** A change as a sentence. */
export const sentenceOf = ({ where, change }: Change): string => `${where}: ${change}`;

/** Where a comparison is, and what it has found so far. */
export interface Walk {
  where: string;
  changes: Change[];
}

/** The same comparison, further down. */
export const at = ({ changes }: Walk, where: string): Walk => ({ where, changes });

export const note = ({ where, changes }: Walk, change: string, breaking = false): void =>
  void changes.push({ where, change, breaking });

/** Whether two values read alike; the order of keys means nothing. */
const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);

/** Pairs by key: what left, what came, what is in both, and whether that is in another order. */
export function pairs<T>(
  before: readonly T[],
  after: readonly T[],
  key: (value: T) => string,
): { left: T[]; came: T[]; both: [T, T][]; moved: boolean } {
  const old = new Map(before.map((value) => [key(value), value]));
  const now = new Set(after.map(key));
  const stayed = before.filter((value) => now.has(key(value)));
  const both = after.flatMap((value): [T, T][] => {
    const before = old.get(key(value));
    return before === undefined ? [] : [[before, value]];
  });
  return {
    left: before.filter((value) => !now.has(key(value))),
    came: after.filter((value) => !old.has(key(value))),
    both,
    moved: stayed.some((value, index) => key(value) !== key(both[index]![1])),
  };
}

/** Notes what was removed from a list and added to it. */
export function compareLists(
  walk: Walk,
  noun: string,
  before: readonly string[] = [],
  after: readonly string[] = [],
  removalBreaks = true,
): void {
  const { left, came, moved } = pairs(before, after, (value) => value);
  for (const value of came) note(walk, `${noun} ${shown(value)} was added`);
  for (const value of left) note(walk, `${noun} ${shown(value)} was removed`, removalBreaks);
  if (moved) note(walk, `${noun}: the order changed`);
}

/** Characters of a text that a change quotes. */
const QUOTED = 80;
/** Characters around a difference in a longer text. */
const AROUND = 20;

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;
const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
}

/** The parts in which two texts differ, with a little around them. */
function excerpts(before: string, after: string): [string, string] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const cut = (text: string) => {
    const [from, to] = [
      Math.max(0, start - AROUND),
      Math.min(text.length, text.length - end + AROUND),
    ];
    const part = text.slice(from, to);
    const short = part.length > 2 * QUOTED ? `${part.slice(0, 2 * QUOTED)}…` : part;
    return `${from ? '…' : ''}${short}${to < text.length ? '…' : ''}`.replaceAll('\n', ' ');
  };
  return [cut(before), cut(after)];
}

/** Notes how a value differs from another, each part of it in a sentence with old and new. */
export function compareValues(
  walk: Walk,
  name: string,
  before: unknown,
  after: unknown,
  breaking = false,
): void {
  if (same(before, after)) return;
  const [old, now] = [before ?? [], after ?? []];
  if (isWords(old) && isWords(now) && (before ?? after) !== undefined && old.length + now.length) {
    compareLists(walk, name, old, now, breaking);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++) {
      const place = `${name}[${index}]`;
      if (index >= before.length) note(walk, `${place} was added`);
      else if (index >= after.length) note(walk, `${place} was removed`, breaking);
      else compareValues(walk, place, before[index], after[index], breaking);
    }
    return;
  }
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compareValues(walk, `${name}.${key}`, before[key], after[key], breaking);
    return;
  }
  if (!isPlain(before) || !isPlain(after)) {
    const verb =
      before === undefined ? 'was added' : after === undefined ? 'was removed' : 'changed';
    note(walk, `${name} ${verb}`, breaking);
    return;
  }
  const isLong = [before, after].some((value) => String(value).length > QUOTED);
  const [from, to] =
    isLong && typeof before === 'string' && typeof after === 'string'
      ? excerpts(before, after)
      : [before, after];
  note(walk, `${name} changed from ${shown(from)} to ${shown(to)}`, breaking);
}

/**
 * Notes each key of which the values differ, except those compared in words of their own and those
 * that agents never see. What no one thought of is so reported too: silence means that nothing
 * changed.
 */
export function compareRest(
  walk: Walk,
  before: object,
  after: object,
  apart: readonly string[] = [],
  prefix = '',
): void {
  const [old, now] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)]))
    if (!apart.includes(name)) compareValues(walk, `${prefix}${name}`, old[name], now[name]);
}

/** Notes what left, came and moved among records of one kind, and compares those that stayed. */
export function compareRecords<T extends object>(
  walk: Walk,
  [before, after]: readonly [readonly T[] | undefined, readonly T[] | undefined],
  {
    key,
    where,
    nouns,
    removalBreaks = true,
    added = (further) => note(further, 'was added'),
    compare,
  }: {
    key: (value: T) => string;
    where: (value: T) => string;
    nouns: string;
    removalBreaks?: boolean;
    /** Notes what a record that came offers. */
    added?: (walk: Walk, value: T) => void;
    compare: (walk: Walk, before: T, after: T) => void;
  },
): void {
  const { left, came, both, moved } = pairs(before ?? [], after ?? [], key);
  for (const value of left) note(at(walk, where(value)), 'was removed', removalBreaks);
  for (const value of came) added(at(walk, where(value)), value);
  for (const [old, now] of both) compare(at(walk, where(now)), old, now);
  if (moved) note(walk, `${nouns}: the order changed`);
}
