import { isNotNull, sql, type SQL } from 'drizzle-orm';
import { leads } from '../../db/schema.ts';

/** The day in the indexes on contact details. */
const day = sql`date(${leads.createdAt})`;

/** The days on which leads with a value were created, found with one index lookup per day. */
const selectDaysWithContact = (isPresent: SQL): SQL =>
  sql`with recursive days(day) as (select min(${day}) from ${leads} where ${isPresent} union all select (select min(${day}) from ${leads} where ${isPresent} and ${day} > days.day) from days where days.day is not null) select day from days`;

const createContactCondition =
  (column: typeof leads.contactEmail | typeof leads.contactPhone) =>
  /** True for leads with a value; if `days` is given, only for leads from those days. */
  (value: string, days: SQL = selectDaysWithContact(isNotNull(column))): SQL =>
    sql`(${day} in (${days}) and ${column} = ${value})`;

export const hasEmail = createContactCondition(leads.contactEmail);
export const hasPhone = createContactCondition(leads.contactPhone);
