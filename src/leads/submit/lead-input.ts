import * as v from 'valibot';
import {
  CONTACT_ADVICE,
  listContactFieldNames,
  contactMethods,
} from '../../site/forms/contact-rule.ts';
import { SEND_TEXT_ADVICE } from '../../site/forms/message-hint.ts';
import { kindOf } from '../../fields/fields.ts';
import { fieldInstructions } from '../../text/index.ts';
import { findAction, findSubsite, type Registry } from '../../site/registry.ts';
import type { Action } from '../../registry/schemas/action.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { email, fieldsSchemaOf, type FieldValues, phone } from './validate-fields.ts';
import { findReservedNameFaults } from './reserved-name.ts';
import type { Callback } from './callback.ts';
import type { InputFault } from '../../operation/problem.ts';
import { createFilledLineSchema } from '../../operation/text-schemas.ts';
import { memberOf } from '../../site/json-object.ts';
import { SUBSITE_RULE } from '../../fields/content.ts';
import { PHONE_DESCRIPTION } from '../../fields/kinds/phone.ts';
import { formatPointer, parentOf } from '../../operation/json-pointer.ts';
import { type NamesByPointer, withAdvice, withRemark } from '../../operation/unknown-names.ts';
import {
  validateValue,
  createNameFault,
  withDescription,
  throwIfAnyFaults,
  withExpectation,
} from '../../operation/validate.ts';
import { suggestSubsite, suggestNearest } from '../../site/corrections/similar-names.ts';

/** A validated lead from any channel. Equivalent requests have identical inputs on all channels. */
export interface LeadInput {
  subsite: string;
  /** Verb of the action; null for a lead without an action. */
  action: string | null;
  source: string;
  fields: FieldValues;
  data: Record<string, unknown> | null;
  contact: Contact;
  /** Whether to respond without storing or sending anything. */
  sandbox: boolean;
  /** False if the person opted out of email; absent otherwise. */
  notify?: false;
  /** The contract that the caller has read; not part of the request's identity. */
  contract?: string;
  /** Callback of the program that submits the lead. */
  callback?: Callback;
}

/** Format of a source label, which leaves little room for personal data. */
export const SOURCE_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';

/** Maximum length of a person's name, in characters. */
export const MAX_NAME_LENGTH = 200;

export const personNameSchema = v.pipe(
  createFilledLineSchema(MAX_NAME_LENGTH),
  withExpectation(`Enter a name of at most ${MAX_NAME_LENGTH} characters.`),
  v.description('Name of the person.'),
);

export const contactSchema = v.pipe(
  v.strictObject({
    name: v.optional(personNameSchema),
    email: v.optional(withDescription(email, 'Email address.')),
    phone: v.optional(withDescription(phone, PHONE_DESCRIPTION)),
  }),
  withExpectation(
    'Send an object with an email or a phone, so that the provider can answer, and optionally a name.',
  ),
  v.description(CONTACT_ADVICE),
);

/** The contact of a lead; the phone number is E.164. */
export type Contact = v.InferOutput<typeof contactSchema>;

export const sandboxSchema = v.pipe(
  v.boolean(),
  withExpectation('Send true or false.'),
  v.description(
    'true validates the request and returns a full response, but stores and sends nothing.',
  ),
);

export const notifySchema = v.pipe(
  v.boolean(),
  withExpectation('Send true or false.'),
  v.description(
    'false sends the person no email about this request; otherwise, the person gets the receipt, questions, offers and the outcome by email if the service sends email.',
  ),
);

/**
 * The part of an input that every body has. An explicit default is equivalent to an omitted value.
 */
export const sharedPartsOf = ({
  sandbox = false,
  notify,
  contract,
  callback,
}: Partial<Pick<LeadInput, 'sandbox' | 'contract' | 'callback'>> & { notify?: boolean }): Pick<
  LeadInput,
  'sandbox' | 'notify' | 'contract' | 'callback'
> => ({
  sandbox,
  ...(notify === false && { notify }),
  ...(contract !== undefined && { contract }),
  ...(callback && { callback }),
});

const findActionOwners = (registry: Registry, verb: unknown): Subsite[] =>
  typeof verb === 'string' ? registry.subsites.filter((subsite) => findAction(subsite, verb)) : [];

/** A sentence that names the subsites that have an action; undefined if there are none. */
function describeActionOwners(registry: Registry, verb: unknown): string | undefined {
  const names = findActionOwners(registry, verb).map(({ name }) => name);
  return names.length ? ` This action belongs to the subsite ${names.join(' or ')}.` : undefined;
}

/**
 * Finds the subsite that a body names, or adds the error at `pointer`, which lists the candidates;
 * `verb` is the action that the body names.
 */
export function findNamedSubsite(
  registry: Registry,
  { name, verb, candidates }: { name: unknown; verb?: unknown; candidates: readonly Subsite[] },
  pointer: string,
  errors: InputFault[],
): Subsite | undefined {
  const subsite = typeof name === 'string' ? findSubsite(registry, name) : undefined;
  if (subsite) return subsite;
  const allowed = candidates.map((other) => other.name);
  const owners = describeActionOwners(registry, verb);
  const rule = `${SUBSITE_RULE}${owners ?? ''}`;
  const guess = owners === undefined ? suggestSubsite(name, registry.subsites) : '';
  errors.push(createNameFault(name, pointer, rule, { allowed, guess }));
  return undefined;
}

/** Finds the action that a body names, or returns the error at `pointer`. */
export function findNamedAction(
  subsite: Subsite,
  verb: unknown,
  { pointer, registry }: { pointer: string; registry: Registry },
  errors: InputFault[],
): Action | undefined {
  const action = typeof verb === 'string' ? findAction(subsite, verb) : undefined;
  if (action) return action;
  const allowed = subsite.actions.map((other) => other.verb);
  const advice = describeActionOwners(registry, verb) ?? suggestNearest(verb, allowed);
  const rule = allowed.length
    ? `Use the verb of an action of this subsite.${advice}`
    : `This subsite has no actions; send a plain lead to /api/email-capture or, over MCP, with capture_lead.${advice}`;
  errors.push(createNameFault(verb, pointer, rule, { allowed }));
  return undefined;
}

/**
 * Finds the action of a body whose subsite is unknown, if only one subsite has it, so that the rest
 * of the body can still be checked. Adds an error at `pointer` if no subsite has it: a similar verb
 * of some other subsite would probably be for another service.
 */
export function findActionAnywhere(
  verb: unknown,
  { pointer, registry }: { pointer: string; registry: Registry },
  errors: InputFault[],
): { subsite: Subsite; action: Action } | undefined {
  const [subsite, ...others] = findActionOwners(registry, verb);
  if (subsite)
    return others.length ? undefined : { subsite, action: findAction(subsite, String(verb))! };
  const rule =
    'Use the verb of an action of this subsite. /api/agent/{name} or, over MCP, get_subsite_info lists its actions with their fields. To find the subsite for a need, search with /api/find?q= or list_subsites.';
  errors.push(createNameFault(verb, pointer, rule));
  return undefined;
}

/** Names of fields that accept anything for which no other field exists, best first. */
const FREE_TEXT_FIELDS = ['notes', 'note', 'details', 'message', 'items', 'question'];

const NO_TEXT_FIELD_REMARK = `If the provider needs it, ${SEND_TEXT_ADVICE}, after submitting.`;

/**
 * Errors for unknown names that also say where their information can go, because a program that
 * just removes the name would lose, for example, a street address. Only errors in the object at
 * `base` are changed; `prefix` comes before the names of fields.
 */
export function withFreeTextAdvice(
  errors: readonly InputFault[],
  { fields, purpose, contact }: Pick<Action, 'fields' | 'purpose' | 'contact'>,
  base: readonly string[],
  prefix = '',
): InputFault[] {
  const parent = formatPointer(...base);
  const place = FREE_TEXT_FIELDS.find((name) => fields[name] && kindOf(fields[name]).isFreeText);
  const hasReader = purpose !== 'subscription' && contact === 'required';
  return errors.map((error) => {
    const { pointer, kind, intended } = error;
    if (kind !== 'unknown' || intended !== undefined || parentOf(pointer) !== parent) return error;
    if (place !== undefined)
      return withAdvice(error, `Send it in ${prefix}${place}, or remove it.`);
    return hasReader ? withRemark(error, NO_TEXT_FIELD_REMARK) : error;
  });
}

/**
 * Validates the fields of an action. `base` is their location in the body; `namesByPointer` has
 * names that belong elsewhere in the body.
 */
export function checkFields(
  { subsite, action }: { subsite: Subsite; action: Action },
  value: unknown,
  base: readonly string[],
  registry: Registry,
  errors: InputFault[],
  namesByPointer: NamesByPointer = {},
): FieldValues {
  const checkedFields = validateValue(
    fieldsSchemaOf(registry)(subsite)(action),
    value === undefined ? {} : value,
    base,
    namesByPointer,
  );
  errors.push(
    ...withFreeTextAdvice(checkedFields.errors, action, base),
    ...findReservedNameFaults(action, value, registry, base, checkedFields.errors),
  );
  return checkedFields.output ?? {};
}

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** Where a body may have a phone number or an email address. */
const contactPathsOf = (action: Action): string[][] => [
  ...listContactFieldNames(action).map((name) => ['fields', name]),
  ...contactMethods.map((part) => ['contact', part]),
];

/** Whether a body has a phone number or an email address. */
export const hasContactMethod = (action: Action, body: unknown): boolean =>
  contactPathsOf(action).some((place) =>
    isFilled(place.reduce<unknown>((value, step) => memberOf(value, step), body)),
  );

/**
 * Rejects a form with neither a phone number nor an email address unless the contact is optional.
 */
export function checkReachability(action: Action, body: unknown, errors: InputFault[]): void {
  if (action.contact === 'optional' || hasContactMethod(action, body)) return;
  errors.push({
    pointer: formatPointer(...contactPathsOf(action)[0]!),
    message: fieldInstructions.contact,
  });
}

/**
 * Rejects the members of a body that another URL accepts. @throws {Problem} invalid_input if there
 * are any
 */
export function rejectMisplacedMembers(
  body: Readonly<Record<string, unknown>>,
  names: readonly string[],
  message: string,
): void {
  throwIfAnyFaults(
    names
      .filter((name) => body[name] !== undefined)
      .map((name) => ({ pointer: formatPointer(name), message, kind: 'misplaced' })),
  );
}

/** Rejects a member whose value differs from the value that the URL determines. */
export function checkFixedMember(
  body: unknown,
  name: string,
  fixedValue: string,
  errors: InputFault[],
): void {
  const sent = memberOf(body, name);
  if (sent !== undefined && sent !== fixedValue)
    errors.push({
      pointer: formatPointer(name),
      message: `This URL accepts only ${fixedValue}. Omit the member or send ${fixedValue}.`,
      allowed: [fixedValue],
    });
}
