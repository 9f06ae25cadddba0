import { formatPhone } from '../../../fields/kinds/phone.ts';
import { fill } from '../../../text/fill.ts';
import { type personMail, customerNotification } from '../../../text/index.ts';
import { isCancellation, isEnded, type LeadStatus } from '../../lead-states.ts';
import { type AddressMailKind, MAX_EMAILS_PER_ADDRESS } from './address-mail.ts';
import type { LogEntry } from '../../lead-log.ts';
import type { LeadTransition, LeadEvent } from '../lead-event.ts';

/** Topics of the emails to people, each with its own text. */
export type PersonMailTopic = keyof typeof personMail.eventTexts;

/** Reasons not to email the person about a provider's action. */
export type NoEmailReason = keyof typeof customerNotification.unmailed;

/**
 * Maximum number of emails about one lead, not counting those about offers, decisions and changes.
 */
const MAX_EMAILS_PER_LEAD = 5;

/**
 * Maximum number of emails about one lead, including those about offers, the decision and changes
 * to a confirmed request, but not those about its end.
 */
const MAX_EMAILS_WITH_CHANGES = 10;

/** Maximum number of emails about one lead before the decision, for which one email is reserved. */
const MAX_EMAILS_WITH_OFFERS = MAX_EMAILS_WITH_CHANGES - 1;

/**
 * Number of emails about a lead after which messages are no longer emailed. Until the provider
 * decides, one email is reserved for that decision.
 */
const messageMailLimitFor = (status: LeadStatus): number =>
  status === 'confirmed' ? MAX_EMAILS_PER_LEAD : MAX_EMAILS_PER_LEAD - 1;

/** Whether an email reports the end of a confirmed request, which happens at most once per lead. */
const isEndOfConfirmedRequest = (topic: PersonMailTopic): boolean =>
  topic === 'canceled' || topic === 'withdrawn_confirmed';

/**
 * True if an email is sent despite the limit for its address, because the person relies on a
 * request that the provider has confirmed. Only a few such emails are sent per lead.
 */
export const isUnlimited = (topic: PersonMailTopic): boolean =>
  topic === 'changed' || isEndOfConfirmedRequest(topic);

/**
 * Topics of email that anybody can trigger, because no provider has to act first, except when the
 * operator acts.
 */
const REQUEST_TOPICS: ReadonlySet<PersonMailTopic> = new Set(['receipt', 'withdrawn', 'expired']);

/** The kind of email that a topic counts as, depending on who triggered the email. */
export const mailKindOf = (
  topic: PersonMailTopic,
  by: LeadTransition['by'] | undefined,
): AddressMailKind => (REQUEST_TOPICS.has(topic) && by !== 'operator' ? 'request' : 'answer');

/** The limit that a lead in a state has reached with `mailCount` emails; undefined if none. */
export function findReachedMailLimit(
  status: LeadStatus,
  mailCount: number,
): 'open' | 'offered' | 'confirmed' | 'changed' | undefined {
  if (mailCount < messageMailLimitFor(status)) return undefined;
  if (status === 'confirmed') return mailCount < MAX_EMAILS_WITH_CHANGES ? 'confirmed' : 'changed';
  return mailCount < MAX_EMAILS_WITH_OFFERS ? 'open' : 'offered';
}

/** Topics for which one email per lead is reserved. */
const DECISION_TOPICS: ReadonlySet<PersonMailTopic> = new Set([
  'confirmed',
  'declined',
  'expired',
  'withdrawn',
]);

/** An email about an event is sent only if fewer emails than this have been sent about the lead. */
export function mailLimitFor(
  topic: PersonMailTopic,
  change: Pick<LeadTransition, 'to'> | undefined,
): number {
  if (isEndOfConfirmedRequest(topic)) return MAX_EMAILS_WITH_CHANGES + 1;
  if (topic === 'changed' || DECISION_TOPICS.has(topic)) return MAX_EMAILS_WITH_CHANGES;
  if (topic === 'offer') return MAX_EMAILS_WITH_OFFERS;
  return messageMailLimitFor(change?.to ?? 'new');
}

/** A change that was made or could be made; an offer that has not been sent has no content yet. */
type PlannedChange = Omit<LeadTransition, 'offer'> & { offer?: object | undefined };

/**
 * The email topic for a change; undefined if the change needs no email. Any text from the provider
 * requires an email.
 */
function topicOfChange(change: PlannedChange): PersonMailTopic | undefined {
  const { from, to, by, note, kind, offer } = change;
  if (kind === 'change') return 'changed';
  if (to === 'confirmed' && from !== to) return 'confirmed';
  if (to === 'accepted' && from !== to) return 'accepted';
  if (to === 'withdrawn') return from === 'confirmed' ? 'withdrawn_confirmed' : 'withdrawn';
  if (to === 'expired') return 'expired';
  if (by !== 'provider' && by !== 'operator') return undefined;
  if (to === 'needs_info' && note !== null) return 'question';
  if (to === 'quoted' && offer) return 'offer';
  if (to === 'declined') return isCancellation(from, to) ? 'canceled' : 'declined';
  return note === null ? undefined : 'message';
}

/**
 * Whether a later entry makes an email outdated: the entry reports the same thing again, or what
 * the email reports no longer applies. Emails about topics that are not listed here never become
 * outdated.
 */
const outdatedBy: Partial<Record<PersonMailTopic, (later: LogEntry) => boolean>> = {
  receipt: ({ status }) => isEnded(status),
  question: ({ status, actor, note }) => isEnded(status) || (actor === 'person' && note !== null),
  offer: ({ status, offer }) => status !== 'quoted' || offer !== undefined,
  accepted: ({ status }) => status !== 'accepted',
  confirmed: ({ status }) => isEnded(status),
  changed: ({ status, kind }) => isEnded(status) || kind === 'change',
};

const isOutdated = (topic: PersonMailTopic, laterEntries: readonly LogEntry[]): boolean =>
  laterEntries.some((entry) => outdatedBy[topic]?.(entry));

/**
 * The email topic for an event at the time it happens, to a person who contacted this service;
 * undefined if the event needs no email.
 */
export const originalTopicOf = ({
  change,
}: Pick<LeadEvent, 'change'>): PersonMailTopic | undefined =>
  change ? topicOfChange(change) : 'receipt';

/** The email topic for an event; undefined if the event needs no email, or no longer needs one. */
export function topicOf({
  change,
  person,
  laterEntries,
}: Pick<LeadEvent, 'change' | 'laterEntries'> & {
  person: Pick<LeadEvent['person'], 'channel'>;
}): PersonMailTopic | undefined {
  const topic = originalTopicOf({ change });
  if (topic && isOutdated(topic, laterEntries)) return undefined;
  // People in imported leads contacted a partner, not this service, so they hear only from the
  // provider.
  const isFromService = topic === 'receipt' || topic === 'expired';
  return isFromService && person.channel === 'import' ? undefined : topic;
}

/**
 * Why the person currently gets no email about a lead; undefined if there is no reason. Suspected
 * spam gets no email, because it often contains other people's addresses.
 */
export function findNoEmailReason({
  email,
  phone,
  notify,
  suspicions,
  addressMailCount,
}: Pick<LeadEvent['lead']['contact'], 'email' | 'phone'> &
  Pick<LeadEvent['lead'], 'suspicions'> &
  Pick<LeadEvent['person'], 'notify'> & { addressMailCount: number }):
  'noContact' | 'noEmail' | 'unwanted' | 'suspected' | 'dailyLimit' | undefined {
  if (email === null) return phone === null ? 'noContact' : 'noEmail';
  if (!notify) return 'unwanted';
  if (suspicions.length) return 'suspected';
  return addressMailCount < MAX_EMAILS_PER_ADDRESS ? undefined : 'dailyLimit';
}

/**
 * Why the person gets no email about an event on a certain topic; undefined if there is no reason.
 * `addressMailCount` is the number of messages of its kind to the address in the last 24 hours.
 */
export function findNoEmailReasonForEvent(
  {
    lead,
    person,
    change,
  }: {
    lead: Pick<LeadEvent['lead'], 'suspicions'> & {
      contact: Pick<LeadEvent['lead']['contact'], 'email' | 'phone'>;
    };
    person: Pick<LeadEvent['person'], 'notify' | 'mailCount'>;
    change: PlannedChange | undefined;
  },
  topic: PersonMailTopic,
  addressMailCount: number,
): ReturnType<typeof findNoEmailReason> | 'limit' {
  const { contact, suspicions } = lead;
  const { notify, mailCount } = person;
  return (
    findNoEmailReason({
      ...contact,
      suspicions,
      notify,
      addressMailCount: isUnlimited(topic) ? 0 : addressMailCount,
    }) ?? (mailCount < mailLimitFor(topic, change) ? undefined : 'limit')
  );
}

/**
 * Whether the person gets email about an event; `addressMailCount` is the number of messages of its
 * kind to the address in the last 24 hours.
 */
export function isMailed(event: LeadEvent, addressMailCount: number): boolean {
  const topic = topicOf(event);
  return (
    topic !== undefined && findNoEmailReasonForEvent(event, topic, addressMailCount) === undefined
  );
}

/** How the person is notified of a change, as shown to the provider. */
export interface CustomerNotification {
  text: string;
  /** Whether the person should get an email about the change, but does not. */
  isEmailMissing: boolean;
}

/**
 * Tells the provider that the person gets an email about a change, or got one if it is sent, and
 * which later changes are still emailed.
 */
function describeMailed(
  { to }: PlannedChange,
  { mailCount }: Pick<LeadEvent['person'], 'mailCount'>,
  isSent = false,
): CustomerNotification {
  const limit = isEnded(to) ? undefined : findReachedMailLimit(to, mailCount + 1);
  const { mailed, sent, laterEmails } = customerNotification;
  const texts = [isSent ? sent : mailed, ...(limit ? [laterEmails[limit]] : [])];
  return { text: texts.join(' '), isEmailMissing: false };
}

/**
 * Tells the provider how the service will notify the person of an action or, if not by email, how
 * to reach them. `isNoteOptional` means that an action without a note causes no email.
 */
export function describeCustomerNotification(
  { lead, person }: Pick<LeadEvent, 'lead' | 'person'>,
  change: PlannedChange,
  addressMailCount: number,
  isNoteOptional = false,
): CustomerNotification {
  const topic = topicOfChange(change);
  if (topic === undefined) return { text: customerNotification.page, isEmailMissing: false };
  const reason =
    findNoEmailReasonForEvent({ lead, person, change }, topic, addressMailCount) ??
    (person.isAddressRejected ? 'addressRejected' : undefined);
  if (reason !== undefined) return describeWhyNotEmailed(reason, lead.contact);
  if (isNoteOptional) return { text: customerNotification.mailedIfWritten, isEmailMissing: false };
  return describeMailed(change, person);
}

/**
 * Tells the provider how the service notified the person of a change, based on what was planned and
 * sent; until the event is planned, predicts it. `addressMailCount` is the number of answers
 * emailed to the person in the last 24 hours.
 */
export function describeEventNotification(
  event: LeadEvent & { change: object },
  addressMailCount: number,
): CustomerNotification {
  const { lead, person, change } = event;
  const { mail, isAddressRejected } = person;
  const topic = topicOfChange(change);
  if (topic === undefined) return describeCustomerNotification(event, change, addressMailCount);
  if (mail === 'sent') return describeMailed(change, person, true);
  if (isOutdated(topic, event.laterEntries))
    return { text: customerNotification.outdated, isEmailMissing: false };
  if (mail === undefined) return describeCustomerNotification(event, change, addressMailCount);
  if (mail !== 'pending' && mail !== 'unsent' && mail !== 'unplanned')
    return describeWhyNotEmailed(mail, lead.contact);
  const reason =
    findNoEmailReasonForEvent(event, topic, 0) ??
    (isAddressRejected ? 'addressRejected' : undefined);
  return reason === undefined && mail === 'pending'
    ? describeMailed(change, person)
    : describeWhyNotEmailed(reason ?? 'unsent', lead.contact);
}

/** Tells the provider why the person gets no email, and how to reach them instead. */
export function describeWhyNotEmailed(
  reason: NoEmailReason,
  { email, phone }: LeadEvent['lead']['contact'],
): CustomerNotification {
  const { unmailed, call, write } = customerNotification;
  const alternatives =
    phone !== null
      ? [fill(call, { phone: formatPhone(phone) })]
      : email !== null && reason !== 'addressRejected'
        ? [fill(write, { email })]
        : [];
  return { text: [unmailed[reason], ...alternatives].join(' '), isEmailMissing: true };
}
