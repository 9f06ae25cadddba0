import { and, eq, gt, gte, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import { holds } from '../../../db/schema-effects.ts';
import type { HoldEffect } from '../../registry/schemas/action.ts';
import type { Item } from '../../registry/schemas/catalog.ts';
import type { Budgets, Context } from '../../operation/context.ts';
import { combineConditions } from '../../operation/statements.ts';
import { type DayRange, addDays, countDaysBetween } from '../../site/calendar/days.ts';

/**
 * Condition for the holds of a catalog that overlap the days and are live: not released, and either
 * confirmed or not expired.
 */
export const createOverlapCondition = (catalog: string, { from, to }: DayRange, now: Date): SQL =>
  combineConditions(
    eq(holds.catalog, catalog),
    isNull(holds.releasedAt),
    or(isNull(holds.expiresAt), gt(holds.expiresAt, now.toISOString())),
    lte(holds.fromDay, to),
    gte(holds.toDay, from),
  );

/** Condition for the holds of all leads except one, if one is given. */
export const belongsToAnotherLead = (receiptToken: string | undefined): SQL | undefined =>
  receiptToken === undefined ? undefined : ne(holds.lead, receiptToken);

/**
 * Maximum number of a catalog's units that unconfirmed holds can occupy on one day: a percentage,
 * but at least one, so that a single item can be held. Undefined if unlimited.
 */
export function computeUnconfirmedLimit(
  items: readonly Item[],
  budgets: Pick<Budgets, 'holdsShare'> | undefined,
): number | undefined {
  const percent = budgets?.holdsShare ?? 0;
  const units = items.reduce((sum, item) => sum + (item.units ?? 1), 0);
  return percent === 0 ? undefined : Math.max(1, Math.floor((units * percent) / 100));
}

/**
 * Subquery for the lowest unit of an item that no lead except `lead` holds on the days; null if
 * other leads hold as many units as the item has. Held units count regardless of their numbers,
 * because the catalog may have had more units when they were held.
 */
export const selectFreeUnit = (
  catalog: string,
  { id, units = 1 }: Pick<Item, 'id' | 'units'>,
  days: DayRange,
  now: Date,
  receiptToken?: string,
): SQL =>
  sql`(with recursive units(n) as (select 1 union all select n + 1 from units where n < ${units}), held as (select distinct ${holds.unit} as n from ${holds} where ${and(eq(holds.item, id), createOverlapCondition(catalog, days, now), belongsToAnotherLead(receiptToken))}) select min(n) from units where n not in (select n from held) and (select count(*) from held) < ${units})`;

/** A live hold: the days on which a unit of an item is held. */
export interface LiveHold extends DayRange {
  item: string;
  unit: number;
  /** Null if confirmed. */
  expiresAt: string | null;
}

/** Live holds of a catalog in a range of days, and its capacity for more. */
export interface Occupancy {
  liveHolds: readonly LiveHold[];
  /** Maximum number of units in unconfirmed holds on one day; absent if unlimited. */
  maxUnconfirmed?: number | undefined;
}

const areOverlapping = (first: DayRange, second: DayRange) =>
  first.from <= second.to && second.from <= first.to;

/**
 * The maximum number of unconfirmed holds on any of the days. Checks only the first day and the
 * days when holds start.
 */
export function countPeakUnconfirmedHolds(days: DayRange, liveHolds: readonly LiveHold[]): number {
  const unconfirmedHolds = liveHolds.filter(
    (hold) => hold.expiresAt !== null && areOverlapping(hold, days),
  );
  const startDays = [
    days.from,
    ...unconfirmedHolds.map(({ from }) => from).filter((day) => day > days.from),
  ];
  return Math.max(
    ...startDays.map(
      (day) =>
        unconfirmedHolds.filter((hold) => areOverlapping(hold, { from: day, to: day })).length,
    ),
  );
}

/**
 * Number of an item's units that are available for an unconfirmed hold on the days, up to the
 * catalog's limit. Rejections and alternatives use this count; the write's guards express the same
 * rule in SQL.
 */
export function countAvailableUnits(
  { id, units = 1 }: Item,
  days: DayRange,
  { liveHolds, maxUnconfirmed = Infinity }: Occupancy,
): number {
  const overlappingHolds = liveHolds.filter(
    (hold) => hold.item === id && areOverlapping(hold, days),
  );
  const free = units - new Set(overlappingHolds.map(({ unit }) => unit)).size;
  return Math.max(0, Math.min(free, maxUnconfirmed - countPeakUnconfirmedHolds(days, liveHolds)));
}

/**
 * When enough holds will have expired for the rest to meet a condition, ISO 8601; undefined if
 * never.
 */
export const findExpiryFor = (
  isMet: (remainingHolds: readonly LiveHold[]) => boolean,
  liveHolds: readonly LiveHold[],
): string | undefined =>
  liveHolds
    .flatMap(({ expiresAt }) => expiresAt ?? [])
    .sort()
    .find((end) =>
      isMet(liveHolds.filter(({ expiresAt }) => expiresAt === null || expiresAt > end)),
    );

/** The live holds of a catalog that overlap the days and meet `condition`, if present. */
export const selectOverlappingHolds = (
  catalog: string,
  days: DayRange,
  now: Date,
  connection: Context['database']['reader'],
  condition?: SQL,
): Promise<LiveHold[]> =>
  connection
    .select({
      item: holds.item,
      unit: holds.unit,
      from: holds.fromDay,
      to: holds.toDay,
      expiresAt: holds.expiresAt,
    })
    .from(holds)
    .where(and(createOverlapCondition(catalog, days, now), condition));

/** The effect of an action that holds items, with those items. */
interface HeldCatalog {
  effect: HoldEffect;
  items: readonly Item[];
}

/** Reads the current live holds of a catalog that overlap the days, except those of one lead. */
export const readOccupancy = async (
  { effect: { catalog }, items }: HeldCatalog,
  days: DayRange,
  { database, now, budgets }: Pick<Context, 'database' | 'now' | 'budgets'>,
  receiptToken?: string,
): Promise<Occupancy> => ({
  liveHolds: await selectOverlappingHolds(
    catalog,
    days,
    now(),
    database.reader,
    belongsToAnotherLead(receiptToken),
  ),
  maxUnconfirmed: computeUnconfirmedLimit(items, budgets),
});

/**
 * Reads how many units of an item are currently available for each range of days, to the lead with
 * the receipt token if one is given.
 */
export async function readAvailableUnits(
  catalog: HeldCatalog,
  item: Item,
  ranges: readonly DayRange[],
  context: Pick<Context, 'database' | 'now' | 'budgets'>,
  receiptToken?: string,
): Promise<number[]> {
  const days = ranges.flatMap(({ from, to }) => [from, to]).sort();
  const all = { from: days[0]!, to: days.at(-1)! };
  const occupancy = await readOccupancy(catalog, all, context, receiptToken);
  return ranges.map((range) => countAvailableUnits(item, range, occupancy));
}

/**
 * The nearest earlier and later ranges of the same length in which an item can be held. A hold may
 * begin no earlier than `first`, and no later than `until` if present.
 */
export function findNearestDays(
  item: Item,
  requestedDays: DayRange,
  { first, until }: { first: string; until: string | undefined },
  occupancy: Occupancy,
): DayRange[] {
  const length = countDaysBetween(requestedDays);
  const findNearest = (startDays: string[]) =>
    startDays
      .filter((from) => from >= first && (until === undefined || from <= until))
      .map((from) => ({ from, to: addDays(from, length) }))
      .find((days) => countAvailableUnits(item, days, occupancy) > 0);
  // Availability changes only on the day before a hold starts and the day after a hold ends.
  const earlierStarts = occupancy.liveHolds
    .map(({ from }) => addDays(from, -1 - length))
    .filter((from) => from < requestedDays.from);
  const laterStarts = occupancy.liveHolds
    .map(({ to }) => addDays(to, 1))
    .filter((from) => from > requestedDays.from);
  const others = [findNearest(earlierStarts.sort().reverse()), findNearest(laterStarts.sort())];
  return others.filter((days) => days !== undefined);
}
