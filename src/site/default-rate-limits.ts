/**
 * Requests per minute that one key, or one address without a key, may send unless the operator sets
 * other limits.
 */
export const DEFAULT_RATE_LIMITS = { reads: 300, writes: 30 } as const;

/** The default limits as a sentence for developers. */
export const DEFAULT_RATE_LIMITS_TEXT = `Unless the operator sets other limits, one key, or one address without a key, may send ${DEFAULT_RATE_LIMITS.reads} reads and ${DEFAULT_RATE_LIMITS.writes} writes a minute. A valid key counts wherever it is sent; an endpoint that needs no key ignores an invalid one.`;
