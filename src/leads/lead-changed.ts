import { Problem } from '../operation/problem.ts';
import { answer, stateChanges } from '../text/index.ts';
import { endsWithCustomerMessage } from './status/receipt-state.ts';
import { namedStateOf, personActionOf } from './status/timeline.ts';
import { isEnded } from './lead-states.ts';
import type { LogEntry, LoggedState } from './lead-log.ts';

/** The customer's message or answer, if it is the latest event. */
export function findNewMessage(entries: readonly LogEntry[]): string | undefined {
  const [previous, newest] = entries.slice(-2);
  const isAnswer =
    newest?.actor === 'person' && personActionOf(previous?.status, newest.status) === 'answered';
  return isAnswer || endsWithCustomerMessage(entries) ? (newest?.note ?? undefined) : undefined;
}

/** How a lead has changed since it had `revision` history entries, as a clause for the provider. */
export function describeChangeSince(log: LoggedState, revision: number): string {
  const { status, entries } = log;
  if (findNewMessage(entries) !== undefined) return answer.customerWrote;
  const message =
    status === entries[revision - 1]?.status
      ? entries.slice(revision).findLast(({ note, offer }) => note !== null && !offer)
      : undefined;
  const author = message?.actor;
  return author === 'provider' || author === 'operator'
    ? answer.messageWritten[author]
    : stateChanges[namedStateOf(log)];
}

/** The problem for a lead that has changed since the caller read its first `revision` entries. */
export function createLeadChangedProblem(
  log: LoggedState,
  revision: number,
  from: 'link' | 'page' = 'link',
): Problem {
  const change = describeChangeSince(log, revision);
  return from === 'page'
    ? new Problem(
        'conflict',
        `The request changed while you had this page open: ${change}.${isEnded(log.status) ? '' : ' Read what is new, then answer again.'}`,
      )
    : new Problem(
        'gone',
        `This link is out of date: ${change}. Open the latest message about the request for current links.`,
      );
}
