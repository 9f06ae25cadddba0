import * as v from 'valibot';
import type { CapabilityRecord } from '../site/capability-record.ts';
import { capabilityCatalogOf } from './capability-catalog.ts';
import { formatUnknownIdAdvice } from './other-actions.ts';
import { checkCapabilityInput } from './capability-input.ts';
import { findDayFaultsOnParse } from '../leads/submit/requested-days.ts';
import { callerOf, requireScope } from '../keys/authenticate-key.ts';
import type { Context } from '../operation/context.ts';
import type { Call } from '../operation/operation.ts';
import type { InputError } from '../operation/problem.ts';
import { isObject, memberOf } from '../site/json-object.ts';
import { check, withExpectation, jsonObject, requireValidValues } from '../operation/validate.ts';
import { actionOf, findSubsite } from '../site/registry.ts';

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
 * Checks that a key allows the capability that a body names, if there is one with its ID.
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

/** Names of the members of a capability's input; none for an unknown capability. */
const listInputNames = ({ site }: Context, id: unknown): string[] =>
  Object.keys(capabilityCatalogOf(site).get(String(id))?.inputSchema['properties'] ?? {});

/** The action that a capability submits; undefined if it submits none. */
function findIntakeAction({ site }: Context, capability: CapabilityRecord | undefined) {
  const { subsite, action } = capability ?? {};
  return subsite === undefined || action === undefined
    ? undefined
    : actionOf(site.registry, { subsite, action });
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
  const { output: body, errors } = check(schema, value, [], {
    '/input': listInputNames(context, memberOf(value, 'capability')),
  });
  const capability = isObject(value)
    ? findNamedCapability(context, value['capability'], errors)
    : undefined;
  // `check` already reports an input that is not an object.
  const sentInput = isObject(value) && isObject(value['input']) ? value['input'] : undefined;
  const checkedInput =
    capability && sentInput
      ? checkCapabilityInput(capability, sentInput, context.site.registry)
      : undefined;
  errors.push(...(checkedInput?.errors ?? []));
  errors.push(
    ...findDayFaultsOnParse(
      findIntakeAction(context, capability),
      sentInput?.['fields'],
      errors.length > 0,
      {
        context,
        service:
          capability?.subsite === undefined
            ? undefined
            : findSubsite(context.site.registry, capability.subsite),
        now: context.now(),
        channel: 'task',
        fieldsPath: ['input', 'fields'],
      },
    ),
  );
  const validRequest = requireValidValues(errors, { body, capability, input: checkedInput?.input });
  return {
    body: validRequest.body,
    request: { capability: validRequest.capability, input: validRequest.input },
  };
}
