import { isObject } from '../../site/json-object.ts';
import { isDeepStrictEqual } from 'node:util';

/** A change that agents notice; `breaking` if it may cause a working client to fail. */
export interface Change {
  /** The changed subsite, action, capability, document, route or link. */
  where: string;
  change: string;
  breaking: boolean;
}

/** A sentence that describes the change. */
export const formatChange = ({ where, change }: Change): string => `${where}: ${change}`;

/** A comparison: the subject and the changes found so far. */
export interface Comparison {
  where: string;
  changes: Change[];
}

/** Continues a comparison for another subject. */
export const createChildComparison = ({ changes }: Comparison, where: string): Comparison => ({
  where,
  changes,
});

export const addChange = ({ where, changes }: Comparison, change: string, breaking = false): void =>
  void changes.push({ where, change, breaking });

/**
 * Matches records by key. Returns the removed, added and common records, and whether the common
 * records are reordered.
 */
export function matchByKey<T>(
  before: readonly T[],
  after: readonly T[],
  key: (value: T) => string,
): { removed: T[]; added: T[]; common: [T, T][]; isReordered: boolean } {
  const previousByKey = new Map(before.map((value) => [key(value), value]));
  const currentKeys = new Set(after.map(key));
  const common = before.filter((value) => currentKeys.has(key(value)));
  const commonPairs = after.flatMap((value): [T, T][] => {
    const before = previousByKey.get(key(value));
    return before === undefined ? [] : [[before, value]];
  });
  return {
    removed: before.filter((value) => !currentKeys.has(key(value))),
    added: after.filter((value) => !previousByKey.has(key(value))),
    common: commonPairs,
    isReordered: common.some((value, index) => key(value) !== key(commonPairs[index]![1])),
  };
}

/** Records removed and added list entries. */
export function compareLists(
  comparison: Comparison,
  noun: string,
  before: readonly string[] = [],
  after: readonly string[] = [],
  isRemovalBreaking = true,
): void {
  const { removed, added, isReordered } = matchByKey(before, after, (value) => value);
  for (const value of added) addChange(comparison, `${noun} ${formatValue(value)} was added`);
  for (const value of removed)
    addChange(comparison, `${noun} ${formatValue(value)} was removed`, isRemovalBreaking);
  if (isReordered) addChange(comparison, `${noun}: the order changed`);
}

/** Maximum number of characters that a change quotes from a text. */
const MAX_QUOTED_LENGTH = 80;
/** Number of characters quoted around a difference in a longer text. */
const CONTEXT_LENGTH = 20;

const isPrimitive = (value: unknown): boolean => typeof value !== 'object' || value === null;
const isStringList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
}

/** The parts in which two strings differ, with some context. */
function createExcerpts(before: string, after: string): [string, string] {
  const shorterLength = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorterLength && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorterLength - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const excerptOf = (text: string) => {
    const [from, to] = [
      Math.max(0, start - CONTEXT_LENGTH),
      Math.min(text.length, text.length - end + CONTEXT_LENGTH),
    ];
    const part = text.slice(from, to);
    const shortPart =
      part.length > 2 * MAX_QUOTED_LENGTH ? `${part.slice(0, 2 * MAX_QUOTED_LENGTH)}…` : part;
    return `${from ? '…' : ''}${shortPart}${to < text.length ? '…' : ''}`.replaceAll('\n', ' ');
  };
  return [excerptOf(before), excerptOf(after)];
}

/** Records each difference between two values as a sentence with the old and new values. */
export function compareValues(
  comparison: Comparison,
  name: string,
  before: unknown,
  after: unknown,
  breaking = false,
): void {
  if (isDeepStrictEqual(before, after)) return;
  const [oldValue, newValue] = [before ?? [], after ?? []];
  if (
    isStringList(oldValue) &&
    isStringList(newValue) &&
    (before ?? after) !== undefined &&
    oldValue.length + newValue.length
  ) {
    compareLists(comparison, name, oldValue, newValue, breaking);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++) {
      const place = `${name}[${index}]`;
      if (index >= before.length) addChange(comparison, `${place} was added`);
      else if (index >= after.length) addChange(comparison, `${place} was removed`, breaking);
      else compareValues(comparison, place, before[index], after[index], breaking);
    }
    return;
  }
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compareValues(comparison, `${name}.${key}`, before[key], after[key], breaking);
    return;
  }
  if (!isPrimitive(before) || !isPrimitive(after)) {
    const verb =
      before === undefined ? 'was added' : after === undefined ? 'was removed' : 'changed';
    addChange(comparison, `${name} ${verb}`, breaking);
    return;
  }
  const isLong = [before, after].some((value) => String(value).length > MAX_QUOTED_LENGTH);
  const [from, to] =
    isLong && typeof before === 'string' && typeof after === 'string'
      ? createExcerpts(before, after)
      : [before, after];
  addChange(
    comparison,
    `${name} changed from ${formatValue(from)} to ${formatValue(to)}`,
    breaking,
  );
}

/**
 * Records each key whose values differ, except the keys in `ignoredKeys`, which have a separate
 * comparison or are hidden from agents. Unknown keys are included so that no difference goes
 * unnoticed.
 */
export function compareProperties(
  comparison: Comparison,
  before: object,
  after: object,
  ignoredKeys: readonly string[] = [],
  prefix = '',
): void {
  const [oldRecord, newRecord] = [before, after] as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  for (const name of new Set([...Object.keys(oldRecord), ...Object.keys(newRecord)]))
    if (!ignoredKeys.includes(name))
      compareValues(comparison, `${prefix}${name}`, oldRecord[name], newRecord[name]);
}

/** Records the removed, added and reordered records of a kind, and compares the common records. */
export function compareRecords<T extends object>(
  comparison: Comparison,
  [before, after]: readonly [readonly T[] | undefined, readonly T[] | undefined],
  {
    key,
    where,
    pluralNoun,
    isRemovalBreaking = true,
    added: noteAddedRecord = (childComparison) => addChange(childComparison, 'was added'),
    compare,
  }: {
    key: (value: T) => string;
    where: (value: T) => string;
    pluralNoun: string;
    isRemovalBreaking?: boolean;
    /** Records the parts of an added record. */
    added?: (comparison: Comparison, value: T) => void;
    compare: (comparison: Comparison, before: T, after: T) => void;
  },
): void {
  const {
    removed,
    added,
    common: commonPairs,
    isReordered,
  } = matchByKey(before ?? [], after ?? [], key);
  for (const value of removed)
    addChange(createChildComparison(comparison, where(value)), 'was removed', isRemovalBreaking);
  for (const value of added)
    noteAddedRecord(createChildComparison(comparison, where(value)), value);
  for (const [oldRecord, newRecord] of commonPairs)
    compare(createChildComparison(comparison, where(newRecord)), oldRecord, newRecord);
  if (isReordered) addChange(comparison, `${pluralNoun}: the order changed`);
}
