import { sql, type SQL } from 'drizzle-orm';
import { holds } from '../../../db/schema.ts';
import type { Item } from '../../registry/catalog.ts';
import { itemsOf } from '../../site/registry.ts';
import { budgetRefusal, countUse, hasRoom } from '../../operation/budgets.ts';
import { insertWhere } from '../../operation/statements.ts';
import { Problem } from '../../operation/problem.ts';
import { pointerTo } from '../../operation/validate.ts';
import { dayIn, type Days, daysBetween } from '../../site/days.ts';
import { type PlanEffect, textOf } from './effect.ts';
import { furthestDay, writtenDay } from '../asked-days.ts';
import { catalogRefusal, holdCounts, holdTerm, leavesEnough } from './hold-budgets.ts';
import { alternatives, overlapping } from './live-holds.ts';

/**
 * The lowest unit of the item without a live hold on the days, as a subquery; null where there is
 * none.
 */
const freeUnit = (catalog: string, item: Item, days: Days, now: Date): SQL =>
  sql`(with recursive units(n) as (select 1 union all select n + 1 from units where n < ${item.units ?? 1}) select min(n) from units where not exists (select 1 from ${holds} where ${holds.item} = ${item.id} and ${holds.unit} = n and ${overlapping(catalog, days, now)}))`;

/**
 * Holds one unit of a catalog item for a range of days: never two live holds of a unit on one day.
 */
export const planHold: PlanEffect<'hold'> = async (planned) => {
  const { effect, input, token, now, context, fieldsAt, call } = planned;
  const { catalog } = effect;
  const items = itemsOf(context.site.registry, catalog);
  const item = items.find(({ id }) => id === textOf(input, effect.itemField));
  const from = textOf(input, effect.fromField);
  const days = from && { from, to: textOf(input, effect.toField) ?? from };
  // Without an item or a day there is nothing to hold; the record may leave them optional.
  if (!item || !days)
    return { extra: {}, guards: [], rows: () => [], refusal: async () => 'again' };
  const furthest = furthestDay(effect, planned);
  const dayOf = (day: string) => writtenDay(call.channel, day);
  const expiresAt = holdTerm(planned);
  const counts = await holdCounts(planned, expiresAt);
  const unit = freeUnit(catalog, item, days, now);
  return {
    extra: { hold: { expiresAt } },
    hold: { item: item.id, ...days, expiresAt },
    guards: [
      ...hasRoom(counts, now),
      ...leavesEnough(items, catalog, days, planned),
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
      ...countUse(counts, token, written),
    ],
    async refusal() {
      const refusal =
        (await budgetRefusal(counts, context)) ??
        (await conflict(items, item, days, furthest)) ??
        (await catalogRefusal(items, catalog, days, planned));
      if (refusal) throw refusal;
      return 'again';
    },
  };

  /**
   * The refusal of an item that others hold, with what is free instead; undefined where it is free.
   */
  async function conflict(
    all: readonly Item[],
    wanted: Item,
    asked: Days,
    until: string | undefined,
  ): Promise<Problem | undefined> {
    const today = dayIn(context.site.registry.network.timeZone, now);
    const { free, others } = await alternatives(
      { all, wanted, asked, today, until, catalog, now },
      context,
    );
    if (free.includes(wanted)) return undefined;
    const ids = free.map(({ id }) => id);
    const nameOf = ({ id, title }: Item) => (call.channel === 'form' ? title : id);
    const during = ({ from: first, to: last }: Days) =>
      daysBetween({ from: dayOf(first), to: dayOf(last) });
    const when = during(asked);
    const instead = free.length
      ? `Free ${when}: ${free.map(nameOf).join(', ')}.`
      : `Nothing else is free ${when}.`;
    const elsewhen =
      others.length && `${nameOf(wanted)} is free ${others.map(during).join(' or ')}.`;
    const begins = others.map(({ from: first }) => first);
    return new Problem(
      'conflict',
      `${nameOf(wanted)} is not free ${when}. ${instead} ${elsewhen || 'Or choose other days.'}`,
      {
        errors: [
          {
            pointer: pointerTo(...fieldsAt, effect.itemField),
            message: `It is taken on one or more of these days. ${instead}`,
            allowed: ids,
          },
          ...(elsewhen
            ? [
                {
                  pointer: pointerTo(...fieldsAt, effect.fromField),
                  message: `To keep this item, choose ${begins.map(dayOf).join(' or ')}. ${elsewhen}`,
                  allowed: begins,
                },
                ...(textOf(input, effect.toField) === undefined
                  ? []
                  : [
                      {
                        pointer: pointerTo(...fieldsAt, effect.toField),
                        message: others
                          .map((days) =>
                            days.from === days.to
                              ? `If the first day is ${dayOf(days.from)}, choose it here too.`
                              : `If the first day is ${dayOf(days.from)}, choose ${dayOf(days.to)}.`,
                          )
                          .join(' '),
                        allowed: others.map(({ to: last }) => last),
                      },
                    ]),
              ]
            : []),
        ],
      },
    );
  }
};
