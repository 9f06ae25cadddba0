import { asc, eq } from 'drizzle-orm';
import { leads, outbox } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { eventRevisionOf } from '../lead-rows.ts';
import { isEnded } from '../lead-states.ts';
import type { LeadRecord } from '../lists/lead-records.ts';
import { countAddressMail } from './person/address-mail.ts';
import { isForProviders, PERSON_CHANNEL, type Channel } from './channel.ts';
import { changeOf, type LeadEvent, revisionIn, type UnplannedReason } from './lead-event.ts';
import { selectPersonMailCount } from './person/person-mail-count.ts';
import {
  findNoEmailReasonForEvent,
  mailKindOf,
  originalTopicOf,
  topicOf,
} from './person/person-mail-topic.ts';

/** Why a message was not sent. */
export interface UnsentReason {
  /** One or more sentences. */
  reason: string;
  /** A sentence about the settings to check; only the operator's commands show it. */
  settings?: string;
  /** Whether the message is still being sent. */
  isBeingSent?: true;
}

/** A message that was not sent, and why, for the operator. */
export interface UnsentMessage extends UnsentReason {
  /** ID of the event. */
  event: string;
  kind: string;
  /** Number of history entries as of the event. */
  revision: number;
  channel: Channel['name'];
}

const MAIL_UNSET: UnsentReason = {
  reason: 'Email is not set up.',
  settings: 'Set SMTP_URL and MAIL_FROM for the server and for this command.',
};

const UNPLANNED: UnsentReason = {
  reason: 'The server has not planned the message yet; check that it is running.',
};

const BEING_SENT: UnsentReason = { reason: 'The message is being sent.', isBeingSent: true };

/** Time within which a running server plans a message, in ms. */
const PLANNING_MS = 60_000;

/** Why a message due at `dueAt` has not been planned yet. */
const explainPlanningDelay = (dueAt: string, { now }: Pick<Context, 'now'>): UnsentReason =>
  now().getTime() - Date.parse(dueAt) < PLANNING_MS ? BEING_SENT : UNPLANNED;

/** Reasons why a channel to the provider is not set up. */
const unsetChannelReasons = {
  mail: MAIL_UNSET,
  webhook: {
    reason: 'No webhook is set up.',
    settings: 'Set WEBHOOK_URL and WEBHOOK_SECRET for the server and for this command.',
  },
} as const satisfies Partial<Record<Channel['name'], UnsentReason>>;

/** Reasons not to email the person. */
const personReasons = {
  noContact: { reason: 'The person left no email address.' },
  noEmail: { reason: 'The person left no email address.' },
  unwanted: {
    reason:
      'The person does not want email about this lead, or one IP address sent too many leads.',
    settings: 'The limit is EMAILED_LEADS_PER_ADDRESS.',
  },
  suspected: { reason: 'The lead looks like spam, so the address may be someone else’s.' },
  limit: { reason: 'The person has reached the limit of emails about this lead.' },
  dailyLimit: { reason: 'The address has reached its daily email limit.' },
  tooOld: {
    reason:
      'The event was too old: a receipt is emailed only within one day, and other news within four days.',
  },
} as const satisfies Record<
  NonNullable<ReturnType<typeof findNoEmailReasonForEvent>> | UnplannedReason,
  UnsentReason
>;

/** Why a message was not sent, with the settings to check. */
export const describeUnsentReason = ({ reason, settings }: UnsentReason): string =>
  [reason, settings].filter(Boolean).join(' ');

const OUTDATED: UnsentReason = { reason: 'A later message or change made this one unnecessary.' };

interface EventRow {
  event: typeof outbox.$inferSelect;
  notify: boolean;
  mailCount: number;
}

type Delivery = LeadRecord['deliveries'][number];

/** Why email about an event did not go to the person; undefined if it did, or none was needed. */
async function explainUnmailedPerson(
  { event, notify, mailCount }: EventRow,
  lead: LeadRecord,
  delivery: Delivery | undefined,
  context: Context,
): Promise<UnsentReason | undefined> {
  const change = changeOf(event, lead.history);
  const topic = originalTopicOf({ change });
  if (lead.status === 'erased' || topic === undefined) return undefined;
  const { channel, suspicions } = lead;
  const isNeeded = (laterEntries: LeadEvent['laterEntries']) =>
    topicOf({ change, laterEntries, person: { channel } }) !== undefined;
  const isOutdated = !isNeeded(lead.history.slice(revisionIn(event)));
  if (delivery) {
    if (delivery.sentAt === null && delivery.dueAt !== null && !context.isCustomerEmailEnabled)
      return MAIL_UNSET;
    if (delivery.outcome !== 'outdated') return undefined;
    if (isOutdated) return OUTDATED;
    return notify
      ? personReasons.tooOld
      : { reason: 'The person unsubscribed before the email was sent.' };
  }
  const { unmailed } = event.payload as { unmailed?: UnplannedReason };
  if (unmailed !== undefined) return personReasons[unmailed];
  if (!isNeeded([])) return { reason: 'The lead was imported; the person contacted a partner.' };
  const { dueAt } = event;
  const reason = findNoEmailReasonForEvent(
    {
      lead: { contact: lead, suspicions },
      person: { notify, mailCount },
      change,
    },
    topic,
    dueAt === null ? 0 : await countAddressMail(mailKindOf(topic, change?.by), lead.email, context),
  );
  if (reason !== undefined) return personReasons[reason];
  if (isOutdated) return OUTDATED;
  if (!context.isCustomerEmailEnabled) return MAIL_UNSET;
  return dueAt === null
    ? {
        reason:
          'Email was not set up when the server planned the message, or an older version planned it.',
      }
    : explainPlanningDelay(dueAt, context);
}

/**
 * Why a message about an event was not delivered to the provider, if the channel has no delivery of
 * the event.
 */
function explainUnnotifiedProvider(
  { event }: EventRow,
  channel: 'mail' | 'webhook',
  lead: LeadRecord,
  isNotified: boolean,
  context: Context,
): UnsentReason | undefined {
  const { channels = [] } = context;
  // Most actions of a provider need no message to the provider.
  if (changeOf(event, lead.history)?.by === 'provider') return undefined;
  if (!channels.includes(channel)) return isNotified ? undefined : unsetChannelReasons[channel];
  if (event.dueAt !== null) return explainPlanningDelay(event.dueAt, context);
  if (!isNotified)
    return {
      reason:
        isEnded(lead.status) && revisionIn(event) === 1
          ? 'The lead had ended before the server planned the message.'
          : 'The provider had no delivery address when the server planned the message.',
    };
  return channel === 'mail'
    ? {
        reason:
          'Email was not set up, or the provider had no address, when the server planned the message. The provider was notified in another way.',
      }
    : undefined;
}

/**
 * Lists the messages about a lead that were not sent although the provider or the person would
 * otherwise get them, with the reason for each, oldest first. Omits deliveries whose outcome
 * already is the reason. `channels` in the context are those that notify providers. Only some
 * reasons are stored, with the event; the others follow from the lead.
 * @throws {DatabaseUnavailableError}
 */
export async function listUnsentMessages(
  lead: LeadRecord,
  context: Context,
): Promise<UnsentMessage[]> {
  const rows = await context.database.writer
    .select({
      event: outbox,
      notify: leads.notify,
      mailCount: selectPersonMailCount(leads.token, outbox.payload),
    })
    .from(outbox)
    .innerJoin(leads, eq(leads.token, outbox.lead))
    .where(eq(outbox.lead, lead.token))
    .orderBy(asc(eventRevisionOf(outbox.payload)));
  const { channels = [] } = context;
  const unsent: UnsentMessage[] = [];
  for (const row of rows) {
    const { id, kind } = row.event;
    const deliveries = lead.deliveries.filter(({ event }) => event === id);
    const add = (channel: Channel['name'], reason: UnsentReason | undefined) =>
      reason !== undefined &&
      unsent.push({ event: id, kind, revision: revisionIn(row.event), channel, ...reason });
    const findDelivery = (name: string) => deliveries.find(({ channel }) => channel === name);
    const isNotified = deliveries.some(({ channel }) =>
      isForProviders({ name: channel as Channel['name'] }),
    );
    for (const name of ['mail', 'webhook'] as const) {
      const delivery = findDelivery(name);
      const isStranded = delivery?.dueAt != null && !channels.includes(name);
      if (isStranded) add(name, unsetChannelReasons[name]);
      else if (!delivery && (channels.includes(name) || (name === 'mail' && !channels.length)))
        add(name, explainUnnotifiedProvider(row, name, lead, isNotified, context));
    }
    add(
      PERSON_CHANNEL,
      await explainUnmailedPerson(row, lead, findDelivery(PERSON_CHANNEL), context),
    );
  }
  return unsent;
}

/**
 * Why a delivery was not sent; undefined if it was sent, or if its outcome already is the reason.
 */
export const findUnsentReason = (
  { event, channel }: Pick<Delivery, 'event' | 'channel'>,
  messages: readonly UnsentMessage[],
): UnsentReason | undefined =>
  messages.find((message) => message.event === event && message.channel === channel);

/** The unsent messages for which no delivery was planned. */
export const listUnplannedMessages = (
  { deliveries }: Pick<LeadRecord, 'deliveries'>,
  messages: readonly UnsentMessage[],
): UnsentMessage[] =>
  messages.filter(
    ({ event, channel }) =>
      !deliveries.some((delivery) => delivery.event === event && delivery.channel === channel),
  );
