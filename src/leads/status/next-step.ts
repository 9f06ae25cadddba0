import { actionOf, type Registry } from '../../site/registry.ts';
import { formatPromisedTime } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { idleOutcomes as text, providerMail } from '../../text/index.ts';
import type { LeadLog } from '../lead-log.ts';
import { isEnded, isUndecided } from '../lead-states.ts';
import { describeLapsedOffer } from './describe-terms.ts';
import { computeExpiry } from './request-expiry.ts';
import type { ShownTerms } from './shown-terms.ts';

type Lead = Pick<LeadLog, 'subsite' | 'action' | 'status'>;

/** Whether a hold ends before the answer is `due`. */
const endsEarly = (heldUntil: string, due: string | undefined): boolean =>
  due !== undefined && heldUntil < due;

/**
 * Tells the provider that a hold ends before the answer is `due`; undefined if it does not. While
 * an offer is open, it is the customer's turn.
 */
export function describeEarlyHoldEnd(
  { status }: Pick<Lead, 'status'>,
  { open, heldUntil }: Pick<ShownTerms, 'open' | 'heldUntil'>,
  due: string | undefined,
  registry: Registry,
): string | undefined {
  return heldUntil !== undefined && endsEarly(heldUntil, due) && isUndecided(status) && !open
    ? fill(text.held, { until: formatPromisedTime(heldUntil, registry.network.timeZone) })
    : undefined;
}

/** What happens to an open request without any action. */
function describeIdleOutcome(
  { status, ...lead }: Lead,
  {
    open,
    heldUntil,
    booking,
    isAnswered,
  }: Pick<ShownTerms, 'open' | 'heldUntil' | 'booking' | 'isAnswered'>,
  due: string | undefined,
  registry: Registry,
): string | undefined {
  if (!isUndecided(status) || actionOf(registry, lead)?.purpose === 'subscription')
    return undefined;
  const formatEnd = (time: string) => formatPromisedTime(time, registry.network.timeZone);
  if (status === 'new' && due !== undefined && !isAnswered) {
    if (heldUntil !== undefined && !endsEarly(heldUntil, due))
      return fill(text.expiresWithHold, { until: formatEnd(heldUntil) });
    return fill(text.expires, { until: formatEnd(computeExpiry(due, booking)) });
  }
  if (open) return fill(text.offer, { until: formatEnd(open.expiresAt) });
  if (heldUntil !== undefined)
    return endsEarly(heldUntil, due) ? undefined : fill(text.held, { until: formatEnd(heldUntil) });
  if (status === 'accepted') return text.accepted;
  return text.open;
}

/**
 * Tells the provider what to do next, unless an answer is `due` (ISO 8601) or
 * {@link describeEarlyHoldEnd} says what comes first, and what happens to an open request without
 * any action; '' if there is nothing to say.
 */
export function describeNextStep(
  lead: Lead,
  terms: Pick<
    ShownTerms,
    | 'open'
    | 'lapsed'
    | 'salesTaxPercent'
    | 'heldUntil'
    | 'booking'
    | 'isAnswered'
    | 'unsettledDetail'
    | 'isCallDue'
    | 'unheldItem'
  >,
  due: string | undefined,
  { registry, isInInbox = false }: { registry: Registry; isInInbox?: boolean },
): string {
  const { open, heldUntil, unsettledDetail, isCallDue, unheldItem } = terms;
  const isHeld = isUndecided(lead.status) && heldUntil !== undefined && !open;
  const hasNextStep = due !== undefined || isCallDue || unsettledDetail !== undefined || isHeld;
  return [
    isCallDue && (isInInbox ? providerMail.callOpenHere : providerMail.callOpen),
    unsettledDetail && providerMail[unsettledDetail],
    !hasNextStep && !isEnded(lead.status) && providerMail.nothingDue,
    describeLapsedOffer(terms),
    unheldItem !== undefined && fill(providerMail.unheld, { item: unheldItem }),
    describeIdleOutcome(lead, terms, due, registry),
  ]
    .filter(Boolean)
    .join(' ');
}
