import { entriesIn, isObject, memberOf } from '../../site/json-object.ts';
import { fill, fillPlural } from '../../text/fill.ts';
import { schemaTable as text } from '../../text/index.ts';
import { getNumberFormat } from '../../site/words/formats.ts';

/** The parts of a JSON Schema (2020-12) object that the pages show. */
export type Schema = Readonly<Record<string, unknown>>;

/** One property of an input or an output, with its flattened path: `contact.email`, `sources[]`. */
export interface SchemaRow {
  path: string;
  type: string;
  required: boolean;
  description: string;
  /** Constraints in words, such as “at most 4,000 characters”. */
  limits: readonly string[];
  /** Accepted values, if they can be listed. */
  values: readonly string[];
  /** Name of the component that describes the value. */
  component?: string;
}

/** Name of the component that a schema refers to, or undefined. */
export const componentOf = (schema: unknown): string | undefined =>
  isObject(schema) && typeof schema['$ref'] === 'string'
    ? schema['$ref'].split('/').at(-1)
    : undefined;

const limitTexts: Readonly<Record<string, (value: number) => string>> = {
  minLength: (minimum) => (minimum === 1 ? text.notEmpty : fillPlural(text.minCharacters, minimum)),
  maxLength: (limit) => fillPlural(text.maxCharacters, limit),
  minimum: (minimum) => fill(text.min, { count: getNumberFormat().format(minimum) }),
  maximum: (limit) => fill(text.max, { count: getNumberFormat().format(limit) }),
  minItems: (minimum) => fillPlural(text.minEntries, minimum),
  maxItems: (limit) => fillPlural(text.maxEntries, limit),
};

function describeLimits(schema: Schema): string[] {
  const limits = Object.entries(limitTexts).flatMap(([name, words]) =>
    typeof schema[name] === 'number' && Math.abs(schema[name]) < Number.MAX_SAFE_INTEGER
      ? [words(schema[name])]
      : [],
  );
  if (typeof schema['format'] === 'string')
    limits.push(fill(text.format, { format: schema['format'] }));
  // A format is easier to read than its pattern.
  if (
    typeof schema['pattern'] === 'string' &&
    schema['format'] === undefined &&
    schema['pattern'] !== String.raw`\S`
  )
    limits.push(fill(text.matches, { pattern: schema['pattern'] }));
  if (schema['default'] !== undefined)
    limits.push(fill(text.defaultValue, { value: JSON.stringify(schema['default']) }));
  return limits;
}

/** The alternatives in the `oneOf` and `anyOf` of a schema; empty if it has neither. */
export const alternativesOf = (schema: unknown): readonly unknown[] =>
  ['oneOf', 'anyOf'].flatMap((name) => entriesIn(memberOf(schema, name)));

/** The type of a value in words. */
function describeType(schema: unknown): string {
  if (!isObject(schema)) return text.any;
  const { type, items } = schema;
  const component = componentOf(schema);
  if (component) return component;
  if (type === 'array') return fill(text.arrayOf, { type: describeType(items) });
  if (Array.isArray(type)) return type.join(text.or);
  if (typeof type === 'string') return type;
  const options = alternativesOf(schema);
  if (options.length) return [...new Set(options.map(describeType))].join(text.or);
  return schema['const'] === undefined ? text.any : typeof schema['const'];
}

const valuesOf = ({ enum: values, const: constant }: Schema): string[] =>
  Array.isArray(values)
    ? values.map(String)
    : constant === undefined
      ? []
      : [typeof constant === 'string' ? constant : JSON.stringify(constant)];

/**
 * The properties of an object schema in declaration order, with nested properties below their
 * parent.
 */
export function createSchemaRows(schema: Schema, parentPath = ''): SchemaRow[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(properties).flatMap(([name, value]) => {
    if (!isObject(value)) return [];
    const path = `${parentPath}${name}`;
    const inner = isObject(value['items']) ? value['items'] : undefined;
    const component = componentOf(value) ?? componentOf(inner);
    const row: SchemaRow = {
      path,
      type: describeType(value),
      required: required.has(name),
      description: typeof value['description'] === 'string' ? value['description'] : '',
      limits: describeLimits(value),
      values: valuesOf(inner && !valuesOf(value).length ? inner : value),
      ...(component && { component }),
    };
    return [
      row,
      ...createSchemaRows(value, `${path}.`),
      ...(inner ? createSchemaRows(inner, `${path}[].`) : []),
    ];
  });
}
