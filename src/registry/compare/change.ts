import { isObject } from '../../site/json-object.ts';
import { isDeepStrictEqual } from 'node:util';

/** A change that affects agents; `breaking` if it may break a working client. */
export interface Change {
  /** The changed subsite, action, capability, document, route or link. */
  subject: string;
  change: string;
  breaking: boolean;
}

export const formatChange = ({ subject, change }: Change): string => `${subject}: ${change}`;

/** A comparison in progress: its subject, and the changes found so far. */
export interface Comparison {
  subject: string;
  changes: Change[];
}

export const createChildComparison = ({ changes }: Comparison, subject: string): Comparison => ({
  subject,
  changes,
});

export const addChange = (
  { subject, changes }: Comparison,
  change: string,
  breaking = false,
): void => void changes.push({ subject, change, breaking });

/** Maps values by key; the key of a repeated value includes its occurrence number. */
function mapByKey<T>(values: readonly T[], key: (value: T) => string): Map<string, T> {
  const counts = new Map<string, number>();
  return new Map(
    values.map((value) => {
      const name = key(value);
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      return [JSON.stringify([name, count]), value];
    }),
  );
}

/**
 * Matches records by key, and records with the same key by position. Returns the removed and added
 * records, the pairs of records that are in both lists, and whether their order changed.
 */
export function matchByKey<T>(
  before: readonly T[],
  after: readonly T[],
  key: (value: T) => string,
): { removed: T[]; added: T[]; pairs: [T, T][]; isReordered: boolean } {
  const [previous, current] = [mapByKey(before, key), mapByKey(after, key)];
  const commonKeys = [...current.keys()].filter((name) => previous.has(name));
  const previousKeys = [...previous.keys()].filter((name) => current.has(name));
  return {
    removed: [...previous].flatMap(([name, value]) => (current.has(name) ? [] : [value])),
    added: [...current].flatMap(([name, value]) => (previous.has(name) ? [] : [value])),
    pairs: commonKeys.map((name) => [previous.get(name)!, current.get(name)!]),
    isReordered: commonKeys.some((name, index) => name !== previousKeys[index]),
  };
}

/** Reports the entries that were added to or removed from a list. */
export function compareLists(
  comparison: Comparison,
  noun: string,
  before: readonly string[] = [],
  after: readonly string[] = [],
  isRemovalBreaking = true,
): void {
  const { removed, added, isReordered } = matchByKey(before, after, (value) => value);
  const describe = (value: string, verb: string, others: readonly string[]) =>
    others.includes(value)
      ? `${noun}: a duplicate of ${formatValue(value)} was ${verb}`
      : `${noun} ${formatValue(value)} was ${verb}`;
  for (const value of new Set(added)) addChange(comparison, describe(value, 'added', before));
  for (const value of new Set(removed))
    addChange(
      comparison,
      describe(value, 'removed', after),
      isRemovalBreaking && !after.includes(value),
    );
  if (isReordered) addChange(comparison, `${noun}: the order changed`);
}

/** Reports changes to a list of accepted values; without a list, all values are accepted. */
export function compareChoices(
  comparison: Comparison,
  name: string,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): void {
  const formatValues = (values: readonly string[]) => values.map(formatValue).join(', ');
  if (before && after) compareLists(comparison, `${name}: value`, before, after);
  else if (after)
    addChange(comparison, `${name}: values were limited to ${formatValues(after)}`, true);
  else if (before)
    addChange(comparison, `${name}: values are no longer limited to ${formatValues(before)}`);
}

/** Maximum number of characters that a change quotes from a text. */
const MAX_QUOTED_LENGTH = 80;
/** Number of characters quoted around a difference in longer text. */
const CONTEXT_LENGTH = 20;

const isPrimitive = (value: unknown): boolean => typeof value !== 'object' || value === null;
const isStringList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
}

/** Returns the parts in which two strings differ, with some context. */
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
    // The strings differ at both ends of the excerpt, so quote these and omit the middle.
    const part =
      to - from > 2 * MAX_QUOTED_LENGTH
        ? `${text.slice(from, from + MAX_QUOTED_LENGTH)} … ${text.slice(to - MAX_QUOTED_LENGTH, to)}`
        : text.slice(from, to);
    return `${from ? '…' : ''}${part}${to < text.length ? '…' : ''}`.replaceAll('\n', ' ');
  };
  return [excerptOf(before), excerptOf(after)];
}

/** Reports each difference between two values in a sentence with the old and new values. */
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
 * Reports each key whose values differ, except the keys in `ignoredKeys`, which are compared
 * separately or hidden from agents. Unknown keys are included so that no difference goes unnoticed.
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

/** Reports the records that were removed, added or reordered, and compares the others pairwise. */
export function compareRecords<T extends object>(
  comparison: Comparison,
  [before, after]: readonly [readonly T[] | undefined, readonly T[] | undefined],
  {
    key,
    subject,
    pluralNoun,
    isRemovalBreaking = true,
    noteAdded = (childComparison) => addChange(childComparison, 'was added'),
    compare = compareProperties,
  }: {
    key: (value: T) => string;
    subject: (value: T) => string;
    pluralNoun: string;
    isRemovalBreaking?: boolean;
    /** Reports an added record and its parts. */
    noteAdded?: (comparison: Comparison, value: T) => void;
    compare?: (comparison: Comparison, before: T, after: T) => void;
  },
): void {
  const { removed, added, pairs, isReordered } = matchByKey(before ?? [], after ?? [], key);
  for (const value of removed)
    addChange(createChildComparison(comparison, subject(value)), 'was removed', isRemovalBreaking);
  for (const value of added) noteAdded(createChildComparison(comparison, subject(value)), value);
  for (const [oldRecord, newRecord] of pairs)
    compare(createChildComparison(comparison, subject(newRecord)), oldRecord, newRecord);
  if (isReordered) addChange(comparison, `${pluralNoun}: the order changed`);
}
