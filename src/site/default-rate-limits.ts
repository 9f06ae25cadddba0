/**
 * Requests per minute that one key, or one address without a key, may send unless the operator sets
 * other limits.
 */
export const DEFAULT_RATE_LIMITS = { reads: 300, writes: 30, questions: 60 } as const;

/**
 * Leads in 24 hours that one key, or one address without a key, may send unless the operator sets
 * other limits, for one contact and in all, and messages about leads.
 */
export const DEFAULT_LEAD_LIMITS = {
  perContact: 100,
  perAddress: 300,
  messagesPerAddress: 300,
} as const;

/** Characters of a search or question that count as one question, rounded up. */
export const CHARACTERS_PER_QUESTION = 500;

/** The default limits as a sentence for developers. */
export const DEFAULT_RATE_LIMITS_TEXT = `Unless the operator sets other limits, one key, or one address without a key, may send ${DEFAULT_RATE_LIMITS.reads} reads and ${DEFAULT_RATE_LIMITS.writes} writes a minute. Of the reads, ${DEFAULT_RATE_LIMITS.questions} may search or ask in plain words; every ${CHARACTERS_PER_QUESTION} characters of a question or fraction thereof count as one. In 24 hours, one key, or one address without a key, may submit ${DEFAULT_LEAD_LIMITS.perAddress} requests, of which ${DEFAULT_LEAD_LIMITS.perContact} may have the same email address or phone number, and send ${DEFAULT_LEAD_LIMITS.messagesPerAddress} messages about requests; the sandbox does not count. A valid key counts wherever it is sent; an endpoint that needs no key ignores an invalid one.`;
