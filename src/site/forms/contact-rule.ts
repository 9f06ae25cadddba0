import { kindOf } from '../../fields/fields.ts';
import type { Action } from '../../registry/schemas/action.ts';

/**
 * Schema description of an action's `contact`, which is optional, although nobody can answer
 * without it.
 */
export const CONTACT_ADVICE =
  'Where to reply. Send a phone number or an email address, here or in a field for it; without one, the request is accepted, but nobody can call or write back.';

/** The property of a plain lead’s data that contains the question from a form. */
export const QUESTION_FIELD = 'question';

/** The contact details by which a person can be reached, in form order. */
export const contactMethods = ['phone', 'email'] as const;

/**
 * Lists the names of an action’s own fields for the given contact details, by default for all of
 * them, in order.
 */
export const listContactFieldNames = (
  { fields }: Pick<Action, 'fields'>,
  methods: readonly (typeof contactMethods)[number][] = contactMethods,
): string[] =>
  Object.keys(fields).filter((name) =>
    methods.some((method) => method === kindOf(fields[name]!).contactMethod),
  );
