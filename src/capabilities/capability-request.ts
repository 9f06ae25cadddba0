import * as v from 'valibot';
import type { Action } from '../registry/schemas/action.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import { capabilityFieldsOf, type CapabilityRecord } from '../site/capability-record.ts';
import { memoize } from '../site/memoize.ts';
import { capabilityCatalogOf } from './capability-catalog.ts';
import { formatUnknownIdAdvice } from './other-actions.ts';
import { contactSchema } from '../leads/submit/lead-input.ts';
import { findDayFaultsOnParse } from '../leads/submit/requested-days.ts';
import { createFieldsSchema } from '../leads/submit/validate-fields.ts';
import { validateAgainstSchema } from '../operation/json-schema-check.ts';
import { callerOf, requireScope } from '../keys/authenticate-key.ts';
import type { Context } from '../operation/context.ts';
import type { Call } from '../operation/operation.ts';
import type { InputError } from '../operation/problem.ts';
import { isObject, memberOf } from '../site/json-object.ts';
import {
  validateValue,
  withExpectation,
  jsonObject,
  requireValidValues,
} from '../operation/validate.ts';
import { findAction, findSubsite, type Registry } from '../site/registry.ts';

/** A capability and a valid input for it. */
export interface CapabilityRequest {
  capability: CapabilityRecord;
  input: Record<string, unknown>;
}

/**
 * Members of a body with a capability and its input. The input is validated separately, against the
 * capability's schema.
 */
export const capabilityRequestEntries = {
  capability: v.pipe(
    v.string(),
    withExpectation('Enter the ID of a capability from /api/v1/capabilities.'),
    v.description('ID of a capability, as in /api/v1/capabilities.'),
  ),
  input: v.pipe(
    jsonObject,
    withExpectation(
      'Send an object that matches the inputSchema of the capability in /api/v1/capabilities.',
    ),
    v.description('Input that the capability’s input schema accepts.'),
  ),
};

function findNamedCapability(
  context: Context,
  id: unknown,
  errors: InputError[],
): CapabilityRecord | undefined {
  const catalog = capabilityCatalogOf(context.site);
  if (typeof id !== 'string') return undefined;
  const capability = catalog.get(id);
  if (!capability)
    errors.push({
      pointer: '/capability',
      message: `Enter the ID of a capability from /api/v1/capabilities.${formatUnknownIdAdvice(id, [...catalog.keys()], context.site)}`,
      allowed: [...catalog.keys()],
    });
  return capability;
}

/**
 * Checks that a key allows the capability that a body names; an unknown ID passes.
 * @throws {Problem} insufficient_scope
 */
export function authorizeCapabilityRequest(
  value: unknown,
  call: Pick<Call, 'key'>,
  { site }: Context,
): void {
  const id = memberOf(value, 'capability');
  if (typeof id === 'string' && capabilityCatalogOf(site).has(id))
    requireScope(callerOf(call, { site }), id);
}

/** The member names of a capability's input; none for an unknown capability. */
const listInputNames = ({ site }: Context, id: unknown): string[] =>
  Object.keys(capabilityCatalogOf(site).get(String(id))?.inputSchema['properties'] ?? {});

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
): { input?: Record<string, unknown>; errors: InputError[] } {
  if (adapter === 'inquiry') {
    const subsite = findSubsite(registry, name!)!;
    const intakeAction = findAction(subsite, verb!)!;
    const { output: input, errors } = validateValue(
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
  return errors.length ? { errors } : { input: value as Record<string, unknown>, errors };
}

/**
 * Validates a body whose `input` depends on its `capability`. @throws {Problem} invalid_input with
 * every error at once
 */
export function parseCapabilityRequest<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  context: Context,
): { body: v.InferOutput<Schema>; request: CapabilityRequest } {
  const { output: body, errors } = validateValue(schema, value, [], {
    '/input': listInputNames(context, memberOf(value, 'capability')),
  });
  const capability = findNamedCapability(context, memberOf(value, 'capability'), errors);
  // `validateValue` already reports an input that is not an object.
  const sentInput = isObject(value) && isObject(value['input']) ? value['input'] : undefined;
  const checkedInput =
    capability && sentInput
      ? checkCapabilityInput(capability, sentInput, context.site.registry)
      : undefined;
  errors.push(...(checkedInput?.errors ?? []));
  const service = findSubsite(context.site.registry, capability?.subsite ?? '');
  const action = service && findAction(service, capability?.action ?? '');
  errors.push(
    ...findDayFaultsOnParse(action, sentInput?.['fields'], errors.length > 0, {
      context,
      service,
      now: context.now(),
      channel: 'task',
      fieldsPath: ['input', 'fields'],
    }),
  );
  const validRequest = requireValidValues(errors, { body, capability, input: checkedInput?.input });
  return {
    body: validRequest.body,
    request: { capability: validRequest.capability, input: validRequest.input },
  };
}
