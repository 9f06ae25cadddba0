import { isObject } from '../site/json-object.ts';
import * as v from 'valibot';
import { type InputFault, Problem } from './problem.ts';
import { formatPointer } from './json-pointer.ts';
import {
  MAX_UNKNOWN_NAMES,
  type NamesByPointer,
  summarizeUnknownNames,
  createUnknownNameFault,
  withSuggestions,
} from './unknown-names.ts';

type Schema = v.GenericSchema;

export interface CheckResult<Output> {
  output?: Output;
  errors: InputFault[];
}

interface Expectation {
  requirement: string;
  allowed?: readonly string[];
  instruction?: string | undefined;
  /**
   * Whether the value is parsed from the text of a form, which then shows `instruction` instead of
   * `requirement`.
   */
  isParsedFromText?: boolean;
}

/**
 * Adds a sentence about the accepted values to a schema and, as `instruction`, a sentence for
 * people who fill out the form. Every error message is the sentence of its schema, so that it never
 * repeats an invalid value.
 */
export const withExpectation = <Input>(
  requirement: string,
  details: Omit<Expectation, 'requirement'> = {},
) =>
  v.metadata<Input, { readonly expectation: Expectation }>({
    expectation: { requirement, ...details },
  });

export const withDescription = <Described extends Schema>(schema: Described, description: string) =>
  v.pipe(schema, v.description<v.InferOutput<Described>, string>(description));

export const createTextSchema = (description: string) => withDescription(v.string(), description);

/** A schema that wraps another schema, such as `v.optional`. */
export const isWrapper = (schema: Schema | undefined): schema is Schema & { wrapped: Schema } =>
  schema !== undefined && 'wrapped' in schema;

export const hasEntries = (
  schema: Schema | undefined,
): schema is Schema & { entries: Record<string, Schema> } =>
  schema !== undefined && 'entries' in schema;

const isArray = (schema: Schema | undefined): schema is Schema & { item: Schema } =>
  schema?.type === 'array';

const unwrap = (schema: Schema | undefined): Schema | undefined =>
  isWrapper(schema) ? unwrap(schema.wrapped) : schema;

/** Any JSON object except an array; valibot's own objects and records accept arrays. */
export const jsonObject = v.custom<Record<string, unknown>>(isObject);

const entriesOf = (schema: Schema | undefined): Record<string, Schema> | undefined => {
  const inner = unwrap(schema);
  return hasEntries(inner) ? inner.entries : undefined;
};

const childSchemaOf = (schema: Schema | undefined, key: unknown): Schema | undefined => {
  const inner = unwrap(schema);
  if (typeof key === 'number' && isArray(inner)) return inner.item;
  const entries = entriesOf(schema);
  return entries && typeof key === 'string' && Object.hasOwn(entries, key)
    ? entries[key]
    : undefined;
};

function expectationOf(schema: Schema | undefined): Expectation {
  const directExpectation =
    schema && (v.getMetadata(schema)['expectation'] as Expectation | undefined);
  if (directExpectation) return directExpectation;
  const inner = unwrap(schema);
  if (inner && inner !== schema) return expectationOf(inner);
  return {
    requirement: entriesOf(schema) ? 'Send an object.' : 'Send a value of the documented type.',
  };
}

const describeMissing = (requirement: string): string => `It is required. ${requirement}`.trim();

/** The error for a missing name, with the accepted values. */
export const createMissingNameFault = (
  pointer: string,
  requirement: string,
  extraDetails: Pick<InputFault, 'allowed' | 'instruction' | 'formMessage'> = {},
): InputFault => ({
  pointer,
  message: describeMissing(requirement),
  kind: 'missing',
  ...extraDetails,
});

/**
 * The error for a missing or an unknown name, with the accepted values; `guess` is appended to the
 * rule for an unknown name, such as “ Did you mean …?”.
 */
export const createNameFault = (
  value: unknown,
  pointer: string,
  rule: string,
  { allowed, guess = '' }: { allowed?: string[]; guess?: string } = {},
): InputFault => {
  const accepted = allowed && { allowed };
  return value === undefined
    ? createMissingNameFault(pointer, rule, accepted)
    : { pointer, message: rule + guess, ...accepted };
};

/**
 * Errors for unknown names, because valibot reports only the first, and for arrays, because valibot
 * accepts them as objects.
 */
function findUnknownNames(
  schema: Schema,
  value: unknown,
  steps: readonly (string | number)[],
  namesByPointer: NamesByPointer,
): InputFault[] {
  const inner = unwrap(schema);
  if (isArray(inner) && Array.isArray(value))
    return value.flatMap((item, index) =>
      findUnknownNames(inner.item, item, [...steps, index], namesByPointer),
    );
  const entries = entriesOf(schema);
  if (entries && Array.isArray(value))
    return [{ pointer: formatPointer(...steps), message: expectationOf(schema).requirement }];
  if (!entries || !isObject(value)) return [];
  const known = Object.keys(entries);
  const closed = inner?.type === 'strict_object';
  let unknown = 0;
  const errors = Object.entries(value).flatMap(([key, member]) => {
    const entry = childSchemaOf(schema, key);
    if (entry) return findUnknownNames(entry, member, [...steps, key], namesByPointer);
    return !closed || ++unknown > MAX_UNKNOWN_NAMES
      ? []
      : [createUnknownNameFault(formatPointer(...steps, key), key, known, namesByPointer)];
  });
  return [...errors, ...summarizeUnknownNames(formatPointer(...steps), unknown)];
}

/** Adds advice for blank text, or for null where the value should be omitted. */
export function addAbsenceAdvice(requirement: string, value: unknown, optional: boolean): string {
  if (typeof value === 'string' && !value.trim())
    return `It is blank. ${requirement}${optional ? ' Leave it out if there is no value.' : ''}`;
  return value === null && optional
    ? `${requirement} null is not accepted: leave it out if there is no value.`
    : requirement;
}

const isOptional = (schema: Schema | undefined): boolean =>
  schema?.type === 'optional' || schema?.type === 'exact_optional';

const TYPE_FAULTS: Readonly<Record<string, string>> = {
  string: 'It is not text.',
  number: 'It is not a number.',
};

/** Types of issues whose message comes from a custom check. */
const CUSTOM_CHECKS = new Set(['raw_check', 'partial_check', 'raw_transform']);

/**
 * The members that an expectation adds to an error besides the message; `describe` adapts their
 * sentences.
 */
const detailsOf = (
  { allowed, instruction, isParsedFromText }: Expectation,
  describe: (sentence: string) => string,
) => ({
  ...(allowed && { allowed }),
  ...(instruction && { instruction }),
  ...(instruction && isParsedFromText && { formMessage: describe(instruction) }),
});

/**
 * Converts an issue to an error: a custom check failed, a name is missing, or a value is not valid.
 */
function toInputFault(
  schema: Schema,
  { path, type, message, expected, input }: v.BaseIssue<unknown>,
  base: readonly string[],
): InputFault {
  const steps = (path ?? []).map((item) => item.key as string | number);
  const pointer = formatPointer(...base, ...steps);
  const place = steps.reduce<Schema | undefined>(childSchemaOf, schema);
  const addAdvice = (sentence: string) => addAbsenceAdvice(sentence, input, isOptional(place));
  // In a custom check, `expected` is the instruction for people who fill out the form.
  if (CUSTOM_CHECKS.has(type))
    return { pointer, message: addAdvice(message), ...(expected && { instruction: expected }) };

  const expectation = expectationOf(place);
  const { requirement } = expectation;
  if (path?.at(-1)?.origin === 'key')
    return createMissingNameFault(pointer, requirement, detailsOf(expectation, describeMissing));

  const isAbsent = input === null || (typeof input === 'string' && !input.trim());
  const typeFault = isAbsent ? undefined : TYPE_FAULTS[type];
  const describe = (sentence: string) =>
    addAdvice(typeFault === undefined ? sentence : `${typeFault} ${sentence}`);
  return { pointer, message: describe(requirement), ...detailsOf(expectation, describe) };
}

/**
 * Replaces the messages of an invalid-input problem with those for forms; returns anything else
 * unchanged.
 */
export const withFormMessages = (thrown: unknown): unknown =>
  thrown instanceof Problem && thrown.code === 'invalid_input' && thrown.errors
    ? new Problem(thrown.code, thrown.message, {
        headers: thrown.headers,
        errors: thrown.errors.map(({ formMessage, ...error }) => ({
          ...error,
          message: formMessage ?? error.message,
        })),
      })
    : thrown;

export function keepFirstPerPointer(errors: readonly InputFault[]): InputFault[] {
  const seen = new Set<string>();
  return errors.filter(({ pointer }) => !seen.has(pointer) && seen.add(pointer));
}

/**
 * Validates a value; `base` is its location in the body, and `namesByPointer` lists names that
 * belong elsewhere in the body. Reports one error per location, unknown names last.
 */
export function validateValue<S extends Schema>(
  schema: S,
  value: unknown,
  base: readonly string[] = [],
  namesByPointer: NamesByPointer = {},
): CheckResult<v.InferOutput<S>> {
  const result = v.safeParse(schema, value);
  const unknown = findUnknownNames(schema, value, base, namesByPointer);
  const issues = (result.issues ?? [])
    .filter((issue) => !(issue.type === 'strict_object' && issue.expected === 'never'))
    .map((issue) => toInputFault(schema, issue, base));
  const errors = keepFirstPerPointer([...issues, ...unknown]);
  return errors.length ? { errors } : { output: result.output, errors };
}

export const MAX_ERRORS = 100;

function describeErrorCount(count: number): string {
  if (count === 1) return 'One value is not valid; see errors for how to fix it.';
  return count > MAX_ERRORS
    ? `More than ${MAX_ERRORS} values are not valid; see errors for how to fix the first ${MAX_ERRORS}.`
    : `${count} values are not valid; see errors for how to fix them.`;
}

/** The invalid_input problem for errors; it lists at most MAX_ERRORS. */
function createInputFaultsProblem(found: readonly InputFault[]): Problem {
  const errors = withSuggestions(keepFirstPerPointer(found));
  return new Problem('invalid_input', describeErrorCount(errors.length), {
    errors: errors.slice(0, MAX_ERRORS),
  });
}

/** @throws {Problem} invalid_input when there are errors; it lists at most MAX_ERRORS. */
export function throwIfAnyFaults(found: readonly InputFault[]): void {
  if (found.length) throw createInputFaultsProblem(found);
}

/**
 * Parses one part of a request and reports its errors together with those of another part, so that
 * the caller sees all errors at once.
 * @throws {Problem} invalid_input with all errors; if `faults` is empty or `parse` throws anything
 * else, what `parse` throws
 */
export function parseWithFaults<Input>(faults: readonly InputFault[], parse: () => Input): Input {
  if (!faults.length) return parse();
  const found = [...faults];
  try {
    parse();
  } catch (thrown) {
    if (!(thrown instanceof Problem) || !thrown.errors) throw thrown;
    found.push(...thrown.errors);
  }
  throw createInputFaultsProblem(found);
}

/**
 * The values in a body that has no errors. @throws {Problem} invalid_input when there is an error
 */
export function requireValidValues<Values extends Record<string, unknown>>(
  errors: readonly InputFault[],
  values: Values,
): { [Name in keyof Values]: Exclude<Values[Name], undefined> } {
  throwIfAnyFaults(errors);
  for (const [name, value] of Object.entries(values))
    if (value === undefined) throw new Error(`No error was reported, but ${name} is missing.`);
  return values as { [Name in keyof Values]: Exclude<Values[Name], undefined> };
}

export const createInputProblem = (
  pointer: string,
  message: string,
  allowed?: readonly string[],
): Problem =>
  new Problem('invalid_input', describeErrorCount(1), {
    errors: [{ pointer, message, ...(allowed && { allowed }) }],
  });
