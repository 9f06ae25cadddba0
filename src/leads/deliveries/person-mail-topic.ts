import { phoneInWords } from '../../fields/kinds/phone.ts';
import { fill } from '../../text/fill.ts';
import { type personMail, providerReach } from '../../text/index.ts';
import type { LeadChanged, LeadEvent } from './lead-event.ts';

/** Topics of email to people; each has its own text. */
export type PersonMailTopic = keyof typeof personMail.news;

/** Reasons for not emailing a provider's action to the person. */
export type UnmailedReason = keyof typeof providerReach.unmailed;

/** Maximum number of emails about one lead; the last is reserved for the outcome. */
const MAX_PER_LEAD = 5;

/** Maximum number of earlier emails about a lead for which an email on this topic is still sent. */
export const maxEarlierMails = (topic: PersonMailTopic): number =>
  topic === 'confirmed' || topic === 'declined' || topic === 'withdrawn'
    ? MAX_PER_LEAD
    : MAX_PER_LEAD - 1;

/**
 * The email topic of a change; undefined if it needs no email. Any text from the provider needs
 * one.
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

/** The email topic of an event; undefined if it needs no email. */
export function topicOf({ change, person }: LeadEvent): PersonMailTopic | undefined {
  if (change) return topicOfChange(change);
  // The person in an imported lead asked a partner, not this service.
  return person.channel === 'import' ? undefined : 'receipt';
}

/**
 * Why an event is not emailed to the person; undefined if it is. Suspected spam gets no email,
 * because it often has other people's addresses. `sent` is the number of earlier messages about the
 * lead.
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
 * For the provider: how the person is notified of an action and, if not by email, how to reach
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

/**
 * Why an action is not emailed to the person, and how to reach them instead.
 */
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
