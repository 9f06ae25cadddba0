import type { LeadStatus } from '../../leads/lead-states.ts';

/*
 * Each anchor is inside the collapsed details element that its link opens, because browsers open
 * the element around a link target without a script.
 */

/** Anchor of the person’s message form on a receipt. */
export const MESSAGE_ANCHOR = 'write';

/** Anchor of the form on a receipt that cancels the request. */
export const WITHDRAWAL_ANCHOR = 'withdraw';

/** Anchor of the open offer on a receipt. */
export const OFFER_ANCHOR = 'offer';

/**
 * ID of the form for a person’s answer or message; if a question is open, it is the message anchor.
 */
export const customerFormIdOf = (status: LeadStatus): string =>
  status === 'needs_info' ? MESSAGE_ANCHOR : 'customer-form';

/**
 * Path that accepts a POST and shows the receipt again with the values that the person has entered.
 */
export const draftPathOf = (receiptToken: string): string => `/receipt/${receiptToken}/draft`;
