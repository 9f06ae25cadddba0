import { and, eq, gt, gte, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import { holds } from '../../../db/schema.ts';
import { type Item, itemsOf } from '../../registry/index.ts';
import type { Context } from '../context.ts';
import { hoursLater } from '../receipt.ts';
import { insertWhere } from '../statements.ts';
import type { InputError } from '../problem.ts';
import { pointerTo, refuse, refuseIfAny } from '../validate.ts';
import { type PlanEffect, textOf } from './effect.ts';

/** Days asked for: first and last, both inclusive. */
interface Days {
  from: string;
  to: string;
}

const DAY = 86_400_000;

/** A day so many days later, YYYY-MM-DD; the last of the calendar’s four-figure years at most. */
const daysAfter = (day: string, count: number): string => new Date(Math.min(Date.parse(day) + count * DAY, Date.UTC(9999, 11, 31))).toISOString().slice(0, 10);

/** The day that it is in a time zone, YYYY-MM-DD. */
export const dayIn = (timeZone: string, now: Date): string => {
  const parts = Object.fromEntries(new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(now).map(({ type, value }) => [type, value]));
  return `${parts['year']}-${parts['month']}-${parts['day']}`;
};

/** Live holds of a catalog that overlap the days. */
const overlapping = (catalog: string, { from, to }: Days, now: Date): SQL =>
  and(eq(holds.catalog, catalog), lte(holds.fromDay, to), gte(holds.toDay, from), isNull(holds.releasedAt), or(isNull(holds.expiresAt), gt(holds.expiresAt, now.toISOString())))!;

/** The lowest unit of the item without a live hold on the days, as a subquery; null where there is none. */
const freeUnit = (catalog: string, item: Item, days: Days, now: Date): SQL =>
  sql`(with recursive units(n) as (select 1 union all select n + 1 from units where n < ${item.units ?? 1}) select min(n) from units where not exists (select 1 from ${holds} where ${holds.item} = ${item.id} and ${holds.unit} = n and ${overlapping(catalog, days, now)}))`;

/** Items of a catalog with a unit that is free on the days. */
async function freeItems(catalog: string, days: Days, now: Date, { database, site }: Context): Promise<Item[]> {
  const rows = await database.writer.select({ item: holds.item, unit: holds.unit }).from(holds).where(overlapping(catalog, days, now));
  return itemsOf(site.registry, catalog).filter((item) => new Set(rows.filter((row) => row.item === item.id).map((row) => row.unit)).size < (item.units ?? 1));
}

/** Holds one unit of a catalog item for a range of days: never two live holds of a unit on one day. */
export const planHold: PlanEffect<'hold'> = async ({ effect, input, token, now, context, fieldsAt }) => {
  const { catalog } = effect;
  const items = itemsOf(context.site.registry, catalog);
  const item = items.find(({ id }) => id === textOf(input, effect.itemField));
  const from = textOf(input, effect.fromField);
  const days = from && { from, to: textOf(input, effect.toField) ?? from };
  // Without an item or a day there is nothing to hold; the record may leave them optional.
  if (!item || !days) return { extra: {}, guards: [], rows: () => [], refusal: async () => 'again' };
  const errors: InputError[] = [];
  const today = dayIn(context.site.registry.network.timeZone, now);
  const latest = daysAfter(days.from, effect.longestDays - 1);
  if (days.from < today) errors.push({ pointer: pointerTo(...fieldsAt, effect.fromField), message: `Choose ${today} or a later day.` });
  else if (days.to > latest) errors.push({ pointer: pointerTo(...fieldsAt, effect.toField), message: `Choose ${latest} or an earlier day: at most ${effect.longestDays} days are held.` });
  // A call that is repeated later gets its first answer, so this is told where there is none.
  if (errors.length) return { extra: {}, guards: [sql`false`], rows: () => [], refusal: async () => (refuseIfAny(errors), 'again') };
  const expiresAt = hoursLater(now, effect.hours);
  const unit = freeUnit(catalog, item, days, now);
  return {
    extra: { hold: { expiresAt } },
    guards: [sql`${unit} is not null`],
    rows: (written) => [insertWhere(holds, { lead: token, catalog, item: item.id, unit, fromDay: days.from, toDay: days.to, expiresAt, releasedAt: null }, written)],
    async refusal() {
      const free = await freeItems(catalog, days, now, context);
      if (free.includes(item)) return 'again';
      const instead = free.length ? `Free on these days: ${free.map((other) => other.id).join(', ')}; or choose other days.` : 'Nothing else is free on these days; choose other days.';
      throw refuse(pointerTo(...fieldsAt, effect.itemField), `It is held on these days. ${instead}`, free.map((other) => other.id));
    },
  };
};
