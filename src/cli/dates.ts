/**
 * The time that a date names, or a date and a time (ISO 8601); undefined where the calendar has no
 * such day.
 */
export function timeOf(text: string): Date | undefined {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:T|$)/.exec(text) ?? [];
  if (!day) return undefined;
  const [midnight, time] = [new Date(`${day}T00:00:00Z`), new Date(text)];
  // What does not exist, such as 30 February, would count on into the next month.
  const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  return exists && !Number.isNaN(time.getTime()) ? time : undefined;
}
