import type { LeadStatus } from '../lead-states.ts';
import { actionOf, type Registry } from '../../site/registry.ts';
import { type LeadForWarnings, listOpenWarnings, type Warning } from './lead-warnings.ts';

const NOT_CONFIRMED_NOTICE =
  'This is not a confirmed booking or payment; the provider confirms separately.';

/** Notices by state. The registry has the text for the first state. */
const notices: Readonly<Record<Exclude<LeadStatus, 'new'>, string>> = {
  acknowledged: `The provider has your request. ${NOT_CONFIRMED_NOTICE}`,
  needs_info: `The provider needs more information. ${NOT_CONFIRMED_NOTICE}`,
  quoted: `The provider made an offer. ${NOT_CONFIRMED_NOTICE}`,
  accepted: `You accepted the offer. ${NOT_CONFIRMED_NOTICE}`,
  confirmed: 'The provider confirmed this request. This is not proof of payment.',
  declined: 'The provider declined this request. Nothing is booked.',
  withdrawn: 'This request was canceled, as you asked. Nothing is booked.',
  expired: 'This request expired without a confirmation. Nothing is booked.',
  erased: 'This request was erased. Nothing is booked.',
};

const QUESTION_NOTICE =
  'This receipt says that your request arrived. It does not buy, book or reserve anything.';

const SUBSCRIBED_NOTICE =
  'This email address is on the list until the subscription is stopped. This is not a confirmed booking or payment.';

const UNSUBSCRIBED_NOTICE = 'The subscription was stopped.';

const ANSWERED_NOTICE = `The provider has sent you a message. ${NOT_CONFIRMED_NOTICE}`;

const CANCELED_NOTICE =
  'The provider canceled this request, which it had confirmed. Nothing is booked anymore.';

/** The parts of a lead that affect its notice, except for warnings. */
interface LeadForStateNotice extends Pick<LeadForWarnings, 'subsite' | 'action' | 'status'> {
  /**
   * State of the offer of a quoted lead, open by default. For a confirmed lead, `accepted` if
   * accepting the offer confirmed the request; if the provider confirmed without the offer, `ended`
   * with a published price and `ended_unpriced` without one.
   */
  offer?: keyof typeof offerNotices | undefined;
  /** Whether the provider had confirmed a request that it declined. */
  wasConfirmed?: boolean;
  /** Whether the provider has written since the person's last step. */
  hasNewMessage?: boolean;
}

/** The parts of a lead that affect its notice. */
export type LeadForNotice = LeadForStateNotice & LeadForWarnings;

const offerNotices = {
  confirms:
    'The provider made an offer. Accepting it confirms the request; until then this is not a confirmed booking or payment.',
  accepted: 'You accepted the offer, which confirms this request. This is not proof of payment.',
  expired:
    'The provider’s offer has expired. This is not a confirmed booking or payment; send a reply to ask for a new offer.',
  ended:
    'The provider confirmed this request at the published price; its offer was not accepted and has ended. This is not proof of payment.',
  ended_unpriced:
    'The provider confirmed this request without a price; its offer was not accepted and has ended. This is not proof of payment.',
};

/** Explains the current state of a lead, without warnings. */
export function createStateNotice(
  registry: Registry,
  { status, offer, wasConfirmed, hasNewMessage, ...request }: LeadForStateNotice,
): string {
  const purpose = actionOf(registry, request)?.purpose;
  const isSubscription = purpose === 'subscription';
  const isPending = status === 'new' || status === 'acknowledged';
  if (isSubscription && isPending) return SUBSCRIBED_NOTICE;
  if (isSubscription && status === 'withdrawn') return UNSUBSCRIBED_NOTICE;
  if (isPending && hasNewMessage) return ANSWERED_NOTICE;
  if (status === 'new')
    return purpose === 'question' ? QUESTION_NOTICE : registry.network.leadNotice;
  if (status === 'declined' && wasConfirmed) return CANCELED_NOTICE;
  return (status === 'quoted' || status === 'confirmed') && offer
    ? offerNotices[offer]
    : notices[status];
}

/** A notice with the warnings after it. */
export const addWarnings = (notice: string, warnings: readonly Warning[]): string =>
  [notice, ...warnings.map(({ message }) => message)].join(' ');

/** Explains the current state of a lead, with warnings. */
export const noticeOf = (registry: Registry, lead: LeadForNotice): string =>
  addWarnings(createStateNotice(registry, lead), listOpenWarnings(registry, lead));
