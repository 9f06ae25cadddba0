/** Whether a value is a JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value’s member of that name; undefined where it is no object or has none of its own. */
export const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The entries of a value; none where it is no array. */
export const entriesIn = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : [];

/** The names of an object’s members, as its type has them. */
export const namesOf = <Name extends string>(object: Readonly<Record<Name, unknown>>): Name[] =>
  // TypeScript says `string[]`, as an object may have more members than its type; literals have not.
  Object.keys(object) as Name[];
