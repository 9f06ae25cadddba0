import { isObject } from '../site/json-object.ts';
import { isDeepStrictEqual } from 'node:util';

/** A change that agents notice; `breaking` if a working client may fail now. */
export interface Change {
  /** The changed subsite, action, capability, document, route or link. */
  where: string;
  change: string;
  breaking: boolean;
}

/** A change as a sentence. */
export const changeInWords = ({ where, change }: Change): string => `${where}: ${change}`;

/** What is being compared, and the changes found so far. */
export interface Comparison {
  where: string;
  changes: Change[];
}

/** The same comparison, for another subject. */
export const at = ({ changes }: Comparison, where: string): Comparison => ({ where, changes });

export const note = ({ where, changes }: Comparison, change: string, breaking = false): void =>
  void changes.push({ where, change, breaking });

/** Whether two values are equal; the order of keys is ignored. */
const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);

/**
 * Matches records by key: removed, added and common ones, and whether the common ones are
 * reordered.
 */
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

/** Records what was removed from a list and added to it. */
export function compareLists(
  comparison: Comparison,
  noun: string,
  before: readonly string[] = [],
  after: readonly string[] = [],
  removalBreaks = true,
): void {
  const { left, came, moved } = pairs(before, after, (value) => value);
  for (const value of came) note(comparison, `${noun} ${shown(value)} was added`);
  for (const value of left) note(comparison, `${noun} ${shown(value)} was removed`, removalBreaks);
  if (moved) note(comparison, `${noun}: the order changed`);
}

/** Maximum number of characters that a change quotes from a text. */
const QUOTED = 80;
/** Number of characters to show around a difference in a longer text. */
const AROUND = 20;

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;
const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
}

/** The parts in which two texts differ, with some context. */
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

/** Records the differences between two values, one sentence for each part, with old and new. */
export function compareValues(
  comparison: Comparison,
  name: string,
  before: unknown,
  after: unknown,
  breaking = false,
): void {
  if (same(before, after)) return;
  const [old, now] = [before ?? [], after ?? []];
  if (isWords(old) && isWords(now) && (before ?? after) !== undefined && old.length + now.length) {
    compareLists(comparison, name, old, now, breaking);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++) {
      const place = `${name}[${index}]`;
      if (index >= before.length) note(comparison, `${place} was added`);
      else if (index >= after.length) note(comparison, `${place} was removed`, breaking);
      else compareValues(comparison, place, before[index], after[index], breaking);
    }
    return;
  }
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compareValues(comparison, `${name}.${key}`, before[key], after[key], breaking);
    return;
  }
  if (!isPlain(before) || !isPlain(after)) {
    const verb =
      before === undefined ? 'was added' : after === undefined ? 'was removed' : 'changed';
    note(comparison, `${name} ${verb}`, breaking);
    return;
  }
  const isLong = [before, after].some((value) => String(value).length > QUOTED);
  const [from, to] =
    isLong && typeof before === 'string' && typeof after === 'string'
      ? excerpts(before, after)
      : [before, after];
  note(comparison, `${name} changed from ${shown(from)} to ${shown(to)}`, breaking);
}

/**
 * Records each key whose values differ, except `apart`: keys that have a comparison of their own or
 * that agents never see. New kinds of keys are included, so an empty result means no change.
 */
export function compareRest(
  comparison: Comparison,
  before: object,
  after: object,
  apart: readonly string[] = [],
  prefix = '',
): void {
  const [old, now] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)]))
    if (!apart.includes(name)) compareValues(comparison, `${prefix}${name}`, old[name], now[name]);
}

/** Records the removed, added and reordered records of one kind, and compares the common ones. */
export function compareRecords<T extends object>(
  comparison: Comparison,
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
    /** Records what an added record offers. */
    added?: (comparison: Comparison, value: T) => void;
    compare: (comparison: Comparison, before: T, after: T) => void;
  },
): void {
  const { left, came, both, moved } = pairs(before ?? [], after ?? [], key);
  for (const value of left) note(at(comparison, where(value)), 'was removed', removalBreaks);
  for (const value of came) added(at(comparison, where(value)), value);
  for (const [old, now] of both) compare(at(comparison, where(now)), old, now);
  if (moved) note(comparison, `${nouns}: the order changed`);
}
