import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Vocabulary of schema.org from `schema-dts`, which Google generates from the official definitions.
 */
const text = readFileSync(
  join(dirname(createRequire(import.meta.url).resolve('schema-dts')), 'schema.d.ts'),
  'utf8',
);

/** Members of each union type: names of subtypes, literals and primitives. */
const members = new Map(
  [...text.matchAll(/^export type (\w+)(?:<[^>]*>)? = (.+);$/gm)].map(
    ([, name, union]) => [name!, union!.split(' | ')] as const,
  ),
);

const interfaces = new Map(
  [...text.matchAll(/^(?:export )?interface (\w+) extends (.+) \{\n([\s\S]*?)^\}/gm)].map(
    ([, name, parents, body]) =>
      [
        name!,
        {
          parents: parents!.split(', '),
          ranges: new Map(
            [...body!.matchAll(/^ {4}"(\w+)"\?: SchemaValue<(.+), "\w+">;$/gm)].map(
              ([, property, range]) => [property!, range!.split(' | ')] as const,
            ),
          ),
        },
      ] as const,
  ),
);

/**
 * All members of a union, recursively: leaf types such as `HVACBusinessLeaf`, literals and
 * primitives.
 */
function expandUnion(names: readonly string[], seen = new Set<string>()): Set<string> {
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    expandUnion(members.get(name) ?? [], seen);
  }
  return seen;
}

function rangeOf(name: string, property: string): readonly string[] | undefined {
  const { parents, ranges } = interfaces.get(name) ?? { parents: [], ranges: new Map() };
  if (ranges.has(property)) return ranges.get(property) as string[];
  for (const parent of parents) {
    const found = rangeOf(parent, property);
    if (found) return found;
  }
  return undefined;
}

/** Sorted names of a schema.org type and its subtypes. */
export const listTypesUnder = (type: string): string[] =>
  [...expandUnion([type])]
    .filter((name) => interfaces.has(`${name}Leaf`))
    .toSorted((a, b) => (a < b ? -1 : 1));

function isAllowed(value: unknown, range: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return range.has('string') || range.has(JSON.stringify(value));
  if (typeof value === 'number') return range.has('number');
  if (typeof value === 'boolean') return range.has('boolean');
  const { '@type': type, '@id': id } = value as Record<string, unknown>;
  return type === undefined ? id !== undefined : range.has(`${String(type)}Leaf`);
}

/**
 * Types, properties and values in a JSON-LD node, nested nodes included, that schema.org does not
 * define.
 */
export function findVocabularyFaults(node: Record<string, unknown>): string[] {
  const type = String(node['@type']);
  if (!interfaces.has(`${type}Leaf`)) return [`${type} is not a type`];
  return Object.entries(node)
    .filter(([property]) => !property.startsWith('@'))
    .flatMap(([property, values]) => {
      const range = rangeOf(`${type}Leaf`, property);
      if (!range) return [`${type} has no ${property}`];
      const allowed = expandUnion(range);
      return [values]
        .flat()
        .flatMap((value: unknown) => [
          ...(isAllowed(value, allowed) ? [] : [`${type}.${property} takes ${range.join(' or ')}`]),
          ...(typeof value === 'object' && value !== null && '@type' in value
            ? findVocabularyFaults(value as Record<string, unknown>)
            : []),
        ]);
    });
}
