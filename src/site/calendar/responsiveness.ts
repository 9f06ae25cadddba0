/** With fewer leads, a published figure could identify people. */
export const MIN_LEADS_FOR_FIGURE = 20;
