import type { Network } from './network.ts';
import type { ClosedDay } from '../site/calendar/opening-hours.ts';
import type { Subsite } from './subsite.ts';

/** Adds the network’s closed days to a subsite that has hours, unless its record opts out. */
export function withNetworkClosedDays(
  subsite: Subsite,
  { closedDays = [] }: Partial<Network>,
): Subsite {
  const { hours, closedDays: ownDays = [], skipNetworkClosedDays } = subsite;
  const networkDays = skipNetworkClosedDays
    ? []
    : closedDays.filter(({ date }) => ownDays.every((own) => own.date !== date));
  return hours && networkDays.length
    ? { ...subsite, closedDays: [...ownDays, ...networkDays], networkClosedDays: networkDays }
    : subsite;
}

/** The closed days that a subsite’s own record lists. */
export const ownClosedDaysOf = ({
  closedDays = [],
  networkClosedDays = [],
}: Subsite): ClosedDay[] =>
  closedDays.filter(({ date }) => !networkClosedDays.some((day) => day.date === date));
