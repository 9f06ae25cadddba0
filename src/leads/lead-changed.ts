import { Problem } from '../operation/problem.ts';
import { changedTo } from '../text/index.ts';
import type { LeadStatus } from './lead-states.ts';

/**
 * The problem when a lead has changed since the caller read it, in a message with a link or on a
 * page.
 */
export const leadChangedProblem = (status: LeadStatus, from: 'link' | 'page' = 'link'): Problem =>
  from === 'page'
    ? new Problem(
        'conflict',
        `The request changed while you had this page open: ${changedTo[status]}. Read what is new, then answer again.`,
      )
    : new Problem(
        'gone',
        `This link is out of date: ${changedTo[status]}. Open the newest message about the request for links that work.`,
      );
