import * as v from 'valibot';
import type { Action } from '../registry/action.ts';
import type { Subsite } from '../registry/subsite.ts';
import { capabilityFieldsOf, type CapabilityRecord } from '../site/capability-record.ts';
import { memoize } from '../site/memoize.ts';
import { findAction, findSubsite, type Registry } from '../site/registry.ts';
import { createFieldsSchema } from '../leads/submit/validate-fields.ts';
import { validateAgainstSchema } from '../operation/json-schema-check.ts';
import { contactSchema } from '../leads/submit/lead-input.ts';
import type { InputError } from '../operation/problem.ts';
import { check, withExpectation } from '../operation/validate.ts';

export type CapabilityInput = Record<string, unknown>;

/**
 * Contact and fields of an inquiry: the contact and fields of a lead, plus the fields that the
 * capability replaces or adds.
 */
const intakeSchemaOf = memoize((registry: Registry) =>
  memoize((subsite: Subsite) =>
    memoize((action: Action) =>
      v.pipe(
        v.strictObject({
          contact: contactSchema,
          fields: createFieldsSchema(capabilityFieldsOf(action), registry, subsite.name),
        }),
        withExpectation('Send an object with contact and fields.'),
      ),
    ),
  ),
);

/**
 * Validates the input of a capability: an inquiry like any lead, and any other input against its
 * published JSON Schema. `errors` is empty if `input` is present.
 */
export function checkCapabilityInput(
  { inputSchema, adapter, subsite: name, action: verb }: CapabilityRecord,
  value: unknown,
  registry: Registry,
): { input?: CapabilityInput; errors: InputError[] } {
  if (adapter === 'inquiry') {
    const subsite = findSubsite(registry, name!)!;
    const intakeAction = findAction(subsite, verb!)!;
    const { output: input, errors } = check(
      intakeSchemaOf(registry)(subsite)(intakeAction),
      value,
      ['input'],
      {
        '/input/fields': Object.keys(capabilityFieldsOf(intakeAction)),
        '/input/contact': Object.keys(contactSchema.pipe[0].entries),
      },
    );
    return { ...(input && { input }), errors };
  }
  const errors = validateAgainstSchema(inputSchema, value, '/input');
  return errors.length ? { errors } : { input: value as CapabilityInput, errors };
}
