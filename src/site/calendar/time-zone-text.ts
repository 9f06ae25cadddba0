/** Tells readers of a document in which time zone its dates and times are. */
export const describeTimeZone = (timeZone: string): string =>
  `Dates and opening hours are in the time zone ${timeZone}; times with an offset or Z are exact.`;
