import { kindOf } from '../../fields/fields.ts';
import type { Action } from '../../registry/action.ts';

/**
 * Schema description for an action's contact, which is optional, although nobody can answer without
 * it.
 */
export const CONTACT_ADVICE =
  'Who gets the answer. Send a phone number or an email address, here or in a field for it; without one, the request is accepted, but nobody can call or write back.';

/** Property in a plain lead’s data for the question from a form. */
export const QUESTION_FIELD = 'question';

/** Contact details for reaching a person, in form order. */
export const contactMethods = ['phone', 'email'] as const;

/**
 * Names of an action’s own fields for these contact details, in order; by default, for all of them.
 */
export const listContactFieldNames = (
  { fields }: Pick<Action, 'fields'>,
  methods: readonly (typeof contactMethods)[number][] = contactMethods,
): string[] =>
  Object.keys(fields).filter((name) =>
    methods.some((method) => method === kindOf(fields[name]!).contactMethod),
  );
