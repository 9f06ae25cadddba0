import { z } from 'zod';
import type { RecordPath } from './fault.ts';
import { nearest } from './nearest.ts';

interface SchemaNode {
  description?: string;
  const?: string;
  properties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
}

const asJsonSchema = new WeakMap<z.ZodType, SchemaNode>();

function nodesAt(schema: z.ZodType, path: RecordPath): SchemaNode[] {
  let root = asJsonSchema.get(schema);
  if (!root) asJsonSchema.set(schema, (root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as SchemaNode));
  const alternatives = (node: SchemaNode): SchemaNode[] => [node, ...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  let nodes = alternatives(root);
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
  return path.reduce<unknown>((value, part) => (value as Record<string | number, unknown> | undefined)?.[part], data);
}

/** A problem at a path; `atKey` when the key itself is wrong rather than its value, `within` when only a part of its text is. */
export interface Described {
  path: RecordPath;
  problem: string;
  atKey?: boolean;
  /** The match of a global pattern, counted from 0, at which the text is wrong. */
  within?: { pattern: RegExp; match: number };
}

/** Values of the key that tells the alternatives of a union apart. */
const kindsAt = (nodes: readonly SchemaNode[], discriminator: string): string[] => nodes.flatMap(({ properties }) => properties?.[discriminator]?.const ?? []);

/** What is wrong with a value that is none of those known. */
function chosen(known: readonly string[], value: unknown): string {
  if (value === undefined) return `is missing. Write one of ${known.join(', ')}.`;
  const guess = typeof value === 'string' ? nearest(value, known) : undefined;
  return `expected one of ${known.join(', ')}.${guess ? ` Did you mean ${guess}?` : ''}`;
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What zod found, in our words: the problem and its cure, one entry for each unknown key. */
export function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType, data: unknown): Described[] {
  const path = issue.path as RecordPath;
  const description = () => nodesAt(schema, path).find((node) => node.description)?.description;
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = nodesAt(schema, path).flatMap((node) => Object.keys(node.properties ?? {}));
      return issue.keys.map((name) => {
        const guess = nearest(name, known);
        return {
          path: [...path, name],
          problem: guess ? `is an unknown key. Did you mean ${guess}?` : `is an unknown key. Known keys: ${known.join(', ')}.`,
          atKey: true,
        };
      });
    }
    case 'invalid_type': {
      if (valueAt(data, path) === undefined) return [{ path, problem: sentence(`is missing. Add it: ${description() ?? `a value of type ${issue.expected}`}`) }];
      return [{ path, problem: sentence(`is not of type ${issue.expected}. Expected: ${description() ?? `a value of type ${issue.expected}`}`) }];
    }
    case 'invalid_value': {
      return [{ path, problem: chosen(issue.values.map(String), valueAt(data, path)) }];
    }
    case 'invalid_key':
      return [{ path, problem: sentence(issue.issues[0]?.message ?? 'is not a valid key. Rename it'), atKey: true }];
    case 'invalid_union': {
      if ('discriminator' in issue && issue.discriminator) return [{ path, problem: chosen(kindsAt(nodesAt(schema, path.slice(0, -1)), issue.discriminator), valueAt(data, path)) }];
      return [{ path, problem: sentence(`fits none of the allowed forms. Write ${description() ?? 'one of them'}`) }];
    }
    case 'too_small':
      return [{ path, problem: sentence(issue.message.includes('. ') ? issue.message : `is less than ${issue.minimum}. Write at least ${issue.minimum}`) }];
    case 'too_big':
      return [{ path, problem: sentence(issue.message.includes('. ') ? issue.message : `is more than ${issue.maximum}. Write at most ${issue.maximum}`) }];
    default:
      return [{ path, problem: sentence(issue.message.includes('. ') ? issue.message : `${issue.message}. Write ${description() ?? 'another value'}`) }];
  }
}
