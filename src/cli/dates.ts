/** Parses a date, or a date and time (ISO 8601); undefined for a date that does not exist. */
export function parseDateTime(text: string): Date | undefined {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:T|$)/.exec(text) ?? [];
  if (!day) return undefined;
  const [midnight, time] = [new Date(`${day}T00:00:00Z`), new Date(text)];
  // A nonexistent date, such as February 30, would roll over into the next month.
  const isCalendarDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  return isCalendarDay && !Number.isNaN(time.getTime()) ? time : undefined;
}
