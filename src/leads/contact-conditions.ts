import { isNotNull, sql, type SQL } from 'drizzle-orm';
import { leads } from '../../db/schema.ts';

/** SQL for the date of a lead's creation, the first column of the indexes on contact details. */
const day = sql`date(${leads.createdAt})`;

/**
 * The dates on which leads with this contact detail were created; takes one index lookup per date.
 */
const selectDaysWithContact = (isPresent: SQL): SQL =>
  sql`with recursive days(day) as (select min(${day}) from ${leads} where ${isPresent} union all select (select min(${day}) from ${leads} where ${isPresent} and ${day} > days.day) from days where days.day is not null) select day from days`;

const createContactCondition =
  (column: typeof leads.contactEmail | typeof leads.contactPhone) =>
  /** True for leads with this contact detail; if `days` is given, only for leads created then. */
  (value: string, days: SQL = selectDaysWithContact(isNotNull(column))): SQL =>
    sql`(${day} in (${days}) and ${column} = ${value})`;

export const hasEmail = createContactCondition(leads.contactEmail);
export const hasPhone = createContactCondition(leads.contactPhone);
