import { parseDocument, visit, type Document } from 'yaml';
import type { Fault } from '../fault.ts';
import { locateProblems } from './locate-problems.ts';
import {
  isMarkdown,
  type Source,
  splitFrontMatter,
  toLineAndColumn,
  yamlOf,
  yamlOffsetOf,
} from './source.ts';
import { findSyntaxFaults } from './syntax-faults.ts';
import { findTextProblems } from './text-problems.ts';

/** Matches the first line of a merge conflict. */
const CONFLICT_PATTERN = /^<{7} .*$/gm;
const CONFLICT_PROBLEM =
  'is a merge conflict. Keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.';

/** True if a value contains itself. */
function isCircular(value: unknown, ancestors: readonly object[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (ancestors.includes(value)) return true;
  const nestedAncestors = [...ancestors, value];
  return Object.values(value).some((inner) => isCircular(inner, nestedAncestors));
}

/** Returns the data of a YAML 1.2 or JSON document, or the problem that prevents this. */
function readDocument(document: Document): { data: unknown; problem?: string } {
  try {
    const data: unknown = document.toJS();
    return isCircular(data)
      ? {
          data: undefined,
          problem: 'contains itself through an alias (*name). Write out the value instead.',
        }
      : { data };
  } catch (error) {
    const isUnresolvedAlias =
      error instanceof ReferenceError && error.message.startsWith('Unresolved');
    return {
      data: undefined,
      problem: isUnresolvedAlias
        ? 'has an alias (*name) without a matching anchor (&name). Put text that begins with * in quotes, or write out the value.'
        : 'repeats too many values through aliases (*name). Write out the values instead of using aliases.',
    };
  }
}

/** Returns the offset of the first alias in a document. */
function findFirstAliasOffset(document: Document): number {
  let offset = 0;
  visit(document, {
    Alias(_, node) {
      offset = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

/**
 * Parses a YAML 1.2 or JSON file. After syntax errors, returns the faults and the data that is
 * readable.
 */
export function parseSource(source: Source): { data: unknown; faults: Fault[] } {
  const yamlOffset = yamlOffsetOf(source);
  const createFaultAt = (offset: number, problem: string): Fault => ({
    file: source.file,
    ...toLineAndColumn(source.text, offset + yamlOffset),
    path: '',
    problem,
  });
  if (source.unreadable) {
    const { problem, ...place } = source.unreadable;
    return { data: undefined, faults: [{ file: source.file, ...place, path: '', problem }] };
  }
  const text = yamlOf(source);
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
  const { data, problem } = readDocument(document);
  const conflicts = [...source.text.matchAll(CONFLICT_PATTERN)];
  if (conflicts.length)
    return {
      data,
      faults: conflicts.map(({ index }) => createFaultAt(index - yamlOffset, CONFLICT_PROBLEM)),
    };
  if (document.errors.length)
    return {
      data,
      faults: findSyntaxFaults(document, text, createFaultAt).sort((a, b) => a.line - b.line),
    };
  if (problem) return { data, faults: [createFaultAt(findFirstAliasOffset(document), problem)] };
  if (data === null || data === undefined)
    return { data, faults: [createFaultAt(0, 'is empty. Add the record, or remove the file.')] };
  const body = isMarkdown(source) ? (splitFrontMatter(source.text)?.body ?? '') : '';
  return {
    data,
    faults: locateProblems(source, [...findTextProblems(data), ...findTextProblems(body)]),
  };
}
