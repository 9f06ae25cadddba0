import type { LeadStatus } from '../../leads/lead-states.ts';

/*
 * An anchor is inside the collapsed details element that its link opens: browsers open an element
 * around the target by themselves, without a script.
 */

/** Anchor of the person’s message form on a receipt. */
export const MESSAGE_ANCHOR = 'write';

/** Anchor of the form on a receipt that cancels the request. */
export const WITHDRAWAL_ANCHOR = 'withdraw';

/** Anchor of the open offer on a receipt. */
export const OFFER_ANCHOR = 'offer';

/** ID of the form for a person’s answer or message; with a question, the form is the anchor. */
export const customerFormIdOf = (status: LeadStatus): string =>
  status === 'needs_info' ? MESSAGE_ANCHOR : 'customer-form';

/** Path that shows the receipt again with what the person has entered, which a POST contains. */
export const draftPathOf = (receiptToken: string): string => `/receipt/${receiptToken}/draft`;
