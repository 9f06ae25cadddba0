import type { Subsite } from '../../registry/schemas/subsite.ts';
import type { Site } from '../site.ts';
import { toDateInTimeZone } from './days.ts';
import { listClosedDates } from './opening-hours.ts';

/**
 * Lists closed days, YYYY-MM-DD, from the build date or the date of the record, whichever is later.
 */
export function listUpcomingClosedDates(
  { generatedAt, registry }: Site,
  { closedDays = [], updated }: Subsite,
): string[] {
  const today = toDateInTimeZone(registry.network.timeZone, new Date(generatedAt));
  return listClosedDates(closedDays, updated > today ? updated : today);
}
