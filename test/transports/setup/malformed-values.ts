/** One JSON value of every type, and values that careless code mistakes for another type. */
export const malformedValues: readonly unknown[] = [
  null,
  true,
  0,
  -1.5,
  1e300,
  '',
  'text',
  '\u0000\ud800',
  [],
  [null],
  [[]],
  [{}],
  {},
  { a: null },
  { length: 2, 0: 'a' },
  JSON.parse('{"__proto__": {"toString": 1}, "constructor": null}'),
  Array.from({ length: 12 }).reduce<unknown>((inner) => ({ a: [inner] }), null),
];

/** A body with one member replaced or added, and the pointer of that member. */
export interface MutatedBody {
  pointer: string;
  body: unknown;
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * A JSON body with `malformedValue` in place of the whole body, of each member at every level, and
 * of each member in `more`.
 */
export function* generateMutatedBodies(
  body: unknown,
  malformedValue: unknown,
  more: readonly string[] = [],
  pointer = '',
): Generator<MutatedBody> {
  yield { pointer, body: malformedValue };
  if (!isContainer(body)) return;
  const names = new Set([...Object.keys(body), ...(Array.isArray(body) ? [] : more)]);
  for (const name of names)
    for (const inner of generateMutatedBodies(
      body[name],
      malformedValue,
      [],
      `${pointer}/${name}`,
    )) {
      const copy: Record<string, unknown> = Object.assign(Array.isArray(body) ? [] : {}, body);
      copy[name] = inner.body;
      yield { pointer: inner.pointer, body: copy };
    }
}
