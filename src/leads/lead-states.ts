import { keysOf } from '../site/json-object.ts';

/** Lead states and their transitions. A state without transitions is final. */
export const leadTransitions = {
  new: [
    'acknowledged',
    'needs_info',
    'quoted',
    'confirmed',
    'declined',
    'withdrawn',
    'expired',
    'erased',
  ],
  acknowledged: ['needs_info', 'quoted', 'confirmed', 'declined', 'withdrawn', 'expired', 'erased'],
  needs_info: ['acknowledged', 'declined', 'withdrawn', 'expired', 'erased'],
  quoted: ['accepted', 'acknowledged', 'confirmed', 'declined', 'withdrawn', 'expired', 'erased'],
  accepted: ['confirmed', 'declined', 'withdrawn', 'expired', 'erased'],
  confirmed: ['declined', 'withdrawn', 'erased'],
  declined: ['erased'],
  withdrawn: ['erased'],
  expired: ['erased'],
  erased: [],
} as const satisfies Record<string, readonly string[]>;

export type LeadStatus = keyof typeof leadTransitions;

export const leadStatuses = keysOf(leadTransitions);

/**
 * Actors that may change a lead: the person who sent it, the provider, the operator on behalf of
 * either, or the service itself.
 */
export const actors = ['person', 'provider', 'operator', 'system'] as const;

export type Actor = (typeof actors)[number];

/** Whether a lead in this state can only be erased. It has no hold and no storefront. */
export const isEnded = (status: LeadStatus): boolean =>
  leadTransitions[status].every((to) => to === 'erased');

/** Whether a lead in this state has neither been confirmed by the provider nor ended. */
export const isUndecided = (status: LeadStatus): boolean =>
  status !== 'confirmed' && !isEnded(status);

/**
 * Whether the person and the provider currently agree: an offer was accepted, or the request was
 * confirmed.
 */
export const isAgreed = (status: LeadStatus): boolean =>
  status === 'accepted' || status === 'confirmed';

/** Whether a change cancels a request that the provider had confirmed. */
export const isCancellation = (from: LeadStatus | undefined, to: LeadStatus): boolean =>
  from === 'confirmed' && to === 'declined';

/** Who may make a restricted change; any actor except the person may make the other changes. */
const allowedActors: Readonly<Record<string, readonly Actor[]>> = {
  'needs_info>acknowledged': actors,
  'quoted>acknowledged': ['person'],
  // The person can confirm by accepting an offer with `confirmOnAccept`; see
  // src/leads/conversation/conversation.ts.
  confirmed: ['provider', 'operator'],
  accepted: ['person'],
  withdrawn: ['person', 'provider', 'operator'],
  expired: ['system'],
};

/** One sentence about why a state change is not allowed; undefined if it is allowed. */
export function explainInvalidTransition(
  from: LeadStatus,
  to: LeadStatus,
  actor: Actor,
  note: string | undefined,
): string | undefined {
  const targets: readonly string[] = leadTransitions[from];
  if (from === to) return `This lead is already ${to}.`;
  if (!targets.includes(to))
    return targets.length
      ? `A lead that is ${from} cannot become ${to}. It can become ${targets.join(', ')}.`
      : `A lead that is ${from} cannot change.`;
  const allowed =
    allowedActors[`${from}>${to}`] ??
    allowedActors[to] ??
    actors.filter((other) => other !== 'person');
  if (!allowed.includes(actor)) return `Only ${allowed.join(' or ')} can set ${to}.`;
  if (isCancellation(from, to) && !note?.trim())
    return `A change from ${from} to ${to} requires a note.`;
  return undefined;
}

/** Whether an actor may change a lead to a state, with a note if one is required. */
export const canChangeTo = (to: LeadStatus, from: LeadStatus, actor: Actor): boolean =>
  explainInvalidTransition(from, to, actor, 'a note') === undefined;
