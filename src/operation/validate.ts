import { isObject } from '../site/json-object.ts';
import * as v from 'valibot';
import { suggestion } from '../site/nearest.ts';
import { type InputFault, Problem } from './problem.ts';
import { nounFor, quantityOf } from '../site/words/quantity.ts';

type Schema = v.GenericSchema;

/** A validated value and all of its errors. `output` is absent if there are errors. */
export interface Checked<Output> {
  output?: Output;
  errors: InputFault[];
}

interface Expectation {
  expect: string;
  allowed?: readonly string[];
  instruction?: string | undefined;
}

/**
 * States in one sentence what a value must be, and in `instruction` what to do at a form. Every
 * error of a value has its schema's sentence, so that a message never depends on the invalid value,
 * and never repeats it.
 */
export const expecting = <Input>(
  expect: string,
  { allowed, instruction }: Omit<Expectation, 'expect'> = {},
) =>
  v.metadata<Input, { readonly expectation: Expectation }>({
    expectation: { expect, ...(allowed && { allowed }), ...(instruction && { instruction }) },
  });

/** The JSON Pointer for these steps, RFC 6901. */
export const pointerTo = (...steps: readonly (string | number)[]): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The steps of a JSON Pointer, RFC 6901. */
export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const unwrap = (schema: Schema | undefined): Schema | undefined =>
  schema && 'wrapped' in schema ? unwrap(schema.wrapped as Schema) : schema;

/** Any JSON object, but not null or an array, which valibot’s own objects and records accept. */
export const jsonObject = v.custom<Record<string, unknown>>(isObject);

const entriesOf = (schema: Schema | undefined): Record<string, Schema> | undefined => {
  const inner = unwrap(schema);
  return inner && 'entries' in inner
    ? (inner as unknown as { entries: Record<string, Schema> }).entries
    : undefined;
};

const at = (schema: Schema | undefined, key: unknown): Schema | undefined => {
  const inner = unwrap(schema);
  if (typeof key === 'number' && inner?.type === 'array')
    return (inner as unknown as { item: Schema }).item;
  const entries = entriesOf(schema);
  return entries && typeof key === 'string' && Object.hasOwn(entries, key)
    ? entries[key]
    : undefined;
};

function expectationOf(schema: Schema | undefined): Expectation {
  const own = schema && (v.getMetadata(schema)['expectation'] as Expectation | undefined);
  if (own) return own;
  const inner = unwrap(schema);
  if (inner && inner !== schema) return expectationOf(inner);
  return { expect: entriesOf(schema) ? 'Send an object.' : 'Send a value of the documented type.' };
}

/** The error for a missing name, with its required value. */
export const missingName = (
  pointer: string,
  expect: string,
  more: Pick<InputFault, 'allowed' | 'instruction'> = {},
): InputFault => ({
  pointer,
  message: `It is required. ${expect}`.trim(),
  kind: 'missing',
  ...more,
});

/**
 * Maximum number of unknown names of one object to report individually: each costs a comparison
 * with all known ones, and an entry of the answer.
 */
export const MAX_UNKNOWN = 20;

/** The error for further unknown names, with their number; `pointer` is that of their object. */
export const moreUnknown = (pointer: string, unknown: number): InputFault[] =>
  unknown > MAX_UNKNOWN
    ? [
        {
          pointer,
          message: `${quantityOf(unknown - MAX_UNKNOWN, 'more name is', 'more names are')} not known here. Remove ${nounFor(unknown - MAX_UNKNOWN, 'it', 'them')}.`,
        },
      ]
    : [];

const UNKNOWN = 'This name is not known here.';

/** Advice for names from another channel, by pointer. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '/idempotencyKey': ' Send it as the header Idempotency-Key.',
};

/** Names known elsewhere in a body, by the pointer of the object that takes them. */
export type Homes = Readonly<Record<string, readonly string[]>>;

/** The right place for a misplaced name, as a pointer; undefined if there is none. */
function homeOf(name: string, homes: Homes): string | undefined {
  const home = Object.keys(homes).find((place) => homes[place]?.includes(name));
  return home === undefined ? undefined : home + pointerTo(name);
}

/**
 * The error for an unknown name, with its right place or the intended name, and the known names.
 */
export function unknownName(
  pointer: string,
  name: string,
  known: readonly string[],
  homes: Homes = {},
): InputFault {
  const home = homeOf(name, homes);
  return home === undefined
    ? {
        pointer,
        message: UNKNOWN + (ELSEWHERE[pointer] ?? (suggestion(name, known) || ' Remove it.')),
        allowed: known,
        kind: 'unknown',
      }
    : { pointer, message: `${UNKNOWN} Move it to ${home}.`, allowed: known, kind: 'misplaced' };
}

/**
 * The errors of a body from which `name` was removed before validation; lists of known names
 * include it.
 */
export const allowAlso = (errors: readonly InputFault[], name: string): InputFault[] =>
  errors.map((error) => {
    const [key, ...deeper] = stepsOf(error.pointer);
    return error.kind === 'unknown' && !deeper.length
      ? unknownName(error.pointer, key!, [...new Set([...(error.allowed ?? []), name])])
      : error;
  });

/**
 * Finds unknown keys at every level, while valibot stops at the first, and arrays in place of
 * objects, which valibot accepts.
 */
function misplaced(
  schema: Schema,
  value: unknown,
  steps: readonly (string | number)[],
  homes: Homes,
): InputFault[] {
  const inner = unwrap(schema);
  if (inner?.type === 'array' && Array.isArray(value))
    return value.flatMap((item, index) =>
      misplaced((inner as unknown as { item: Schema }).item, item, [...steps, index], homes),
    );
  const entries = entriesOf(schema);
  if (entries && Array.isArray(value))
    return [{ pointer: pointerTo(...steps), message: expectationOf(schema).expect }];
  if (!entries || !isObject(value)) return [];
  const known = Object.keys(entries);
  const closed = inner?.type === 'strict_object';
  let unknown = 0;
  const errors = Object.entries(value).flatMap(([key, member]) => {
    const entry = at(schema, key);
    if (entry) return misplaced(entry, member, [...steps, key], homes);
    return !closed || ++unknown > MAX_UNKNOWN
      ? []
      : [unknownName(pointerTo(...steps, key), key, known, homes)];
  });
  return [...errors, ...moreUnknown(pointerTo(...steps), unknown)];
}

/** Issues whose message comes from our own checks. */
const OWN = new Set(['raw_check', 'partial_check', 'raw_transform']);

function errorOf(schema: Schema, issue: v.BaseIssue<unknown>, base: readonly string[]): InputFault {
  const steps = (issue.path ?? []).map((item) => item.key as string | number);
  const pointer = pointerTo(...base, ...steps);
  // The `expected` text of such a check is for people at a form.
  if (OWN.has(issue.type))
    return {
      pointer,
      message: issue.message,
      ...(issue.expected && { instruction: issue.expected }),
    };
  const { expect, allowed, instruction } = expectationOf(
    steps.reduce<Schema | undefined>((inner, step) => at(inner, step), schema),
  );
  const missing = issue.path?.at(-1)?.origin === 'key';
  const more = { ...(allowed && { allowed }), ...(instruction && { instruction }) };
  return missing ? missingName(pointer, expect, more) : { pointer, message: expect, ...more };
}

/** The first error of each place. */
export function onePerPlace(errors: readonly InputFault[]): InputFault[] {
  const seen = new Set<string>();
  return errors.filter(({ pointer }) => !seen.has(pointer) && seen.add(pointer));
}

/**
 * Validates a value; `base` is its place in the body, and `homes` has the names that other places
 * of the body take. One error per location, unknown names last.
 */
export function check<S extends Schema>(
  schema: S,
  value: unknown,
  base: readonly string[] = [],
  homes: Homes = {},
): Checked<v.InferOutput<S>> {
  const result = v.safeParse(schema, value);
  const unknown = misplaced(schema, value, base, homes);
  const issues = (result.issues ?? [])
    .filter((issue) => !(issue.type === 'strict_object' && issue.expected === 'never'))
    .map((issue) => errorOf(schema, issue, base));
  const errors = onePerPlace([...issues, ...unknown]);
  return errors.length ? { errors } : { output: result.output, errors };
}

/** Maximum number of errors in a response; more do not help. */
export const MAX_ERRORS = 100;

function detailOf(count: number): string {
  if (count === 1) return 'One value is not valid; see errors for what would be right.';
  return count > MAX_ERRORS
    ? `More than ${MAX_ERRORS} values are not valid; see errors for what would be right in the first ${MAX_ERRORS}.`
    : `${count} values are not valid; see errors for what would be right.`;
}

const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));

/** Errors in which an object's only unknown name is matched with its only missing name. */
function withMeantNames(errors: readonly InputFault[]): InputFault[] {
  return errors.map((error) => {
    const { pointer, kind, allowed = [] } = error;
    if (kind !== 'unknown' || suggestion(stepsOf(pointer).at(-1), allowed)) return error;
    const beside = errors.filter((other) => parentOf(other.pointer) === parentOf(pointer));
    const missing = beside.filter((other) => other.kind === 'missing');
    const unknownNames = beside.filter((other) => other.kind && other.kind !== 'missing');
    if (missing.length !== 1 || unknownNames.length > 1) return error;
    const meant = stepsOf(missing[0]!.pointer).at(-1)!;
    return { ...error, message: `${UNKNOWN} Did you mean ${meant}?` };
  });
}

/** @throws {Problem} invalid_input when there is an error; it names at most MAX_ERRORS. */
export function throwIfAny(found: readonly InputFault[]): void {
  if (!found.length) return;
  const errors = withMeantNames(onePerPlace(found));
  throw new Problem('invalid_input', detailOf(errors.length), {
    errors: errors.slice(0, MAX_ERRORS),
  });
}

/**
 * The values of a body if it has no errors.
 * @throws {Problem} invalid_input when there is an error
 */
export function validValues<Values extends Record<string, unknown>>(
  errors: readonly InputFault[],
  values: Values,
): { [Name in keyof Values]: Exclude<Values[Name], undefined> } {
  throwIfAny(errors);
  for (const [name, value] of Object.entries(values))
    if (value === undefined) throw new Error(`Nothing was found wrong, and ${name} is missing.`);
  return values as { [Name in keyof Values]: Exclude<Values[Name], undefined> };
}

/** Refuses one value. */
export const refuse = (pointer: string, message: string, allowed?: readonly string[]): Problem =>
  new Problem('invalid_input', detailOf(1), {
    errors: [{ pointer, message, ...(allowed && { allowed }) }],
  });
