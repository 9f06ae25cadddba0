import { kindOf } from '../fields/fields.ts';
import type { Action } from '../registry/action.ts';

/** Shown at a form that leaves no way to answer; script and server say the same. */
export const CONTACT_NEEDED = 'Enter a phone number or an email address so that we can reach you.';

/** What schemas say of the contact of an action: it is accepted without, and then nobody answers. */
export const CONTACT_ADVICE =
  'Whom to answer. Send a phone number or an email address: without either, the request is accepted, but nobody can call or write back.';

/** Member of a plain lead’s data that holds the question of a page’s form. */
export const QUESTION_FIELD = 'question';

/**
 * Parts of a contact by which a person can be reached, in the order in which a form asks for them.
 */
export const reachParts = ['phone', 'email'] as const;

/** Names of an action’s own fields that hold a phone number or an email address, in their order. */
export const reachFields = ({ fields }: Pick<Action, 'fields'>): string[] =>
  Object.entries(fields)
    .filter(([, field]) => kindOf(field).reach)
    .map(([name]) => name);
