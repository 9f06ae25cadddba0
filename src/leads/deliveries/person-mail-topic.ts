import { phoneInWords } from '../../fields/kinds/phone.ts';
import { fill } from '../../text/fill.ts';
import { type personMail, providerReach } from '../../text/index.ts';
import type { LeadChanged, LeadEvent } from './lead-event.ts';

/** Topics of email to people, each with its own text. */
export type PersonMailTopic = keyof typeof personMail.news;

/** Reasons not to email the person about a provider's action. */
export type UnmailedReason = keyof typeof providerReach.unmailed;

/** Maximum number of emails about one lead; the last is reserved for the outcome. */
const MAX_PER_LEAD = 5;

/** An email on this topic is sent only after at most this many emails about the lead. */
export const maxEarlierMails = (topic: PersonMailTopic): number =>
  topic === 'confirmed' || topic === 'declined' || topic === 'withdrawn'
    ? MAX_PER_LEAD
    : MAX_PER_LEAD - 1;

/**
 * The email topic of a change; undefined if the change needs no email. Any text from the provider
 * needs an email.
 */
function topicOfChange({ from, to, by, note, offer }: LeadChanged): PersonMailTopic | undefined {
  if (to === 'confirmed' && from !== to) return 'confirmed';
  if (to === 'withdrawn' && from === 'confirmed') return 'withdrawn';
  if (by !== 'provider' && by !== 'operator') return undefined;
  if (to === 'needs_info' && note !== null) return 'question';
  if (to === 'quoted' && offer) return 'offer';
  if (to === 'declined') return 'declined';
  return note === null ? undefined : 'message';
}

/** The email topic of an event; undefined if the event needs no email. */
export function topicOf({ change, person }: LeadEvent): PersonMailTopic | undefined {
  if (change) return topicOfChange(change);
  // People in imported leads contacted a partner, not this service.
  return person.channel === 'import' ? undefined : 'receipt';
}

/**
 * The reason not to email the person about an event; undefined if the email is sent. Suspected spam
 * gets no email, because it often has other people's addresses. `sent` is the number of earlier
 * messages about the lead.
 */
export function whyUnmailed(
  { lead, person }: Pick<LeadEvent, 'lead' | 'person'>,
  topic: PersonMailTopic,
  sent: number,
): UnmailedReason | undefined {
  if (lead.contact.email === null) return lead.contact.phone === null ? 'noContact' : 'noEmail';
  if (!person.notify) return 'unwanted';
  if (lead.suspicions.length) return 'suspected';
  return sent < maxEarlierMails(topic) ? undefined : 'limit';
}

/**
 * Tells the provider how the person is notified of an action or, if not by email, how to reach
 * them.
 */
export function reachInWords(
  { lead, person }: Pick<LeadEvent, 'lead' | 'person'>,
  change: LeadChanged,
): string {
  const topic = topicOfChange(change);
  if (topic === undefined) return providerReach.page;
  const reason = whyUnmailed({ lead, person }, topic, person.mails);
  return reason === undefined ? providerReach.mailed : unmailedInWords(reason, lead.contact);
}

/** Tells the provider why the person gets no email, and how to reach them instead. */
export function unmailedInWords(
  reason: UnmailedReason,
  { email, phone }: LeadEvent['lead']['contact'],
): string {
  const { unmailed, call, write } = providerReach;
  const instead =
    phone !== null
      ? [fill(call, { phone: phoneInWords(phone) })]
      : email !== null
        ? [fill(write, { email })]
        : [];
  return [unmailed[reason], ...instead].join(' ');
}
