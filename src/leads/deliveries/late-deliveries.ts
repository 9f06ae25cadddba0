import { isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { allConditions } from '../../operation/statements.ts';
import { outbox } from '../../../db/schema.ts';

/**
 * Outcome of a delivery that waits because no address is set.
 */
export const NO_ADDRESS = 'no_address';
/** Outcome of a delivery that the operator canceled. */
export const SETTLED = 'settled';

// SQLite uses a partial index only if a query repeats the index's condition verbatim, including
// values: these are the conditions of the indexes in db/schema-deliveries.ts.

/** True for undelivered messages to providers: pending, given up, or unaddressed. */
export const isLate: SQL = sql`${deliveries.sentAt} is null and ${deliveries.channel} not in ('person', 'callback', 'push') and coalesce(${deliveries.outcome}, '') not in ('erased', 'settled')`;

/** True for pending deliveries: they have a next attempt. */
export const isPlanned: SQL = isNotNull(deliveries.dueAt);

/** True for events whose deliveries are not planned yet. */
export const isUnplanned: SQL = isNotNull(outbox.dueAt);

const ended = allConditions(isNull(deliveries.dueAt), isNull(deliveries.sentAt));

/** True for deliveries that are no longer retried. */
export const isGivenUp: SQL = allConditions(ended, sql`${deliveries.outcome} = 'given_up'`);

/** True for deliveries without an address. */
export const isUnaddressed: SQL = allConditions(ended, sql`${deliveries.outcome} = 'no_address'`);

/**
 * Condition that a lead has an undelivered notification: an unplanned event, or a late delivery.
 */
export const isUndelivered = (lead: SQL): SQL<number> =>
  sql`(exists (select 1 from ${deliveries} where ${deliveries.lead} = ${lead} and ${isLate}) or exists (select 1 from ${outbox} where ${outbox.lead} = ${lead} and ${isUnplanned}))`;
