import { Ajv2020, type DefinedError, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { InputSchema } from '../site/capability-record.ts';
import type { InputFault } from './problem.ts';
import { isObject, memberOf } from '../site/json-object.ts';
import { formatPointer, parsePointer } from './json-pointer.ts';
import {
  summarizeUnknownNames,
  MAX_UNKNOWN_NAMES,
  createUnknownNameFault,
} from './unknown-names.ts';
import {
  addAbsenceAdvice,
  createMissingNameFault,
  MAX_ERRORS,
  keepFirstPerPointer,
} from './validate.ts';
import { formatQuantity } from '../site/words/quantity.ts';
import { memoize } from '../site/memoize.ts';

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
addFormats(ajv);

const validatorOf = memoize((schema: InputSchema) => ajv.compile(schema));

/** Violations of JSON Schema (2020-12), one per location, or an unresolved reference. */
export function findSchemaFaults(schema: InputSchema): InputFault[] {
  if (!ajv.validateSchema(schema))
    return keepFirstPerPointer(
      (ajv.errors ?? []).map(({ instancePath, message = 'it is not a JSON Schema' }) => ({
        pointer: instancePath,
        message,
      })),
    );
  try {
    validatorOf(schema);
    return [];
  } catch (error) {
    return [{ pointer: '', message: String(memberOf(error, 'message')) }];
  }
}

const typeMessages: Readonly<Record<string, string>> = {
  string: 'Enter text.',
  number: 'Send a JSON number, without quotes.',
  integer: 'Send a JSON number without quotes: a whole number.',
  boolean: 'Enter true or false.',
  array: 'Enter an array.',
  object: 'Send an object.',
};

const messagesByFormat: Readonly<Record<string, string>> = {
  uri: 'Enter an absolute URL, for example https://example.com/page.',
  email: 'Enter one email address, for example dana@example.com.',
  date: 'Enter a date as YYYY-MM-DD.',
};

const patternMessages: Readonly<Record<string, string>> = {
  '\\S': 'Enter at least one character that is not white space.',
  '^[Hh][Tt][Tt][Pp][Ss]?://': 'Enter a URL that begins with https:// or http://.',
};

/** One sentence that says what a violated JSON Schema (2020-12) keyword requires. */
function describeRequirement(error: DefinedError): string {
  switch (error.keyword) {
    case 'type':
      return typeMessages[error.params.type] ?? 'Send a value of the documented type.';
    case 'minLength':
      return `Enter at least ${formatQuantity(error.params.limit, 'character')}.`;
    case 'maxLength':
      return `Enter at most ${error.params.limit} characters.`;
    case 'minItems':
      return `Send at least ${error.params.limit} entries.`;
    case 'maxItems':
      return `Send at most ${error.params.limit} entries.`;
    case 'minimum':
      return `Enter a number of at least ${error.params.limit}.`;
    case 'maximum':
      return `Enter a number of at most ${error.params.limit}.`;
    case 'format':
      return messagesByFormat[error.params.format] ?? `Enter a ${error.params.format}.`;
    case 'pattern':
      return patternMessages[error.params.pattern] ?? 'Send text in the documented format.';
    case 'enum':
      return `Choose one of: ${error.params.allowedValues.join(', ')}.`;
    default:
      return 'Send a value that the capability’s input schema accepts.';
  }
}

function isOptionalAt(schema: InputSchema, steps: readonly string[]): boolean {
  const [step, ...more] = steps;
  if (step === undefined) return false;
  const { properties, required, items } = schema;
  const inner = memberOf(properties, step) ?? items;
  if (!isObject(inner)) return false;
  if (more.length) return isOptionalAt(inner, more);
  return inner !== items && !(Array.isArray(required) && required.includes(step));
}

function toInputFault(ajvError: ErrorObject, schema: InputSchema, base: string): InputFault {
  // Schemas have no custom keywords.
  const error = ajvError as DefinedError;
  const pointer = `${base}${error.instancePath}`;
  const properties: unknown = memberOf(error.parentSchema, 'properties');
  if (error.keyword === 'required') {
    const { missingProperty } = error.params;
    const description = memberOf(memberOf(properties, missingProperty), 'description');
    const requirement = typeof description === 'string' ? description : '';
    return createMissingNameFault(`${pointer}${formatPointer(missingProperty)}`, requirement);
  }
  if (error.keyword === 'additionalProperties') {
    const { additionalProperty } = error.params;
    const known = isObject(properties) ? Object.keys(properties) : [];
    return createUnknownNameFault(
      `${pointer}${formatPointer(additionalProperty)}`,
      additionalProperty,
      known,
    );
  }
  const allowed = error.keyword === 'enum' ? error.params.allowedValues.map(String) : undefined;
  const isOptional = isOptionalAt(schema, parsePointer(error.instancePath));
  const message = addAbsenceAdvice(describeRequirement(error), error.data, isOptional);
  return { pointer, message, ...(allowed && { allowed }) };
}

/**
 * Copies a value, truncating each array to the maxItems of its schema and adding an error for each
 * longer array. The cost of validation then depends on the schema, not on the input.
 */
function truncateArrays(
  schema: InputSchema,
  value: unknown,
  base: string,
  errors: InputFault[],
): unknown {
  const { properties, items, maxItems } = schema as {
    properties?: Record<string, InputSchema>;
    items?: InputSchema;
    maxItems?: number;
  };
  if (Array.isArray(value)) {
    if (maxItems !== undefined && value.length > maxItems)
      errors.push({ pointer: base, message: `Send at most ${maxItems} entries.` });
    const truncatedArray: unknown[] = value.slice(0, maxItems);
    return items
      ? truncatedArray.map((item, index) => truncateArrays(items, item, `${base}/${index}`, errors))
      : truncatedArray;
  }
  if (!properties || !isObject(value)) return value;
  const copy = { ...value };
  for (const [name, inner] of Object.entries(properties))
    if (Object.hasOwn(value, name))
      copy[name] = truncateArrays(inner, value[name], `${base}${formatPointer(name)}`, errors);
  return copy;
}

/** Returns one error per location; `base` is the pointer to the value. */
export function validateAgainstSchema(
  schema: InputSchema,
  value: unknown,
  base: string,
): InputFault[] {
  const lengthFaults: InputFault[] = [];
  const validate = validatorOf(schema);
  const valid = validate(truncateArrays(schema, value, base, lengthFaults));
  if (valid) return lengthFaults;
  const unknown = new Map<string, number>();
  const relevantErrors = (validate.errors ?? []).filter(({ keyword, instancePath }) => {
    if (keyword !== 'additionalProperties') return true;
    const count = (unknown.get(instancePath) ?? 0) + 1;
    unknown.set(instancePath, count);
    return count <= MAX_UNKNOWN_NAMES;
  });
  const more = [...unknown].flatMap(([instancePath, count]) =>
    summarizeUnknownNames(`${base}${instancePath}`, count),
  );
  const named = relevantErrors
    .slice(0, MAX_ERRORS + 1)
    .map((error) => toInputFault(error, schema, base));
  return keepFirstPerPointer([...lengthFaults, ...named, ...more]);
}
