import type { Subsite } from '../../registry/subsite.ts';
import type { Site } from '../site.ts';
import { toDateInTimeZone } from './days.ts';
import { listClosedDates } from './opening-hours.ts';

/** Closed days, YYYY-MM-DD, from the day of the build or, if later, the date of the record. */
export function listUpcomingClosedDates(
  { generatedAt, registry }: Site,
  { closedDays = [], updated }: Subsite,
): string[] {
  const today = toDateInTimeZone(registry.network.timeZone, new Date(generatedAt));
  return listClosedDates(closedDays, updated > today ? updated : today);
}
