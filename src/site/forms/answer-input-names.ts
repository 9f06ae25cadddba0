/** Names of the inputs for a provider's offer, whose values a rejected form must keep. */
export const OFFER_INPUTS = ['item', 'from', 'to', 'amount', 'description'] as const;

/** Names of the inputs for the day and time of a visit, whose values a rejected form must keep. */
export const VISIT_INPUTS = ['visitDay', 'visitTime'] as const;
