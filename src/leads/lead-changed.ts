import { Problem } from '../operation/problem.ts';
import { stateChanges } from '../text/index.ts';
import { namedStateOf } from './status/timeline.ts';
import type { LeadLog } from './lead-log.ts';

/** The problem for a lead that has changed since the caller read it. */
export function createLeadChangedProblem(
  log: Pick<LeadLog, 'status' | 'entries'>,
  from: 'link' | 'page' = 'link',
): Problem {
  const change = stateChanges[namedStateOf(log)];
  return from === 'page'
    ? new Problem(
        'conflict',
        `The request changed while you had this page open: ${change}. Read what is new, then answer again.`,
      )
    : new Problem(
        'gone',
        `This link is out of date: ${change}. Open the latest message about the request for current links.`,
      );
}
