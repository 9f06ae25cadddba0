/** For documents: the time zone of everything without one. */
export const describeTimeZone = (timeZone: string): string =>
  `Dates and opening hours are in the time zone ${timeZone}; times with an offset or Z are exact.`;
