import type { Context } from '../../operation/context.ts';
import type { InputFault } from '../../operation/problem.ts';
import { throwIfAnyFaults } from '../../operation/validate.ts';
import type { Subsite } from '../../registry/subsite.ts';
import { findHold } from './free-days.ts';
import { parseDays } from './free-days-query.ts';
import { computeUnconfirmedLimit } from './hold-budgets.ts';
import { countAvailableUnits, readOccupancy } from './live-holds.ts';

/**
 * How many units of each item of a subsite one hold can have on every day from `from` to `to`, by
 * item. Without a last day, it is the same day; without a first day, the first day of a hold.
 * @throws {Problem} invalid_input
 */
export async function readFreeUnits(
  subsite: Subsite,
  query: { from?: string | undefined; to?: string | undefined },
  context: Context,
): Promise<Map<string, number>> {
  const { effect, items } = findHold(context.site.registry, subsite)!;
  const errors: InputFault[] = [];
  const { days } = parseDays(
    { from: query.from, to: query.to ?? query.from },
    { subsite, effect },
    context,
    errors,
  );
  throwIfAnyFaults(errors);
  const maxUnconfirmed = computeUnconfirmedLimit(items, context.budgets);
  const occupancy = await readOccupancy(effect.catalog, days, maxUnconfirmed, context);
  return new Map(items.map((item) => [item.id, countAvailableUnits(item, days, occupancy)]));
}
