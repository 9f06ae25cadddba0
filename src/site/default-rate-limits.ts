/**
 * Requests per minute that one key, or one address without a key, may send unless the operator sets
 * other limits.
 */
export const DEFAULT_RATE_LIMITS = { reads: 300, writes: 30, questions: 60 } as const;

/**
 * Leads, and messages about leads, that one key, or one address without a key, may send in 24 hours
 * unless the operator sets other limits: as many as the given limit on writes allows in ten
 * minutes.
 */
export const dailyWritesOf = (writesPerMinute: number): number => 10 * writesPerMinute;

export const DEFAULT_DAILY_WRITES = dailyWritesOf(DEFAULT_RATE_LIMITS.writes);

/** Unconfirmed holds per key, or per address without a key, unless the operator sets other limits. */
export const DEFAULT_HOLDS_PER_CALLER = 6;

/**
 * Number of characters of a search or question that count as one question; fractions are rounded
 * up.
 */
export const CHARACTERS_PER_QUESTION = 500;

/** Describes the default limits for developers. */
export const DEFAULT_RATE_LIMITS_TEXT = `Unless the operator sets other limits, one key, or one address without a key, may send ${DEFAULT_RATE_LIMITS.reads} reads and ${DEFAULT_RATE_LIMITS.writes} writes a minute. Of the reads, ${DEFAULT_RATE_LIMITS.questions} may search or ask in plain words; a question counts as one for every ${CHARACTERS_PER_QUESTION} characters, rounded up. In 24 hours, one key, or one address without a key, may submit ${DEFAULT_DAILY_WRITES} requests and send ${DEFAULT_DAILY_WRITES} messages about requests; sandbox requests do not count. It may have ${DEFAULT_HOLDS_PER_CALLER} unconfirmed holds at a time. A valid key counts on every endpoint; endpoints that need no key ignore an invalid one.`;
