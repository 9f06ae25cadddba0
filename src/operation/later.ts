const HOUR = 3_600_000;

/** The time that many hours later. */
export const hoursLater = (from: Date, hours: number): string =>
  new Date(from.getTime() + hours * HOUR).toISOString();
/** The time that many days later. */
export const daysLater = (from: Date, days: number): string => hoursLater(from, 24 * days);
