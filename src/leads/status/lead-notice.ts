import { actionOf, type Registry } from '../../site/registry.ts';
import { findServiceOf, purposeOf } from '../../site/service-of-request.ts';
import type { LeadLog, LogHold } from '../lead-log.ts';
import { hasUnansweredMessage } from './unanswered-messages.ts';
import type { LeadForWarnings, Warning } from './lead-warnings.ts';
import { formatRetention } from '../../site/words/record-words.ts';
import { fill } from '../../text/fill.ts';
import { inquiryNotices, notices, offerNotices, sentMessageNotices } from '../../text/index.ts';

/** The parts of a lead that affect its notice, except for warnings. */
export interface LeadForNotice extends Pick<LeadForWarnings, 'subsite' | 'action' | 'status'> {
  /**
   * State of a quoted lead’s offer; open by default. For a confirmed lead, “accepted” if accepting
   * the offer confirmed the request; if the provider confirmed without the offer, “ended” if there
   * is a published price and “ended_unpriced” if not.
   */
  offer?: keyof typeof offerNotices | undefined;
  /** Whether the provider had confirmed a request that it declined. */
  wasConfirmed?: boolean;
  /** Whether the provider has written since the person's last step. */
  hasNewMessage?: boolean;
}

/**
 * Which sentence explains the state of a lead; `received` stands for the network’s own sentence.
 */
type StateNotice =
  { offer: keyof typeof offerNotices } | { state: keyof typeof notices | 'received' };

function findStateNotice(
  registry: Registry,
  { status, offer, wasConfirmed, hasNewMessage, ...request }: LeadForNotice,
): StateNotice {
  const purpose = actionOf(registry, request)?.purpose;
  const isSubscription = purpose === 'subscription';
  const isPending = status === 'new' || status === 'acknowledged';
  if (isSubscription && (isPending || status === 'confirmed')) return { state: 'subscribed' };
  if (isSubscription && status === 'withdrawn') return { state: 'unsubscribed' };
  if (purpose === 'question' && isPending) return { state: 'question' };
  if (purpose === 'question' && status === 'confirmed' && !offer)
    return { state: 'answeredQuestion' };
  if (isPending && hasNewMessage) return { state: 'answered' };
  if (status === 'new') return { state: 'received' };
  if (status === 'declined' && wasConfirmed) return { state: 'canceled' };
  return (status === 'quoted' || status === 'confirmed') && offer ? { offer } : { state: status };
}

function textOf(
  notice: StateNotice,
  registry: Registry,
  lead: LeadForNotice,
  texts: Readonly<Record<string, string>> = notices,
): string {
  if ('offer' in notice) return offerNotices[notice.offer];
  const { state } = notice;
  if (state === 'received') return texts[state] ?? registry.network.leadNotice;
  const text = texts[state] ?? notices[state];
  const action = actionOf(registry, lead);
  return state === 'subscribed' && action
    ? fill(text as typeof notices.subscribed, { retention: formatRetention(action) })
    : text;
}

/** Explains the current state of a lead, without warnings, in documents. */
export const createStateNotice = (registry: Registry, lead: LeadForNotice): string =>
  textOf(findStateNotice(registry, lead), registry, lead);

/**
 * Explains the current state of a lead to the person, on the receipt and in email; mentions no
 * booking or payment if the request cannot lead to one.
 */
export function createPersonNotice(registry: Registry, lead: LeadForNotice): string {
  const isBookable = purposeOf(registry, lead) === undefined;
  const texts = isBookable ? notices : inquiryNotices;
  return textOf(findStateNotice(registry, lead), registry, lead, texts);
}

/**
 * Tells a program that the person’s last message was sent, and that an unconfirmed hold keeps its
 * days; undefined if the provider has answered, or if there is no message.
 */
export function describeSentMessage(
  log: Pick<LeadLog, 'subsite' | 'action' | 'entries'>,
  hold: LogHold | undefined,
  registry: Registry,
): string | undefined {
  if (!hasUnansweredMessage(log.entries)) return undefined;
  const { provider } = findServiceOf(registry, log);
  return fill(sentMessageNotices[hold?.expiresAt ? 'held' : 'sent'], { provider });
}

/** A notice followed by its warnings; a warning about danger comes first. */
export function addWarnings(notice: string, warnings: readonly Warning[]): string {
  const { dangers = [], others = [] } = Object.groupBy(warnings, ({ code }) =>
    code === 'danger' ? 'dangers' : 'others',
  );
  const messagesOf = (some: readonly Warning[]) => some.map(({ message }) => message);
  return [...messagesOf(dangers), notice, ...messagesOf(others)].join(' ');
}
