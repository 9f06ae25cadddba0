import { Problem } from '../operation/problem.ts';
import { changedTo } from '../text/index.ts';
import type { LeadStatus } from './lead-states.ts';

/** The problem for a lead that has changed since the caller read it. */
export const leadChangedProblem = (status: LeadStatus, from: 'link' | 'page' = 'link'): Problem =>
  from === 'page'
    ? new Problem(
        'conflict',
        `The request changed while you had this page open: ${changedTo[status]}. Read what is new, then answer again.`,
      )
    : new Problem(
        'gone',
        `This link is out of date: ${changedTo[status]}. Open the latest message about the request for current links.`,
      );
