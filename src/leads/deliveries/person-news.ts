import { fill } from '../../text/fill.ts';
import { type personMail, providerReach } from '../../text/index.ts';
import type { LeadChanged, LeadEvent } from './lead-event.ts';

/** What people get mail about; each has a text of its own. */
export type PersonNews = keyof typeof personMail.news;

/** Why something that the provider did is not mailed to the person. */
export type Unmailed = keyof typeof providerReach.unmailed;

/** Most messages about one lead; the last is kept for the outcome. */
const MAX_PER_LEAD = 5;

/**
 * How many messages about a lead may have been sent before one of a kind, so that it is sent too.
 */
export const roomFor = (news: PersonNews): number =>
  news === 'confirmed' || news === 'declined' || news === 'withdrawn'
    ? MAX_PER_LEAD
    : MAX_PER_LEAD - 1;

/**
 * What a change is to the person; undefined where it is nothing to write about. Whatever the other
 * side writes is.
 */
function newsOfChange({ from, to, by, note, offer }: LeadChanged): PersonNews | undefined {
  if (to === 'confirmed' && from !== to) return 'confirmed';
  if (to === 'withdrawn' && from === 'confirmed') return 'withdrawn';
  if (by !== 'provider' && by !== 'operator') return undefined;
  if (to === 'needs_info' && note !== null) return 'question';
  if (to === 'quoted' && offer) return 'offer';
  if (to === 'declined') return 'declined';
  return note === null ? undefined : 'message';
}

/** What an event is to the person; undefined where it is nothing to write about. */
export function newsOf({ change, person }: LeadEvent): PersonNews | undefined {
  if (change) return newsOfChange(change);
  // Whoever was imported asked somebody else.
  return person.channel === 'import' ? undefined : 'receipt';
}

/**
 * Why news of an event is not mailed to the person; undefined where it is. Nobody is written to who
 * may not have asked:
 * spam comes with addresses of others. `sent` are the messages about the lead before it.
 */
export function whyUnmailed(
  { lead, person }: Pick<LeadEvent, 'lead' | 'person'>,
  news: PersonNews,
  sent: number,
): Unmailed | undefined {
  if (lead.contact.email === null) return lead.contact.phone === null ? 'noContact' : 'noEmail';
  if (!person.notify) return 'unwanted';
  if (lead.suspicions.length) return 'suspected';
  return sent < roomFor(news) ? undefined : 'limit';
}

/**
 * How the person learns of what the provider did, for the provider: in one sentence, and how to
 * reach them where it is not mailed.
 */
export function reachInWords(
  { lead, person }: Pick<LeadEvent, 'lead' | 'person'>,
  change: LeadChanged,
): string {
  const news = newsOfChange(change);
  if (news === undefined) return providerReach.page;
  const reason = whyUnmailed({ lead, person }, news, person.mails);
  return reason === undefined ? providerReach.mailed : unmailedInWords(reason, lead.contact);
}

/** That something is not mailed to the person, why, and how to reach them. */
export function unmailedInWords(
  reason: Unmailed,
  { email, phone }: LeadEvent['lead']['contact'],
): string {
  const { unmailed, call, write } = providerReach;
  const instead =
    phone !== null ? [fill(call, { phone })] : email !== null ? [fill(write, { email })] : [];
  return [unmailed[reason], ...instead].join(' ');
}
