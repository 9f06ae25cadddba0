import { entriesIn, memberOf } from '../site/json-object.ts';
import { z } from 'zod';
import { formatPath, type RecordPath } from './fault.ts';
import { memoize } from '../site/memoize.ts';
import { suggestNumberCorrection } from '../site/corrections/corrections.ts';
import { findNearest } from '../site/corrections/similar-names.ts';
import { formatQuantity } from '../site/words/quantity.ts';

interface SchemaNode {
  description?: string;
  const?: string;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
}

const jsonSchemaOf = memoize(
  (schema: z.ZodType) =>
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as SchemaNode,
);

function nodesAt(schema: z.ZodType, path: RecordPath): SchemaNode[] {
  const alternatives = (node: SchemaNode): SchemaNode[] => [
    node,
    ...(node.anyOf ?? []),
    ...(node.oneOf ?? []),
  ];
  let nodes = alternatives(jsonSchemaOf(schema));
  for (const part of path)
    nodes = nodes
      .flatMap((node) => {
        if (typeof part === 'number') return node.items ? [node.items] : [];
        const own = node.properties?.[part];
        if (own) return [own];
        return typeof node.additionalProperties === 'object' ? [node.additionalProperties] : [];
      })
      .flatMap(alternatives);
  return nodes;
}

function valueAt(data: unknown, path: RecordPath): unknown {
  return path.reduce(
    (value, part) => (typeof part === 'number' ? entriesIn(value)[part] : memberOf(value, part)),
    data,
  );
}

/**
 * A problem at a path in a record. `isKeyProblem` is true if the key is wrong, not the value;
 * `location` is set if only part of the text is wrong.
 */
export interface RecordProblem {
  path: RecordPath;
  problem: string;
  isKeyProblem?: boolean;
  /** For an unknown key, the path with the key that the author probably meant. */
  intendedPath?: RecordPath;
  /** Where in the text the problem is: a global pattern, and the index of the match, from 0. */
  location?: { pattern: RegExp; match: number };
}

/** Lists the allowed values of the key that distinguishes the alternatives of a union. */
const kindsAt = (nodes: readonly SchemaNode[], discriminator: string): string[] =>
  nodes.flatMap(({ properties }) => properties?.[discriminator]?.const ?? []);

/** Describes a value that is not allowed. */
function describeChoiceProblem(known: readonly string[], value: unknown): string {
  const [first, secondChoice] = known;
  if (secondChoice === undefined)
    return value === undefined ? `is missing. Add ${first}.` : `expected ${first}.`;
  if (value === undefined) return `is missing. Use one of ${known.join(', ')}.`;
  const guess = typeof value === 'string' ? findNearest(value, known) : undefined;
  const hint =
    value === 'boolean' && known.includes('enum')
      ? ' For yes or no, use enum with the values "yes" and "no", in quotes.'
      : guess
        ? ` Did you mean ${guess}?`
        : '';
  return `expected one of ${known.join(', ')}.${hint}`;
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

const types: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list, with each entry on a line that begins with “- ”',
  object: 'keys with values, one “key: value” per line',
  record: 'keys with values, one “key: value” per line',
};

const describeType = (type: string): string => types[type] ?? 'another value';

/** The type of a value, in words for authors of records. */
function describeValueType(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isFinite(value) ? 'a number' : 'not a finite number';
  return (
    { string: 'text', boolean: 'true or false', object: 'keys with values' }[
      typeof value as string
    ] ?? 'of another type'
  );
}

/** True if the key at the end of a path may be omitted. */
function isOptionalKey(schema: z.ZodType, path: RecordPath): boolean {
  const name = path.at(-1);
  return (
    typeof name === 'string' &&
    nodesAt(schema, path.slice(0, -1)).some(({ properties = {}, required = [] }) =>
      Object.hasOwn(properties, name) ? !required.includes(name) : !Object.keys(properties).length,
    )
  );
}

/** Describes a string, list or number that is out of bounds. */
function describeBoundsProblem(
  issue: Extract<z.core.$ZodIssue, { code: 'too_small' | 'too_big' }>,
  schema: z.ZodType,
): string {
  if (issue.message.includes('. ')) return issue.message;
  const [limit, isMinimum] =
    issue.code === 'too_small' ? [issue.minimum, true] : [issue.maximum, false];
  const bound = isMinimum ? 'at least' : 'at most';
  if (issue.origin === 'string')
    return `is too ${isMinimum ? 'short' : 'long'}. Use ${bound} ${formatQuantity(limit, 'character')}`;
  if (issue.origin === 'array' || issue.origin === 'set')
    return `has too ${isMinimum ? 'few' : 'many'} entries. Use ${bound} ${formatQuantity(limit, 'entry', 'entries')}${isMinimum && limit === 1 && isOptionalKey(schema, issue.path as RecordPath) ? ', or remove the key' : ''}`;
  return `is ${isMinimum ? 'less' : 'more'} than ${limit}. Use ${bound} ${limit}`;
}

/** Describes unknown keys, and suggests the nearest known key for each. */
function describeUnknownKeys(
  { path, keys }: Extract<z.core.$ZodIssue, { code: 'unrecognized_keys' }>,
  nodes: readonly SchemaNode[],
  value: unknown,
): RecordProblem[] {
  // A required key with only one possible value identifies the kind of object.
  const matchesNode = ({ properties = {}, required = [] }: SchemaNode) =>
    required.every((name) => {
      const constantValue = properties[name]?.const;
      return constantValue === undefined || constantValue === memberOf(value, name);
    });
  const known = [
    ...new Set(nodes.filter(matchesNode).flatMap(({ properties = {} }) => Object.keys(properties))),
  ];
  return keys.map((name) => {
    const guess = findNearest(name, known);
    return {
      path: [...(path as RecordPath), name],
      problem: guess
        ? `is an unknown key. Did you mean ${guess}?`
        : `is an unknown key. Known keys: ${known.join(', ')}.`,
      isKeyProblem: true,
      ...(guess && { intendedPath: [...(path as RecordPath), guess] }),
    };
  });
}

/**
 * Converts a zod issue to problems with instructions for fixing them; each unknown key is a
 * separate problem.
 */
function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType, data: unknown): RecordProblem[] {
  const path = issue.path as RecordPath;
  const value = valueAt(data, path);
  const description = nodesAt(schema, path).find((node) => node.description)?.description;
  const problemOf = (text: string) => [{ path, problem: sentence(text) }];
  switch (issue.code) {
    case 'unrecognized_keys':
      return describeUnknownKeys(issue, nodesAt(schema, path), value);
    case 'invalid_type': {
      const expected = sentence(
        `${describeType(issue.expected)}${description === undefined || !path.length ? '' : `: ${description}`}`,
      );
      const isUnquoted =
        issue.expected === 'string' && (typeof value === 'number' || typeof value === 'boolean');
      const correction = issue.expected === 'number' ? suggestNumberCorrection(value) : undefined;
      const correctionHint =
        correction === `Write ${String(value)}.` ? 'Remove the quotes.' : correction;
      const hint = isUnquoted ? 'Put it in quotes.' : correctionHint;
      return problemOf(
        value === undefined
          ? `is missing. Add ${expected}`
          : `is ${describeValueType(value)}. Use ${expected}${hint === undefined ? '' : ` ${hint}`}`,
      );
    }
    case 'invalid_value':
      return problemOf(describeChoiceProblem(issue.values.map(String), value));
    case 'invalid_key':
      return [
        {
          path,
          problem: sentence(issue.issues[0]?.message ?? 'is not a valid key. Rename it'),
          isKeyProblem: true,
        },
      ];
    case 'invalid_union': {
      if ('discriminator' in issue && issue.discriminator)
        return problemOf(
          describeChoiceProblem(
            kindsAt(nodesAt(schema, path.slice(0, -1)), issue.discriminator),
            value,
          ),
        );
      // The author probably meant the alternative whose type the value has.
      const [bestMatch, secondChoice] = issue.errors.filter(
        (issues) => !issues.some(({ code, path: at }) => code === 'invalid_type' && !at.length),
      );
      if (bestMatch && !secondChoice)
        return bestMatch.flatMap((inner) =>
          describeIssue({ ...inner, path: [...path, ...inner.path] }, schema, data),
        );
      return problemOf(
        `matches none of the allowed forms. ${description === undefined ? 'Use one of them' : `Expected: ${description}`}`,
      );
    }
    case 'too_small':
    case 'too_big':
      return problemOf(describeBoundsProblem(issue, schema));
    default:
      return problemOf(
        issue.message.includes('. ')
          ? issue.message
          : `${issue.message}. ${description === undefined ? 'Use another value' : `Expected: ${description}`}`,
      );
  }
}

/** Converts zod issues to problems; a misspelled key is not also reported as missing. */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
  data: unknown,
): RecordProblem[] {
  const problems = issues.flatMap((issue) => describeIssue(issue, schema, data));
  const intendedPaths = new Set(
    problems.flatMap(({ intendedPath }) => (intendedPath ? formatPath(intendedPath) : [])),
  );
  return problems.filter(
    ({ path }) => valueAt(data, path) !== undefined || !intendedPaths.has(formatPath(path)),
  );
}
