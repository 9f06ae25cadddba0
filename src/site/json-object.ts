/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** True if a value is a JSON object, not null or an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a JSON object; undefined if the text is not JSON or is another value. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The value’s own member with this name; undefined if the value is not an object or has no such
 * member.
 */
export function memberOf<Value>(
  value: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined;
export function memberOf(value: unknown, name: string): unknown;
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The entries of an array; an empty array for any other value. */
export const entriesIn = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : [];

/** The keys of an object, with their type. */
export const keysOf = <Name extends string>(
  object: Readonly<Partial<Record<Name, unknown>>>,
): Name[] =>
  // TypeScript types keys as `string[]` because an object may have more members than its type;
  // literals do not.
  Object.keys(object) as Name[];
