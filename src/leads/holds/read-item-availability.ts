import { isCalendarDate } from '../../fields/kinds/date.ts';
import type { Context } from '../../operation/context.ts';
import type { InputFault } from '../../operation/problem.ts';
import { throwIfAnyFaults } from '../../operation/validate.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { type DayRange, listDays } from '../../site/calendar/days.ts';
import { isClosedOn } from '../../site/calendar/opening-hours.ts';
import { findHold } from './free-days.ts';
import { parseDays } from './free-days-query.ts';
import { countAvailableUnits, readOccupancy } from './live-holds.ts';

/** How many units of each item are available in a period. */
export interface ItemAvailability {
  days: DayRange;
  /** Days of the period on which the provider is closed. */
  closedDays: string[];
  /** How many units one hold can have on every day of the period, by item. */
  units: ReadonlyMap<string, number>;
}

/**
 * Counts the available units of each item of a subsite from `from` to `to`. The last day defaults
 * to the first; the first day defaults to the first day of a hold.
 * @throws {Problem} invalid_input
 */
export async function readItemAvailability(
  subsite: Subsite,
  query: { from?: string | undefined; to?: string | undefined },
  context: Context,
): Promise<ItemAvailability> {
  const hold = findHold(context.site.registry, subsite)!;
  const errors: InputFault[] = [];
  // An invalid first day is reported as one fault, not two.
  const { from, to = isCalendarDate(from ?? '') ? from : undefined } = query;
  const { days } = parseDays({ from, to }, { subsite, effect: hold.effect }, context, errors);
  throwIfAnyFaults(errors);
  const occupancy = await readOccupancy(hold, days, context);
  return {
    days,
    closedDays: listDays(days).filter((day) => isClosedOn(subsite, day)),
    units: new Map(hold.items.map((item) => [item.id, countAvailableUnits(item, days, occupancy)])),
  };
}
