/** The inputs of a provider's offer that a rejected form must not lose. */
export const OFFER_INPUTS = ['item', 'from', 'to', 'amount', 'description'] as const;

/** The inputs for the day and time of a visit, which a rejected form must not lose. */
export const VISIT_INPUTS = ['visitDay', 'visitTime'] as const;
