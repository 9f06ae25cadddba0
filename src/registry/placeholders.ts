import type { RecordProblem } from './describe-issue.ts';
import type { RecordPath } from './fault.ts';
import { isObject } from '../site/json-object.ts';

/** Matches a placeholder for a value that the operator has to choose: `<price in US dollars>`. */
const PLACEHOLDER_PATTERN = /^<[^<>]+>$/;

/** Formats a placeholder, which the check reports until someone replaces it. */
export const toPlaceholder = (description: string): string => `<${description}>`;

/** Reports each placeholder that remains in a record. */
export function findPlaceholders(value: unknown, path: RecordPath = []): RecordProblem[] {
  if (typeof value === 'string')
    return PLACEHOLDER_PATTERN.test(value)
      ? [{ path, problem: 'is a placeholder. Replace it with your own value.' }]
      : [];
  if (Array.isArray(value))
    return value.flatMap((entry, index) => findPlaceholders(entry, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => findPlaceholders(entry, [...path, name]));
}
