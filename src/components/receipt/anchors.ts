/** Anchor of the person’s message form on a receipt. */
export const MESSAGE_ANCHOR = 'write';

/** Anchor of the form on a receipt that cancels the request. */
export const WITHDRAWAL_ANCHOR = 'withdraw';

/** Anchor of the open offer on a receipt. */
export const OFFER_ANCHOR = 'offer';
