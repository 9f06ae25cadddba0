import type { Network } from './schemas/network.ts';
import { includesDay } from '../site/calendar/days.ts';
import type { ClosedDay } from '../site/calendar/opening-hours.ts';
import type { Subsite } from './schemas/subsite.ts';

const includesDayOf = (days: readonly ClosedDay[], date: string) =>
  days.some((day) => includesDay(day.date, date));

/** Adds the network’s closed days to a subsite with hours, unless its record opts out. */
export function withNetworkClosedDays(
  subsite: Subsite,
  { closedDays = [] }: Partial<Network>,
): Subsite {
  const { hours, closedDays: ownDays = [], skipNetworkClosedDays } = subsite;
  const networkDays = skipNetworkClosedDays
    ? []
    : closedDays.filter(({ date }) => !includesDayOf(ownDays, date));
  return hours && networkDays.length
    ? {
        ...subsite,
        closedDays: [
          ...ownDays.filter(({ date }) => !includesDayOf(networkDays, date)),
          ...networkDays,
        ],
        networkClosedDays: networkDays,
      }
    : subsite;
}

/** Returns only the closed days that a subsite’s own record lists. */
export const ownClosedDaysOf = ({
  closedDays = [],
  networkClosedDays = [],
}: Subsite): ClosedDay[] =>
  closedDays.filter(({ date }) => !networkClosedDays.some((day) => day.date === date));
