import { isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { deliveries } from '../../db/schema-deliveries.ts';
import { allOf } from '../operation/statements.ts';
import { outbox } from '../../db/schema.ts';

/** Outcome of a delivery whose event no channel takes, for no address is set: it waits until there is one. */
export const NO_ADDRESS = 'no_address';
/** Outcome of a delivery that the operator ended. */
export const SETTLED = 'settled';

// SQLite uses an index of some rows only where a query repeats the condition of the index word for word, values included:
// these are the conditions of the indexes in db/schema-deliveries.ts.

/** Holds of deliveries to providers that have not arrived and still should: on their way, given up, or without an address. */
export const isLate: SQL = sql`${deliveries.sentAt} is null and ${deliveries.channel} not in ('person', 'callback', 'push') and coalesce(${deliveries.outcome}, '') not in ('erased', 'settled')`;

/** Holds of deliveries that are on their way: they have a next attempt. */
export const isPlanned: SQL = isNotNull(deliveries.dueAt);

/** Holds of events whose deliveries are not planned yet. */
export const isUnplanned: SQL = isNotNull(outbox.dueAt);

const ended = allOf(isNull(deliveries.dueAt), isNull(deliveries.sentAt));

/** Holds of those that are tried no more. */
export const isGivenUp: SQL = allOf(ended, sql`${deliveries.outcome} = 'given_up'`);

/** Holds of those that nobody can be told of. */
export const isUntold: SQL = allOf(ended, sql`${deliveries.outcome} = 'no_address'`);

/** Holds where somebody is still to be notified of a lead: an event of it is not planned, or a delivery is late. */
export const isUndelivered = (lead: SQL): SQL<number> =>
  sql`(exists (select 1 from ${deliveries} where ${deliveries.lead} = ${lead} and ${isLate}) or exists (select 1 from ${outbox} where ${outbox.lead} = ${lead} and ${isUnplanned}))`;
