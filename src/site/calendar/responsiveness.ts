/** Minimum number of leads for a published figure; with fewer, it could identify people. */
export const MIN_LEADS_FOR_FIGURE = 20;
