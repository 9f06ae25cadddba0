import { isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { combineConditions } from '../../operation/statements.ts';
import { outbox } from '../../../db/schema.ts';

/** Outcome of a delivery that waits for an address. */
export const NO_ADDRESS_OUTCOME = 'no_address';
/** Outcome of a delivery that the operator canceled, or that an answer made unnecessary. */
export const SETTLED_OUTCOME = 'settled';

// These conditions match the indexes in db/schema-deliveries.ts verbatim, including values;
// otherwise SQLite would not use the partial indexes.

/** True for undelivered messages to providers: pending, exhausted, or unaddressed. */
export const isLate: SQL = sql`${deliveries.sentAt} is null and ${deliveries.channel} not in ('person', 'callback', 'push') and coalesce(${deliveries.outcome}, '') not in ('erased', 'settled')`;

/** True for deliveries with a next attempt. */
export const isPlanned: SQL = isNotNull(deliveries.dueAt);

/** True for events without planned deliveries. */
export const isUnplanned: SQL = isNotNull(outbox.dueAt);

const hasEndedUnsent = combineConditions(isNull(deliveries.dueAt), isNull(deliveries.sentAt));

/** True for deliveries whose retries are exhausted. */
export const isGivenUp: SQL = combineConditions(
  hasEndedUnsent,
  sql`${deliveries.outcome} = 'given_up'`,
);

/** True for deliveries without an address. */
export const isUnaddressed: SQL = combineConditions(
  hasEndedUnsent,
  sql`${deliveries.outcome} = 'no_address'`,
);

/** True if a lead has an undelivered notification: an unplanned event or a late delivery. */
export const isUndelivered = (lead: SQL): SQL<number> =>
  sql`(exists (select 1 from ${deliveries} where ${deliveries.lead} = ${lead} and ${isLate}) or exists (select 1 from ${outbox} where ${outbox.lead} = ${lead} and ${isUnplanned}))`;
