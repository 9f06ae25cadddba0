import { and, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { keys } from '../../../db/schema-capabilities.ts';
import { callbacks, deliveries } from '../../../db/schema-deliveries.ts';
import { holds } from '../../../db/schema-effects.ts';
import { leads, outbox } from '../../../db/schema.ts';
import { createAnswerLinks, type AnswerLinks, linkExpiryOf } from '../conversation/answer-link.ts';
import type { Offer } from '../conversation/conversation.ts';
import { FIRST_EVENT_KIND } from '../lead-rows.ts';
import { actionOf } from '../../site/registry.ts';
import { keyStateOf } from '../../keys/key-state.ts';
import type { Context } from '../../operation/context.ts';
import { type Actor, isEnded, type LeadStatus } from '../lead-states.ts';
import { entryOf, type HeldItem, type LogEntry, revisionOf, selectEntries } from '../lead-log.ts';
import { listEndingTexts } from '../status/agreement.ts';
import { type NamedState, namedStateOf } from '../status/timeline.ts';
import { findOtherOpenRequest } from '../lists/other-open-request.ts';
import { findReplacedOffer } from '../status/offer-state.ts';
import { listOpenQuestions, listProviderMessages } from '../status/unanswered-messages.ts';
import { findNextAnswerDue } from '../status/promised-answer.ts';
import { isToPerson } from './late-deliveries.ts';
import { selectAddressRejection, selectPersonMailCount } from './person/person-mail-count.ts';

export interface LeadTransition {
  from: LeadStatus;
  to: LeadStatus;
  by: Actor;
  /** The text that the author of the entry wrote. */
  note: string | null;
  kind?: LogEntry['kind'];
  offer?: Offer | undefined;
}

/** Why email to the person about an event was not planned, as stored in the event's payload. */
export type UnplannedReason = 'tooOld' | 'limit' | 'dailyLimit';

/** An event to send. It is read just before sending, because the outbox contains no lead text. */
export interface LeadEvent {
  /** Event ID, the same in every attempt and channel. */
  id: string;
  /** lead.created or lead.changed. */
  kind: string;
  at: string;
  /** Change of state; absent for a new lead. */
  change: LeadTransition | undefined;
  /** The offer that the customer declined, if the event is a decline. */
  declinedOffer?: Offer | undefined;
  /** The open offer that was replaced, if the event is a new offer. */
  replacedOffer?: Offer | undefined;
  /**
   * The provider's messages, oldest first, that applied to an agreed request until the event ended
   * it.
   */
  endedTexts: readonly string[];
  /** The last text that the person received before sending the message in this event, if any. */
  answeredText: string | undefined;
  /** The provider's questions that the person had not answered by the time of the event. */
  openQuestions: readonly string[];
  /**
   * What an erased lead held, even if the hold had already been released; absent for any other
   * event.
   */
  erasedHold?: HeldItem | undefined;
  /** Another open request of the same kind from the same person, as text. */
  otherOpenRequest?: string | undefined;
  /** Current state of the lead in plain words. */
  state: NamedState;
  /** Number of entries in the lead's log, including this entry. */
  revision: number;
  /** What has happened since the event, oldest first. */
  laterEntries: readonly LogEntry[];
  /** Deadline for the first answer, ISO 8601. */
  firstAnswerDue: string;
  /** Whether the lead was an emergency when it was created; false once it is erased. */
  isEmergency: boolean;
  lead: {
    /**
     * The reference that the provider's staff and systems use; only the person gets the receipt
     * token.
     */
    reference: string;
    subsite: string;
    action: string | null;
    status: LeadStatus;
    source: string;
    createdAt: string;
    /** Deadline for the next answer, ISO 8601; absent if no answer is pending. */
    respondBy?: string | undefined;
    fields: Record<string, string | number>;
    data: Record<string, unknown> | null;
    contact: { name: string | null; email: string | null; phone: string | null };
    suspicions: readonly string[];
    /** Whether the same person sent the same request within the previous day. */
    repeated: boolean;
  };
  /** Data for notifications to the person and the program; hidden from providers. */
  person: {
    receiptToken: string;
    notify: boolean;
    channel: string;
    /** Number of emails to the person that were planned before this event. */
    mailCount: number;
    /**
     * State of the email to the person about the event: pending, sent, planned but not sent, or not
     * planned, with the stored reason if there is one; undefined until the event is planned.
     */
    mail: 'pending' | 'sent' | 'unsent' | 'unplanned' | UnplannedReason | undefined;
    /** Whether the mail server rejected the address permanently at the last attempt. */
    isAddressRejected: boolean;
    /** Callback URL of the program that created the lead, while its key is active. */
    callback?: { url: string; secret: string } | undefined;
  };
  /** When the provider's next answer is due, ISO 8601; null if no answer is due. */
  dueAt: string | null;
  /** A link for each answer that the lead's current state allows. */
  links: AnswerLinks;
  linksUntil: string;
}

/** Number of entries in a lead's history as of an event. */
export const revisionIn = ({ kind, payload }: typeof outbox.$inferSelect): number =>
  kind === FIRST_EVENT_KIND ? 1 : (payload as { revision: number }).revision;

/** The change that an event reports; undefined for a new lead. `entries` is the lead's history. */
export function changeOf(
  event: typeof outbox.$inferSelect,
  entries: readonly LogEntry[],
): LeadTransition | undefined {
  if (event.kind === FIRST_EVENT_KIND) return undefined;
  const { from, to, by } = event.payload as Pick<LeadTransition, 'from' | 'to' | 'by'>;
  const entry = entries[revisionIn(event) - 1];
  const { note = null, kind, offer } = entry ?? {};
  return { from, to, by, note, ...(kind && { kind }), ...(offer && { offer }) };
}

function declinedOfferOf(
  event: typeof outbox.$inferSelect,
  entries: readonly LogEntry[],
): Offer | undefined {
  const { from, to, by } = event.payload as Partial<LeadTransition>;
  return from === 'quoted' && to === 'acknowledged' && by === 'person'
    ? entries.slice(0, revisionIn(event) - 1).findLast(({ offer }) => offer)?.offer
    : undefined;
}

function personMailStateOf(
  { dueAt, payload }: typeof outbox.$inferSelect,
  delivery: typeof deliveries.$inferSelect | null,
): LeadEvent['person']['mail'] {
  if (delivery) return delivery.sentAt ? 'sent' : delivery.dueAt ? 'pending' : 'unsent';
  const { unmailed } = payload as { unmailed?: UnplannedReason };
  return unmailed ?? (dueAt === null ? 'unplanned' : undefined);
}

/** Signing secret of a key; undefined if the key is not active. */
export const callbackSecretOf = (key: typeof keys.$inferSelect, now: Date): string | undefined =>
  keyStateOf(key, now) === 'active' ? (key.callbackSecret ?? undefined) : undefined;

/** Reads an event by ID. @throws {DatabaseUnavailableError} */
export async function readLeadEvent(id: string, context: Context): Promise<LeadEvent | undefined> {
  const first = alias(outbox, 'first');
  const [row] = await context.database.writer
    .select({
      event: outbox,
      lead: leads,
      reference: first.id,
      hold: { item: holds.item, from: holds.fromDay, to: holds.toDay },
      revision: revisionOf(leads.token),
      mailCount: selectPersonMailCount(leads.token, outbox.payload),
      mail: deliveries,
      isAddressRejected: selectAddressRejection(leads.token),
      callback: callbacks.url,
      key: keys,
    })
    .from(outbox)
    .innerJoin(leads, eq(leads.token, outbox.lead))
    .innerJoin(first, and(eq(first.lead, outbox.lead), eq(first.kind, FIRST_EVENT_KIND)))
    .leftJoin(holds, and(eq(holds.lead, leads.token), eq(holds.offer, '')))
    .leftJoin(
      deliveries,
      and(eq(deliveries.lead, outbox.lead), eq(deliveries.event, outbox.id), isToPerson),
    )
    .leftJoin(callbacks, eq(callbacks.lead, leads.token))
    .leftJoin(keys, eq(keys.id, callbacks.key))
    .where(eq(outbox.id, id));
  if (!row) return undefined;
  const { event, lead, reference, hold, revision, mailCount, mail, callback } = row;
  const secret = row.key ? callbackSecretOf(row.key, context.now()) : undefined;
  const { status } = lead;
  // The history of a new lead is not needed, which saves a query.
  const entries =
    revision === 1 ? [] : (await selectEntries([lead.token], context.database.writer)).map(entryOf);
  const nextAnswerDue = findNextAnswerDue(
    {
      ...lead,
      firstAnswerDue: lead.respondBy,
      isEmergency: lead.emergency,
      fields: lead.fields ?? {},
      entries,
    },
    context.site.registry,
  );
  const change = changeOf(event, entries);
  const linkedLead = { reference, status, revision, updatedAt: lead.updatedAt };
  return {
    id,
    kind: event.kind,
    at: event.createdAt,
    change,
    declinedOffer: declinedOfferOf(event, entries),
    replacedOffer: findReplacedOffer(entries, revisionIn(event) - 1),
    ...(status === 'erased' && hold && { erasedHold: hold }),
    endedTexts:
      change && isEnded(change.to)
        ? listEndingTexts(
            entries.slice(0, revisionIn(event) - 1),
            actionOf(context.site.registry, lead),
          )
        : [],
    answeredText:
      change?.by === 'person' && change.note !== null
        ? listProviderMessages(entries.slice(0, revisionIn(event) - 1)).at(-1)
        : undefined,
    openQuestions: listOpenQuestions(entries.slice(0, revisionIn(event))),
    otherOpenRequest: await findOtherOpenRequest(lead, context),
    state: namedStateOf({ status, entries }),
    revision: revisionIn(event),
    laterEntries: entries.slice(revisionIn(event)),
    firstAnswerDue: lead.respondBy,
    isEmergency: lead.emergency && status !== 'erased',
    lead: {
      reference,
      subsite: lead.subsite,
      action: lead.action,
      status,
      source: lead.source,
      createdAt: lead.createdAt,
      ...(nextAnswerDue !== undefined && { respondBy: nextAnswerDue }),
      fields: lead.fields ?? {},
      data: lead.data,
      contact: { name: lead.contactName, email: lead.contactEmail, phone: lead.contactPhone },
      suspicions: lead.suspicions,
      repeated: lead.repeatOf !== null,
    },
    person: {
      receiptToken: lead.token,
      notify: lead.notify,
      channel: lead.channel,
      mailCount,
      mail: personMailStateOf(event, mail),
      isAddressRejected: row.isAddressRejected === 1,
      callback: callback === null || secret === undefined ? undefined : { url: callback, secret },
    },
    dueAt: lead.dueAt,
    links: await createAnswerLinks(linkedLead, context),
    linksUntil: linkExpiryOf(linkedLead),
  };
}
