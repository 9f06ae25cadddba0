import { asc, eq } from 'drizzle-orm';
import { leads, outbox } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { eventRevisionOf } from '../lead-rows.ts';
import { isEnded } from '../lead-states.ts';
import type { LeadRecord } from '../lists/lead-records.ts';
import { countAddressMail } from './address-mail.ts';
import { isForProviders, PERSON_CHANNEL, type Channel } from './channel.ts';
import { changeOf, type LeadEvent, revisionIn, type UnplannedReason } from './lead-event.ts';
import { selectPersonMailCount } from './person-mail-count.ts';
import {
  findUnmailedReasonForEvent,
  mailKindOf,
  originalTopicOf,
  topicOf,
} from './person-mail-topic.ts';

/** A message that was not sent, and why, for the operator. */
export interface UnsentMessage {
  /** ID of the event. */
  event: string;
  kind: string;
  /** Number of history entries as of the event. */
  revision: number;
  channel: Channel['name'];
  reason: string;
}

const MAIL_UNSET_TEXT = 'Email is not set up.';
const WEBHOOK_UNSET_TEXT = 'No webhook is set up.';

const UNPLANNED_TEXT = 'The server has not planned it yet; check that it is running.';

/** Reasons why a channel is not set up. */
const unsetChannelTexts: Partial<Record<Channel['name'], string>> = {
  mail: MAIL_UNSET_TEXT,
  webhook: WEBHOOK_UNSET_TEXT,
  [PERSON_CHANNEL]: MAIL_UNSET_TEXT,
};

/** Reasons not to email the person. */
const personReasons = {
  noContact: 'The person left no email address.',
  noEmail: 'The person left no email address.',
  unwanted:
    'The person does not want email about this lead, or one IP address sent too many leads.',
  suspected: 'The lead looks like spam, so the address may be someone else’s.',
  limit: 'The person has reached the limit of emails about this lead.',
  dailyLimit: 'The address has reached its daily email limit.',
  tooOld:
    'It was too old: a receipt is emailed for a day, and other news for four days after the event.',
} as const satisfies Record<
  NonNullable<ReturnType<typeof findUnmailedReasonForEvent>> | UnplannedReason,
  string
>;

/** The settings to look at, by reason; only the operator's commands name them. */
const settings: Readonly<Record<string, string>> = {
  [MAIL_UNSET_TEXT]: 'Set SMTP_URL and MAIL_FROM.',
  [WEBHOOK_UNSET_TEXT]: 'Set WEBHOOK_URL and WEBHOOK_SECRET.',
  [personReasons.unwanted]: 'The limit is EMAILED_LEADS_PER_ADDRESS.',
};

/** A reason for an unsent message, with the settings to look at. */
export const addSettings = (reason: string): string =>
  [reason, settings[reason]].filter(Boolean).join(' ');

const OUTDATED_TEXT = 'A later message or change made it unnecessary.';

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
): Promise<string | undefined> {
  const change = changeOf(event, lead.history);
  const topic = originalTopicOf({ change });
  if (lead.status === 'erased' || topic === undefined) return undefined;
  const { channel, suspicions } = lead;
  const isNeeded = (laterEntries: LeadEvent['laterEntries']) =>
    topicOf({ change, laterEntries, person: { channel } }) !== undefined;
  const isOutdated = !isNeeded(lead.history.slice(revisionIn(event)));
  if (delivery) {
    if (delivery.sentAt === null && delivery.dueAt !== null && !context.isPersonMailEnabled)
      return MAIL_UNSET_TEXT;
    if (delivery.outcome !== 'outdated') return undefined;
    if (isOutdated) return OUTDATED_TEXT;
    return notify ? personReasons.tooOld : 'The person unsubscribed before it was sent.';
  }
  const { unmailed } = event.payload as { unmailed?: UnplannedReason };
  if (unmailed !== undefined) return personReasons[unmailed];
  if (!isNeeded([])) return 'The lead was imported; the person contacted a partner.';
  const isPlanned = event.dueAt === null;
  const reason = findUnmailedReasonForEvent(
    {
      lead: { contact: lead, suspicions },
      person: { notify, mailCount },
      change,
    },
    topic,
    isPlanned ? 0 : await countAddressMail(mailKindOf(topic, change?.by), lead.email, context),
  );
  if (reason !== undefined) return personReasons[reason];
  if (isOutdated) return OUTDATED_TEXT;
  if (!context.isPersonMailEnabled) return MAIL_UNSET_TEXT;
  return isPlanned
    ? 'Email was not set up when the server planned it, or an older version planned it.'
    : UNPLANNED_TEXT;
}

/** Why a message about an event did not go to the provider through a channel without a delivery. */
function explainUnnotifiedProvider(
  { event }: EventRow,
  channel: 'mail' | 'webhook',
  lead: LeadRecord,
  isNotified: boolean,
  channels: readonly string[],
): string | undefined {
  // Most actions of a provider need no message to the provider.
  if (changeOf(event, lead.history)?.by === 'provider') return undefined;
  if (!channels.includes(channel)) return isNotified ? undefined : unsetChannelTexts[channel];
  if (event.dueAt !== null) return UNPLANNED_TEXT;
  if (!isNotified)
    return isEnded(lead.status) && revisionIn(event) === 1
      ? 'The lead had ended before the server planned it.'
      : 'The provider had no delivery address when the server planned it.';
  return channel === 'mail'
    ? 'Email was not set up, or the provider had no address, when the server planned it. The provider was notified otherwise.'
    : undefined;
}

/**
 * Lists the messages about a lead that were not sent although the provider or the person would
 * otherwise get them, with the reason for each, oldest first. It omits deliveries whose outcome is
 * the reason. `channels` in the context are those that notify providers. Only some reasons are
 * stored, with the event; the others follow from the lead.
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
    const add = (channel: Channel['name'], reason: string | undefined) =>
      reason !== undefined &&
      unsent.push({ event: id, kind, revision: revisionIn(row.event), channel, reason });
    const findDelivery = (name: string) => deliveries.find(({ channel }) => channel === name);
    const isNotified = deliveries.some(({ channel }) =>
      isForProviders({ name: channel as Channel['name'] }),
    );
    for (const name of ['mail', 'webhook'] as const) {
      const delivery = findDelivery(name);
      const isStranded = delivery?.dueAt != null && !channels.includes(name);
      if (isStranded) add(name, unsetChannelTexts[name]);
      else if (!delivery && (channels.includes(name) || (name === 'mail' && !channels.length)))
        add(name, explainUnnotifiedProvider(row, name, lead, isNotified, channels));
    }
    add(
      PERSON_CHANNEL,
      await explainUnmailedPerson(row, lead, findDelivery(PERSON_CHANNEL), context),
    );
  }
  return unsent;
}

/** Why a delivery was not sent; undefined if it was, or its outcome is the reason. */
export const findUnsentReason = (
  { event, channel }: Pick<Delivery, 'event' | 'channel'>,
  messages: readonly UnsentMessage[],
): string | undefined =>
  messages.find((message) => message.event === event && message.channel === channel)?.reason;

/** The unsent messages without a delivery. */
export const listUnplannedMessages = (
  { deliveries }: Pick<LeadRecord, 'deliveries'>,
  messages: readonly UnsentMessage[],
): UnsentMessage[] =>
  messages.filter(
    ({ event, channel }) =>
      !deliveries.some((delivery) => delivery.event === event && delivery.channel === channel),
  );
