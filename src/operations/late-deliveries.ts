import { and, eq, isNull, ne, notInArray, sql, type SQL } from 'drizzle-orm';
import { deliveries } from '../../db/schema-deliveries.ts';

/** Outcome of a delivery whose event no channel takes, for no address is set: it waits until there is one. */
export const NO_ADDRESS = 'no_address';
/** Outcome of a delivery that the operator ended. */
export const SETTLED = 'settled';

const outcome = sql`coalesce(${deliveries.outcome}, '')`;

/** Holds of deliveries that have not arrived and still should: on their way, given up, or without an address. */
export const isLate: SQL = and(isNull(deliveries.sentAt), notInArray(outcome, ['erased', SETTLED]))!;

/** Holds of those that are tried no more. */
export const isGivenUp: SQL = and(isNull(deliveries.dueAt), isLate, ne(outcome, NO_ADDRESS))!;

/** Holds of those that nobody can be told of. */
export const isUntold: SQL = and(isNull(deliveries.dueAt), isNull(deliveries.sentAt), eq(deliveries.outcome, NO_ADDRESS))!;
