/*
 * Names of the inputs of every form that are no part of the request body. They begin with an
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
