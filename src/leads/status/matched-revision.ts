import { readLogWithTime } from './sample-lead.ts';
import { headerParameter, type Call } from '../../operation/operation.ts';
import type { Context } from '../../operation/context.ts';
import { Problem } from '../../operation/problem.ts';
import { readLog } from '../lead-log.ts';
import { statusOf } from './lead-status.ts';
import { withProof } from './proof.ts';

/** OpenAPI parameter for the status that a caller has read. */
export const statusEtagParameter = headerParameter(
  'If-Match',
  'ETag of the status as you read it. If the lead has changed since, nothing is done, and the response is 412.',
);

/**
 * The number of history entries in the lead status that If-Match names; undefined without If-Match,
 * null if it names a different status.
 * @throws {Problem} unknown_receipt, gone
 */
export async function readMatchedRevision(
  receiptToken: string,
  { isCurrent }: Pick<Call, 'isCurrent'>,
  context: Context,
): Promise<number | null | undefined> {
  if (!isCurrent) return undefined;
  const { log, now } = await readLogWithTime(receiptToken, context, readLog);
  const status = await withProof(statusOf(log, now, context.site), context);
  return isCurrent(status) ? log.entries.length : null;
}

/** The problem for a lead that has changed since the caller read it. */
export const createOutdatedProblem = (): Problem =>
  new Problem(
    'precondition_failed',
    'If-Match does not name the current status of the request, so nothing was done. Read the status again and, if you still want to do this, send its ETag, in quotes and without W/.',
  );
