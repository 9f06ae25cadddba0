import * as v from 'valibot';
import { type Action, capabilityFields, type CapabilityRecord, findAction, findSubsite, type Registry } from '../registry/index.ts';
import { fieldsSchema } from './fields.ts';
import { faultsBySchema } from './json-schema-check.ts';
import { contactSchema } from './lead-input.ts';
import type { InputError } from './problem.ts';
import { printableJson } from './texts.ts';
import { check, expecting } from './validate.ts';

export type CapabilityInput = Record<string, unknown>;

const intakes = new WeakMap<Action, v.GenericSchema<unknown, CapabilityInput>>();

/** Contact and fields of an inquiry: what a lead takes, with the fields that the capability replaces or adds. */
function intakeSchema(action: Action, registry: Registry): v.GenericSchema<unknown, CapabilityInput> {
  let schema = intakes.get(action);
  if (!schema) {
    schema = v.pipe(
      v.strictObject({ contact: contactSchema, fields: fieldsSchema(capabilityFields(action), registry) }),
      expecting('Send an object with contact and fields.'),
    ) as v.GenericSchema<unknown, CapabilityInput>;
    intakes.set(action, schema);
  }
  return schema;
}

/**
 * The input of a capability, checked: an inquiry’s as every lead door does it, any other by its published JSON Schema.
 * `errors` is empty when `input` is there; `base` is where the input stands in the body.
 */
export function checkCapabilityInput({ inputSchema, adapter, subsite, action }: CapabilityRecord, value: unknown, registry: Registry, base: readonly string[] = ['input']): { input?: CapabilityInput; errors: InputError[] } {
  if (adapter === 'inquiry') {
    const { output: input, errors } = check(intakeSchema(findAction(findSubsite(registry, subsite!)!, action!)!, registry), value, base);
    return { ...(input && { input }), errors };
  }
  const errors = faultsBySchema(inputSchema, value, base.map((step) => `/${step}`).join(''));
  return errors.length ? { errors } : { input: printableJson(value) as CapabilityInput, errors };
}
