/*
 * Names of the inputs of forms. Those that are no part of the request body begin with an
 * underscore, which no field name does.
 */

/**
 * The idempotency key: minted in the page, so that a double click is one lead (contract.md “One
 * intent, one lead”).
 */
export const KEY_INPUT = '_key';

/** The honeypot: people do not see it; where it is filled in, the lead is marked. */
export const HONEYPOT_INPUT = '_website';

/**
 * Query parameter of the address that a form posts to: whose form it is, for example
 * `trailer.book_trailer`.
 */
export const FORM_PARAMETER = 'form';

/** Anchor of the form of a subsite that takes no action. */
export const CONTACT_ANCHOR = 'contact';

/**
 * Where a form of a subsite posts; a browser that opens this address anew is led back to the form.
 */
export const formAddress = (
  subsite: { name: string; leadEndpoint: string },
  anchor: string,
): string => `${subsite.leadEndpoint}?${FORM_PARAMETER}=${subsite.name}.${anchor}`;

/** Parts of a contact that a form asks for. */
export type ContactPart = 'name' | 'email' | 'phone';

/**
 * The inputs of a lead form, dotted where the JSON body nests (contract.md “One intent, one lead”).
 * Pages draw the form by it, and the operation that takes it reads it by it.
 */
export interface LeadInputs {
  /** The input that names the subsite, and the member of its record that is its value. */
  subsite: { input: string; by: 'name' | 'leadSource' };
  /** The input that names the action. */
  action: string;
  /** The member of the body that holds the action’s fields. */
  fields: 'fields' | 'data';
  /** The inputs for the contact; a part without one is not taken. */
  contact: Readonly<Partial<Record<ContactPart, string>>>;
  /** Parts of the contact that the endpoint refuses to be without. */
  required: readonly ContactPart[];
}

/** Inputs of an action. */
export const actionInputs: LeadInputs = {
  subsite: { input: 'subsite', by: 'name' },
  action: 'action',
  fields: 'fields',
  contact: { name: 'contact.name', email: 'contact.email', phone: 'contact.phone' },
  required: [],
};

/** Inputs of a plain lead, which takes an action inside its data. */
export const captureInputs: LeadInputs = {
  subsite: { input: 'source', by: 'leadSource' },
  action: 'data.action',
  fields: 'data',
  contact: { name: 'name', email: 'email' },
  required: ['email'],
};
