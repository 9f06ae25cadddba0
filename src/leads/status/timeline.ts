import { providerStates, type timeline } from '../../text/index.ts';
import type { LeadLog, LogEntry } from '../lead-log.ts';
import { isAgreed, isCancellation, type LeadStatus } from '../lead-states.ts';
import { findReplacedOffer } from './offer-state.ts';

/** A state that a lead entered, or the person's action that caused the state. */
export interface Step {
  step: keyof typeof timeline;
  /** ISO 8601. */
  at: string;
}

/**
 * A lead state as named for people: a confirmed request that the provider declines is “canceled”,
 * and a request is not just in progress while its customer’s last step was to decline the offer.
 */
export type NamedState = LeadStatus | 'canceled' | 'offer_declined';

/** A state in the inbox: a question that has an answer counts as answered, whatever its status. */
export type DisplayedState = NamedState | 'answered';

/** The state of a lead, as named for people. */
export const namedStateOf = ({
  status,
  entries,
}: Pick<LeadLog, 'status'> & { entries: readonly Pick<LogEntry, 'status'>[] }): NamedState => {
  const before = entries.findLast((entry) => entry.status !== status)?.status;
  if (isCancellation(before, status)) return 'canceled';
  return personActionOf(before, status) === 'offer_declined' ? 'offer_declined' : status;
};

/** The state of a lead in words, as shown to the provider and the operator. */
export const describeStateForProvider = (log: Parameters<typeof namedStateOf>[0]): string =>
  providerStates[namedStateOf(log)];

/** The person's action that changed a lead from one state to another. */
export function personActionOf(
  from: LeadStatus | undefined,
  to: LeadStatus,
): 'answered' | 'offer_accepted' | 'offer_declined' | undefined {
  if (from === 'needs_info' && to === 'acknowledged') return 'answered';
  if (from === 'quoted' && to === 'acknowledged') return 'offer_declined';
  if (from === 'quoted' && isAgreed(to)) return 'offer_accepted';
  return undefined;
}

/**
 * The steps of a lead in order, for the person. A state that the person caused is named after their
 * action. A confirmed request that the provider declines is canceled. An acceptance that confirms
 * the request is two steps, accepted and confirmed. Every offer is a step; of the acknowledgments,
 * only the first is.
 */
export const timelineOf = (entries: readonly LogEntry[]): Step[] =>
  entries.flatMap(({ status, at, actor, kind, offer }, index): Step[] => {
    const from = entries[index - 1]?.status;
    if (kind === 'phone_acceptance')
      return [
        { step: kind, at },
        { step: status, at },
      ];
    if (kind) return [{ step: kind, at }];
    if (offer && findReplacedOffer(entries, index)) return [{ step: 'new_offer', at }];
    if (status === from) return offer ? [{ step: 'quoted', at }] : [];
    if (
      status === 'acknowledged' &&
      actor !== 'person' &&
      entries.slice(0, index).some((entry) => entry.status === status)
    )
      return [];
    if (isCancellation(from, status)) return [{ step: 'canceled', at }];
    const action = actor === 'person' ? personActionOf(from, status) : undefined;
    return [
      ...(action ? [{ step: action, at }] : []),
      ...(action && status !== 'confirmed' ? [] : [{ step: status, at }]),
    ];
  });

/**
 * The steps of a lead, and the provider’s messages that are not steps themselves, so that the
 * history of a request shows everything that the person received.
 */
export const addMessages = (
  steps: readonly Step[],
  messages: readonly { at: string; from: string; offer?: unknown }[],
): Step[] => {
  const times = new Set(steps.map(({ at }) => at));
  const received = messages
    .filter(({ at, from, offer }) => from !== 'person' && !offer && !times.has(at))
    .map(({ at }): Step => ({ step: 'message', at }));
  return [...steps, ...received].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
};
