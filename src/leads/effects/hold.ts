import { sql, type SQL } from 'drizzle-orm';
import { holds } from '../../../db/schema-effects.ts';
import type { Item } from '../../registry/catalog.ts';
import { itemsOf } from '../../site/registry.ts';
import { budgetRefusal, recordUses, withinBudgets } from '../../operation/budgets.ts';
import { insertWhere } from '../../operation/statements.ts';
import type { Days } from '../../site/calendar/days.ts';
import { budgetsOf, type PlanEffect, textOf } from './effect.ts';
import {
  holdCounts,
  holdTerm,
  withinUnconfirmedLimit,
  unconfirmedLimit,
} from '../holds/hold-budgets.ts';
import { unitRefusal } from '../holds/hold-refusal.ts';
import { overlapping } from '../holds/live-holds.ts';

/**
 * Subquery for the lowest unit of the item without a live hold on the days; null if there is none.
 */
const freeUnit = (catalog: string, item: Item, days: Days, now: Date): SQL =>
  sql`(with recursive units(n) as (select 1 union all select n + 1 from units where n < ${item.units ?? 1}) select min(n) from units where not exists (select 1 from ${holds} where ${holds.item} = ${item.id} and ${holds.unit} = n and ${overlapping(catalog, days, now)}))`;

/**
 * Holds one unit of a catalog item for a range of days. A unit never has two live holds on the same
 * day.
 */
export const planHold: PlanEffect<'hold'> = async (planned) => {
  const { effect, input, token, now, context } = planned;
  const { catalog } = effect;
  const items = itemsOf(context.site.registry, catalog);
  const item = items.find(({ id }) => id === textOf(input, effect.itemField));
  const from = textOf(input, effect.fromField);
  const days = from && { from, to: textOf(input, effect.toField) ?? from };
  // Without an item or a date there is nothing to hold; both may be optional in the record.
  if (!item || !days)
    return { extra: {}, guards: [], rows: () => [], refusal: async () => 'retry' };
  const maxUnconfirmed = unconfirmedLimit(items, budgetsOf(planned));
  const expiresAt = holdTerm(planned);
  const counts = await holdCounts(planned, expiresAt);
  const unit = freeUnit(catalog, item, days, now);
  return {
    extra: { hold: { expiresAt } },
    hold: { item: item.id, ...days, expiresAt },
    guards: [
      ...withinBudgets(counts, now),
      ...withinUnconfirmedLimit(maxUnconfirmed, catalog, days, now),
      sql`${unit} is not null`,
    ],
    rows: (written) => [
      insertWhere(
        holds,
        {
          lead: token,
          catalog,
          item: item.id,
          unit,
          fromDay: days.from,
          toDay: days.to,
          expiresAt,
          releasedAt: null,
        },
        written,
      ),
      ...recordUses(counts, token, written),
    ],
    async refusal() {
      const refusal =
        (await budgetRefusal(counts, context)) ??
        (await unitRefusal({ planned, items, item, days, maxUnconfirmed: maxUnconfirmed }));
      if (refusal) throw refusal;
      return 'retry';
    },
  };
};
