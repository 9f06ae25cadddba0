/*
 * Names of the inputs of every form that are no part of the request body. They begin with an underscore, which no field
 * name does.
 */

/** The idempotency key: minted in the page, so that a double click is one lead (contract.md “One intent, one lead”). */
export const KEY_INPUT = '_key';

/** The honeypot: people do not see it; where it is filled in, the lead is marked. */
export const HONEYPOT_INPUT = '_website';
