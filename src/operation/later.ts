const HOUR = 3_600_000;

/** A time plus a number of hours, as ISO 8601. */
export const hoursLater = (from: Date, hours: number): string =>
  new Date(from.getTime() + hours * HOUR).toISOString();
/** A time plus a number of days, as ISO 8601. */
export const daysLater = (from: Date, days: number): string => hoursLater(from, 24 * days);
