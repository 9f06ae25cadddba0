import { describeDatabaseFault } from '../../db/unavailable.ts';
import type { Context } from '../operation/context.ts';

interface JobFaults {
  recordFailure: (job: string, error: unknown) => void;
  recordSuccess: (job: string) => void;
}

/** Pause before the log repeats a database fault, in ms. */
const REPEAT_MS = 60_000;

/**
 * Every job fails while the database is unavailable, so the fault is logged only once for all jobs,
 * as one line that says what to do. The stack of any other fault is logged once for each job.
 */
export function createJobFaults({ log }: Pick<Context, 'log'>): JobFaults {
  const lastFaults = new Map<string, string>();
  let repeatAt = 0;
  return {
    recordFailure(job, error) {
      const databaseFault = describeDatabaseFault(error);
      const fault = databaseFault ?? String(error);
      const isRepeated = [...lastFaults].some(
        ([other, last]) => last === fault && (databaseFault !== undefined || other === job),
      );
      lastFaults.set(job, fault);
      if (databaseFault === undefined) {
        const details = isRepeated ? { what: job, fault } : { err: error, what: job };
        log.error(details, 'A background job failed and will be retried.');
      } else if (!isRepeated || performance.now() >= repeatAt) {
        repeatAt = performance.now() + REPEAT_MS;
        log.error({ fault }, 'Background jobs cannot use the database and will be retried.');
      }
    },
    recordSuccess: (job) => void lastFaults.delete(job),
  };
}
