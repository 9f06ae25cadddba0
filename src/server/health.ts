import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseUnavailableError, describeDatabaseFault } from '../../db/unavailable.ts';
import { type OutboxState, readOutboxState } from '../leads/deliveries/outbox-state.ts';
import type { Database } from '../../db/index.ts';
import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';

/** Maximum count of late deliveries in health responses, which are public. */
const MAX_COUNTED = 1_000;
const TIMEOUT_MS = 2000;
/** Age of the oldest undelivered event at which the outbox counts as stuck, in seconds. */
const STUCK_SECONDS = 15 * 60;

/** Whether a message has waited too long or has failed for good. */
const isStuck = ({ oldestSeconds, givenUp, personMail }: OutboxState): boolean =>
  Math.max(oldestSeconds, personMail.oldestSeconds) >= STUCK_SECONDS || givenUp > 0;

/** The result of a query. @throws {DatabaseUnavailableError} also if it takes too long */
const withTimeout = <Result>(query: Promise<Result>): Promise<Result> =>
  Promise.race([
    query,
    new Promise<never>((_, reject) =>
      setTimeout(reject, TIMEOUT_MS, new DatabaseUnavailableError('unreachable')).unref(),
    ),
  ]);

/**
 * Whether new leads are refused because the disk is nearly full and, if they are not, whether the
 * database can be written to.
 */
export async function checkWrites(
  database: Pick<Database, 'isLowOnSpace' | 'canWrite'>,
): Promise<{ isLowOnSpace: boolean; canWrite: boolean }> {
  const isLowOnSpace = database.isLowOnSpace();
  const canWrite =
    isLowOnSpace ||
    (await Promise.race([database.canWrite(), wait(TIMEOUT_MS, false, { ref: false })]));
  return { isLowOnSpace, canWrite };
}

export interface HealthInputs {
  context: Context;
  /** Whether leads are delivered to anyone; if not, none can be late. */
  canDeliver: boolean;
  isStopping: () => boolean;
}

/**
 * The service's state, for /healthz: `degraded` if deliveries are stuck or writes are refused or
 * fail.
 * @throws {Problem} unavailable when the database does not respond in time, or the service is
 * stopping
 */
export async function readHealth({
  context,
  canDeliver,
  isStopping,
}: HealthInputs): Promise<object> {
  const readOutbox = async () => {
    await context.database.ping();
    return canDeliver ? readOutboxState(context, MAX_COUNTED) : undefined;
  };
  try {
    if (isStopping()) throw new DatabaseUnavailableError('closed');
    const outbox = await withTimeout(readOutbox());
    const { isLowOnSpace, canWrite } = await checkWrites(context.database);
    const faults = {
      ...(outbox && isStuck(outbox) && { outbox }),
      ...(isLowOnSpace && { disk: 'low' }),
      ...(!canWrite && { writes: 'failing' }),
    };
    return { status: Object.keys(faults).length > 0 ? 'degraded' : 'ok', ...faults };
  } catch (error) {
    if (describeDatabaseFault(error) === undefined)
      context.log.error({ err: error }, 'The health check failed.');
    throw new Problem('unavailable', 'The database does not respond, or the service is stopping.', {
      headers: { 'retry-after': '5' },
    });
  }
}
