import { Problem } from '../../operation/problem.ts';
import { answers } from '../../text/index.ts';
import { conversationOf, type LeadLog } from '../lead-log.ts';
import { isEnded } from '../lead-states.ts';
import { describeStateForProvider } from '../status/timeline.ts';
import {
  findStateAfterProviderAction,
  FULL_HISTORY_TEXT,
  needsAcknowledgment,
  nextProviderActionsOf,
  type ProviderAction,
} from './conversation.ts';

/**
 * The problem for a provider action that a lead's state does not allow; explains why, and lists the
 * allowed actions. For pages, it uses the titles of actions instead of their names.
 */
export function createRefusedActionProblem(
  action: ProviderAction,
  log: LeadLog,
  from: 'link' | 'page' | undefined,
): Problem {
  const conversation = conversationOf(log);
  const next = nextProviderActionsOf(conversation);
  const displayName = (name: ProviderAction) =>
    from === 'page' ? `“${answers[name].title}”` : name;
  const state = `The state of the request is “${describeStateForProvider(log)}”`;
  const reason = findStateAfterProviderAction(action, { ...conversation, revision: 0 })
    ? FULL_HISTORY_TEXT
    : isEnded(log.status)
      ? `${state}, which is final`
      : state;
  const sentences = [
    `${reason}, so it cannot be answered with ${displayName(action)}.`,
    ...(next.length ? [`Allowed actions: ${next.map(displayName).join(', ')}.`] : []),
    ...(needsAcknowledgment(action, conversation)
      ? [
          `If you have heard from the customer, for example by phone, use ${displayName('acknowledge')} first, and then ${displayName(action)}.`,
        ]
      : []),
  ];
  return new Problem('conflict', sentences.join(' '), { next });
}
