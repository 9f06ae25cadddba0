/**
 * Minimum number of leads for a published figure, so that a handful of people cannot be identified.
 */
export const MIN_LEADS_FOR_FIGURE = 20;
