/*
 * Names of form inputs. Inputs that are not part of the request body have names that start with an
 * underscore, unlike any field name.
 */

/** The idempotency key, generated in the page so that a double click creates only one lead. */
export const KEY_INPUT = '_key';

/** The honeypot, which people do not see; if it is filled in, the lead is flagged. */
export const HONEYPOT_INPUT = '_website';

/**
 * An email address that the person was asked to check because its domain looks mistyped. If the
 * person sends the same address again, it is accepted.
 */
export const CHECKED_EMAIL_INPUT = '_checkedEmail';

/**
 * The query string of the calendar of available days, sent by a button that shows the calendar for
 * other days.
 */
export const DAYS_INPUT = '_days';

/** Parameter in {@link DAYS_INPUT}, set if the button only shows earlier or later days. */
export const TURN_PARAMETER = 'turn';

/** The days that the text of a message asks for, as a query string of the calendar. */
export const DESIRED_DAYS_INPUT = '_wish';

/** Query parameter that names a form, such as `trailer.book_trailer`. */
export const FORM_PARAMETER = 'form';

/** Query parameter with the item’s ID, for a form on an item’s page. */
export const ITEM_PARAMETER = 'item';

/** Query parameter of a page that shows the form for sending a request again. */
export const RESUBMIT_PARAMETER = '_again';

/** Anchor for the form of a subsite that has no actions. */
export const CONTACT_ANCHOR = 'contact';

/**
 * The URL to which a form on a subsite’s or item’s page is sent; a browser that opens this URL is
 * redirected to the form.
 */
export const formUrlOf = (
  subsite: { name: string; leadEndpoint: string },
  anchor: string,
  item?: string,
): string =>
  `${subsite.leadEndpoint}?${FORM_PARAMETER}=${subsite.name}.${anchor}${item === undefined ? '' : `&${ITEM_PARAMETER}=${item}`}`;

export type ContactPart = 'name' | 'email' | 'phone';

/**
 * Names of the inputs in a lead form, with dots for JSON nesting. Pages use them to render the
 * form, and the operation uses them to parse it.
 */
export interface LeadInputs {
  /** The input that names the subsite, and the property of its record with the value. */
  subsite: { input: string; recordKey: 'name' | 'leadSource' };
  action: string;
  /** The member of the body that contains the action’s fields. */
  fields: 'fields' | 'data';
  /** Inputs for contact details; a detail without an input is not accepted. */
  contact: Readonly<Partial<Record<ContactPart, string>>>;
  /** Describes for software what the form requires in addition to what JSON requires. */
  rule: string;
  required: readonly ContactPart[];
}

/** Inputs of an action form. */
export const actionInputs: LeadInputs = {
  subsite: { input: 'subsite', recordKey: 'name' },
  action: 'action',
  fields: 'fields',
  rule: 'If someone has to answer, a form requires a phone number or an email address: contact.phone, contact.email, or an action field for one of them. JSON requires neither, but nobody can call or write back without one.',
  contact: { name: 'contact.name', email: 'contact.email', phone: 'contact.phone' },
  required: [],
};

/** Inputs of a plain lead form, which sends the action as part of its data. */
export const captureInputs: LeadInputs = {
  subsite: { input: 'source', recordKey: 'leadSource' },
  action: 'data.action',
  fields: 'data',
  rule: 'The form of a subsite that answers questions also requires data.question, unless data.action names an action. JSON does not require it.',
  contact: { name: 'name', email: 'email' },
  required: ['email'],
};
