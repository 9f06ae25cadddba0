import { actionOf, type Registry } from '../../site/registry.ts';
import type { LeadForWarnings, Warning } from './lead-warnings.ts';
import { notices, offerNotices } from '../../text/index.ts';

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

/** Explains the current state of a lead, without warnings. */
export function createStateNotice(
  registry: Registry,
  { status, offer, wasConfirmed, hasNewMessage, ...request }: LeadForNotice,
): string {
  const purpose = actionOf(registry, request)?.purpose;
  const isSubscription = purpose === 'subscription';
  const isPending = status === 'new' || status === 'acknowledged';
  if (isSubscription && isPending) return notices.subscribed;
  if (isSubscription && status === 'withdrawn') return notices.unsubscribed;
  if (purpose === 'question' && isPending) return notices.question;
  if (purpose === 'question' && status === 'confirmed' && !offer) return notices.answeredQuestion;
  if (isPending && hasNewMessage) return notices.answered;
  if (status === 'new') return registry.network.leadNotice;
  if (status === 'declined' && wasConfirmed) return notices.canceled;
  return (status === 'quoted' || status === 'confirmed') && offer
    ? offerNotices[offer]
    : notices[status];
}

/** A notice followed by its warnings, except that a danger comes first. */
export function addWarnings(notice: string, warnings: readonly Warning[]): string {
  const { dangers = [], others = [] } = Object.groupBy(warnings, ({ code }) =>
    code === 'danger' ? 'dangers' : 'others',
  );
  const messagesOf = (some: readonly Warning[]) => some.map(({ message }) => message);
  return [...messagesOf(dangers), notice, ...messagesOf(others)].join(' ');
}
