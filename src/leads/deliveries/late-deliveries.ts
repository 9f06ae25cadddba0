import { isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { combineConditions } from '../../operation/statements.ts';
import { outbox } from '../../../db/schema.ts';

/** Outcome of a delivery that is waiting for an address. */
export const NO_ADDRESS_OUTCOME = 'no_address';
/** Outcome of email to an address that the mail server rejects. */
export const ADDRESS_REJECTED_OUTCOME = 'address_rejected';
/** Outcome of a delivery that the operator canceled, or that an answer made unnecessary. */
export const SETTLED_OUTCOME = 'settled';

// These conditions match the indexes in db/schema-deliveries.ts verbatim, including values;
// otherwise SQLite would not use the partial indexes.

/**
 * True for undelivered messages to providers and undelivered email to the person, whether they are
 * pending, out of retries, or without an address.
 */
export const isLate: SQL = sql`${deliveries.sentAt} is null and ${deliveries.channel} not in ('callback', 'push') and coalesce(${deliveries.outcome}, '') not in ('erased', 'settled', 'outdated')`;

export const isToPerson: SQL = sql`${deliveries.channel} = 'person'`;

export const isLateForProvider: SQL = combineConditions(isLate, sql`not ${isToPerson}`);

/** True for deliveries whose next attempt is scheduled. */
export const isPlanned: SQL = isNotNull(deliveries.dueAt);

/** True for events whose deliveries have not been planned yet. */
export const isUnplanned: SQL = isNotNull(outbox.dueAt);

const hasEndedUnsent = combineConditions(isNull(deliveries.dueAt), isNull(deliveries.sentAt));

export const hasGivenUp: SQL = combineConditions(
  hasEndedUnsent,
  sql`${deliveries.outcome} = 'given_up'`,
);

export const isUnaddressed: SQL = combineConditions(
  hasEndedUnsent,
  sql`${deliveries.outcome} = 'no_address'`,
);

const hasDelivery = (lead: SQL, condition: SQL): SQL<number> =>
  sql`exists (select 1 from ${deliveries} where ${deliveries.lead} = ${lead} and ${condition})`;

const hasUnplannedEvent = (lead: SQL): SQL =>
  sql`exists (select 1 from ${outbox} where ${outbox.lead} = ${lead} and ${isUnplanned})`;

/** True if a lead has an undelivered message: an unplanned event or a late delivery. */
export const isUndelivered = (lead: SQL): SQL<number> =>
  sql`(${hasDelivery(lead, isLate)} or ${hasUnplannedEvent(lead)})`;

/** True if a lead has an unplanned event, or an undelivered message to the provider. */
export const isUndeliveredToProvider = (lead: SQL): SQL<number> =>
  sql`(${hasDelivery(lead, isLateForProvider)} or ${hasUnplannedEvent(lead)})`;

export const isUndeliveredToPerson = (lead: SQL): SQL<number> =>
  hasDelivery(lead, combineConditions(isLate, isToPerson));
