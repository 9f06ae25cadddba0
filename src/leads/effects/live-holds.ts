import { and, eq, gt, gte, isNull, lte, or, type SQL } from 'drizzle-orm';
import { holds } from '../../../db/schema.ts';
import type { Item } from '../../registry/catalog.ts';
import type { Context } from '../../operation/context.ts';
import { allOf } from '../../operation/statements.ts';
import { type Days, daysAfter, lengthOf } from '../../site/days.ts';

/** Active holds of a catalog: confirmed, or not lapsed yet. */
const standing = (catalog: string, now: Date): SQL =>
  allOf(
    eq(holds.catalog, catalog),
    isNull(holds.releasedAt),
    or(isNull(holds.expiresAt), gt(holds.expiresAt, now.toISOString())),
  );

/** Live holds of a catalog that overlap the days. */
export const overlapping = (catalog: string, { from, to }: Days, now: Date): SQL =>
  allOf(standing(catalog, now), lte(holds.fromDay, to), gte(holds.toDay, from));

/** What was asked for and is taken. */
interface Taken {
  all: readonly Item[];
  wanted: Item;
  asked: Days;
  /** Today, the first day on which a hold may begin. */
  today: string;
  /** Last day on which a hold may begin; any day where it is absent. */
  until: string | undefined;
  catalog: string;
  now: Date;
}

/** Days on which a unit of an item is held. */
interface Held extends Days {
  item: string;
  unit: number;
}

const overlap = (one: Days, other: Days) => one.from <= other.to && other.from <= one.to;

/** Units of an item that nobody holds on any of the days. */
function freeUnits({ id, units = 1 }: Item, days: Days, held: readonly Held[]): number {
  const taken = held.filter((hold) => hold.item === id && overlap(hold, days));
  return Math.max(0, units - new Set(taken.map(({ unit }) => unit)).size);
}

/** Whether an item has a unit that nobody holds on the days. */
const isFree = (item: Item, days: Days, held: readonly Held[]): boolean =>
  freeUnits(item, days, held) > 0;

const held = { item: holds.item, unit: holds.unit, from: holds.fromDay, to: holds.toDay };

/**
 * How many units of an item are free on any of the days of each range: as a hold of that range
 * would find them now. Reads the live holds of the item that overlap the whole, by their index.
 */
export async function countFreeUnits(
  catalog: string,
  item: Item,
  ranges: readonly Days[],
  { database, now }: Pick<Context, 'database' | 'now'>,
): Promise<number[]> {
  const all = {
    from: ranges.map(({ from }) => from).sort()[0]!,
    to: ranges
      .map(({ to }) => to)
      .sort()
      .at(-1)!,
  };
  const rows = await database.reader
    .select(held)
    .from(holds)
    .where(and(overlapping(catalog, all, now()), eq(holds.item, item.id)));
  return ranges.map((days) => freeUnits(item, days, rows));
}

/**
 * What is free in the place of something taken: other items on the days, and the nearest days of the
 * same length for the item, before and after.
 */
export async function alternatives(
  { all, wanted, asked, today, until, catalog, now }: Taken,
  { database }: Pick<Context, 'database'>,
): Promise<{ free: Item[]; others: Days[] }> {
  const rows = await database.writer
    .select(held)
    .from(holds)
    .where(and(standing(catalog, now), gte(holds.toDay, today)));
  const free = all.filter((item) => isFree(item, asked, rows));
  const length = lengthOf(asked);
  const own = rows.filter(({ item }) => item === wanted.id);
  const nearest = (begins: string[]) =>
    begins
      .filter((from) => from >= today && (until === undefined || from <= until))
      .map((from) => ({ from, to: daysAfter(from, length) }))
      .find((days) => isFree(wanted, days, rows));
  // It is free until the day before a hold of it begins, and from the day after one ends.
  const earlier = own
    .map(({ from }) => daysAfter(from, -1 - length))
    .filter((from) => from < asked.from);
  const later = own.map(({ to }) => daysAfter(to, 1)).filter((from) => from > asked.from);
  const others = [nearest(earlier.sort().reverse()), nearest(later.sort())];
  return { free, others: others.filter((days) => days !== undefined) };
}
