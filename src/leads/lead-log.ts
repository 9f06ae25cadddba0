import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../db/index.ts';
import { holds } from '../../db/schema-effects.ts';
import { leadHistory, leads, offers, outbox } from '../../db/schema.ts';
import type { PublishedTerms } from '../site/forms/published-terms.ts';
import { memoize } from '../site/memoize.ts';
import type { Context } from '../operation/context.ts';
import { cacheBriefly } from '../operation/short-cache.ts';
import { Problem } from '../operation/problem.ts';
import type { Offer, OfferedHold, CustomerConversation } from './conversation/conversation.ts';
import { selectMustBeCalled } from './deliveries/person/person-mail-count.ts';
import { FIRST_EVENT_KIND } from './lead-rows.ts';
import { type Actor, isAgreed, isEnded, type LeadStatus } from './lead-states.ts';

/** One entry in the history of a lead: a new state, a message, or both. */
export interface LogEntry {
  status: LeadStatus;
  at: string;
  actor: Actor;
  note: string | null;
  /**
   * What a confirmation does besides changing the state: accepts the open offer for a customer who
   * did so by phone, or changes what was confirmed.
   */
  kind?: 'phone_acceptance' | 'change' | undefined;
  offer?: Offer | undefined;
  /** What the lead held when a different item or different days were offered. */
  held?: HeldItem | undefined;
  /**
   * When the provider told the customer about this entry by phone, ISO 8601; absent if not
   * recorded.
   */
  calledAt?: string | undefined;
}

/** Whether the person, or the provider on their behalf, accepts the open offer in an entry. */
export const isAcceptance = ({
  status,
  actor,
  kind,
}: Pick<LogEntry, 'status' | 'actor' | 'kind'>): boolean =>
  kind === 'phone_acceptance' || (actor === 'person' && isAgreed(status));

/** An item and its first and last day. */
export type HeldItem = Omit<OfferedHold, 'itemTitle'>;

export interface LogHold extends HeldItem {
  /** Null if confirmed. */
  expiresAt: string | null;
}

/** A lead with its complete history. */
export interface LeadLog {
  receiptToken: string;
  subsite: string;
  /** Verb of the action; null for a lead without an action. */
  action: string | null;
  status: LeadStatus;
  createdAt: string;
  /** Deadline for the first answer, ISO 8601. */
  firstAnswerDue: string;
  /**
   * Stored deadline for the provider's next answer; null if no answer is due. Absent in the sandbox
   * and for an earlier state of a lead.
   */
  dueAt?: string | null;
  /** Retention in days after the latest entry or, if later, after the last day of the request. */
  retentionDays: number;
  fields: Readonly<Record<string, string | number>>;
  /** The published terms as promised for `fields`. */
  terms: PublishedTerms;
  /** Whether the lead was an emergency when it was created. */
  isEmergency: boolean;
  /** Whether the lead has a phone number or an email address. */
  isReachable: boolean;
  hasEmail: boolean;
  /**
   * Whether the customer left a phone number and gets no email about the lead, for example because
   * the mail server rejects their address, so the provider has to call; absent in the sandbox and
   * for a lead that is being created.
   */
  mustBeCalled?: boolean | undefined;
  /** Whether the lead has a contact, even just a name. */
  hasContact: boolean;
  hasData: boolean;
  /** Reference for phone calls; absent in the sandbox. */
  reference?: string | undefined;
  entries: readonly LogEntry[];
  /** The hold, expired or not; absent once released. */
  hold?: LogHold | undefined;
}

/** The current state of a lead and how it got there. */
export type LoggedState = Pick<LeadLog, 'status' | 'entries'>;

const entryColumns = {
  status: leadHistory.status,
  at: leadHistory.at,
  actor: leadHistory.actor,
  note: leadHistory.note,
  kind: leadHistory.kind,
  calledAt: leadHistory.calledAt,
};

const columns = {
  lead: {
    subsite: leads.subsite,
    action: leads.action,
    status: leads.status,
    createdAt: leads.createdAt,
    firstAnswerDue: leads.respondBy,
    dueAt: leads.dueAt,
    retentionDays: leads.retentionDays,
    isEmergency: leads.emergency,
  },
  fields: leads.fields,
  terms: leads.terms,
  isReachable: sql<number>`${leads.contactEmail} is not null or ${leads.contactPhone} is not null`,
  hasEmail: sql<number>`${leads.contactEmail} is not null`,
  mustBeCalled: selectMustBeCalled,
  hasName: sql<number>`${leads.contactName} is not null`,
  hasData: sql<number>`${leads.data} is not null`,
  reference: outbox.id,
  ...entryColumns,
  offer: offers,
  hold: { item: holds.item, from: holds.fromDay, to: holds.toDay, expiresAt: holds.expiresAt },
  releasedAt: holds.releasedAt,
};

const prepareQuery = (connection: Database['reader' | 'writer']) =>
  connection
    .select(columns)
    .from(leads)
    .innerJoin(leadHistory, eq(leadHistory.lead, leads.token))
    .leftJoin(offers, eq(offers.entry, leadHistory.id))
    .leftJoin(holds, and(eq(holds.lead, leads.token), eq(holds.offer, '')))
    .leftJoin(outbox, and(eq(outbox.lead, leads.token), eq(outbox.kind, FIRST_EVENT_KIND)))
    .where(eq(leads.token, sql.placeholder('receiptToken')))
    .orderBy(asc(leadHistory.id))
    .prepare();

type Row = Awaited<ReturnType<ReturnType<typeof prepareQuery>['execute']>>[number];

const preparedQueryOf = memoize(prepareQuery);

/** Number of entries in a lead's history. */
export const revisionOf = (receiptToken: string | typeof leads.token): SQL<number> =>
  sql<number>`(select count(*) from ${leadHistory} where ${eq(leadHistory.lead, receiptToken)})`;

/** Converts a database row to an offer. */
export const offerOf = ({ description, item, ...row }: typeof offers.$inferSelect): Offer => ({
  offerId: row.id,
  amount: row.amount,
  currency: row.currency,
  ...(row.payer === 'provider' && { payer: row.payer }),
  ...(row.per !== null && { per: row.per }),
  ...(description !== null && { description }),
  ...(item !== null && { item, itemTitle: row.itemTitle!, from: row.fromDay!, to: row.toDay! }),
  expiresAt: row.expiresAt,
  confirmOnAccept: row.confirmOnAccept,
});

/** The offer in an entry, and the hold that it would replace. */
const offerPartsOf = (row: typeof offers.$inferSelect): Pick<LogEntry, 'offer' | 'held'> => ({
  offer: offerOf(row),
  ...(row.heldItem !== null && {
    held: { item: row.heldItem, from: row.heldFrom!, to: row.heldTo! },
  }),
});

/** Query for the entries of leads in order; `entryOf` converts the rows. */
export const selectEntries = (
  receiptTokens: readonly string[],
  connection: Database['reader' | 'writer'],
) =>
  connection
    .select({ lead: leadHistory.lead, ...entryColumns, offer: offers })
    .from(leadHistory)
    .leftJoin(offers, eq(offers.entry, leadHistory.id))
    .where(inArray(leadHistory.lead, [...receiptTokens]))
    .orderBy(asc(leadHistory.id));

export const entryOf = ({
  status,
  at,
  actor,
  note,
  kind,
  calledAt,
  offer,
}: Omit<Awaited<ReturnType<typeof selectEntries>>[number], 'lead'>): LogEntry => ({
  status,
  at,
  actor,
  note,
  ...(kind !== null && { kind }),
  ...(calledAt !== null && { calledAt }),
  ...(offer && offerPartsOf(offer)),
});

/** Reads the entries of leads, in order, by receipt token. @throws {DatabaseUnavailableError} */
export async function readHistories(
  receiptTokens: readonly string[],
  connection: Database['reader'],
): Promise<ReadonlyMap<string, readonly LogEntry[]>> {
  if (!receiptTokens.length) return new Map();
  const rows = await selectEntries(receiptTokens, connection);
  return new Map(
    [...Map.groupBy(rows, ({ lead }) => lead)].map(([token, own]) => [token, own.map(entryOf)]),
  );
}

export const createUnknownReceiptProblem = (): Problem =>
  new Problem(
    'unknown_receipt',
    'No request matches this receipt. Check that you copied all of it.',
  );

function logOf(receiptToken: string, rows: readonly Row[]): LeadLog {
  const [first] = rows;
  if (!first) throw createUnknownReceiptProblem();
  const { lead, hold } = first;
  if (lead.status === 'erased')
    throw new Problem('gone', 'This request was erased, with all its personal data.');
  return {
    receiptToken,
    ...lead,
    fields: first.fields ?? {},
    terms: first.terms ?? {},
    isReachable: Boolean(first.isReachable),
    hasEmail: Boolean(first.hasEmail),
    mustBeCalled: Boolean(first.mustBeCalled),
    hasContact: Boolean(first.isReachable) || Boolean(first.hasName),
    hasData: Boolean(first.hasData),
    ...(first.reference !== null && { reference: first.reference }),
    entries: rows.map(entryOf),
    ...(hold && first.releasedAt === null && { hold }),
  };
}

/**
 * Reads the current state of a lead, uncached, to decide on a change.
 * @throws {Problem} unknown_receipt; gone when it was erased
 */
export const readLog = async (receiptToken: string, { database }: Pick<Context, 'database'>) =>
  logOf(receiptToken, await preparedQueryOf(database.writer).execute({ receiptToken }));

/**
 * Reads a lead for display, cached briefly.
 * @throws {Problem} unknown_receipt; gone when it was erased
 */
export const readCachedLog = cacheBriefly(async (receiptToken: string, { database }: Context) =>
  logOf(receiptToken, await preparedQueryOf(database.reader).execute({ receiptToken })),
);

export const listCustomerMessages = (
  entries: readonly Pick<LogEntry, 'actor' | 'note'>[],
): string[] =>
  entries.flatMap(({ actor, note }) => (actor === 'person' && note !== null ? [note] : []));

/** The current state of a lead, the latest offer in that state, and what the customer has sent. */
export function conversationOf({ status, entries }: LoggedState): CustomerConversation {
  const answerIndex = entries.findLastIndex(({ actor }) => actor !== 'person');
  const conversation = {
    status,
    revision: entries.length,
    unansweredCount: listCustomerMessages(entries.slice(answerIndex + 1)).length,
    customerTextLength: listCustomerMessages(entries).reduce((sum, text) => sum + text.length, 0),
  };
  if (status !== 'quoted') return conversation;
  const since = entries.findLastIndex((entry) => entry.status !== 'quoted') + 1;
  return { ...conversation, offer: entries.slice(since).findLast(({ offer }) => offer)?.offer };
}

/** The hold of a lead, unless it has expired at `now`. */
export const findLiveHold = ({ hold }: LeadLog, now: Date): LogHold | undefined =>
  hold && (hold.expiresAt === null || hold.expiresAt > now.toISOString()) ? hold : undefined;

export function withEntry(log: LeadLog, entry: LogEntry): LeadLog {
  const { hold, dueAt: _, ...rest } = log;
  const newHold = entry.status === 'confirmed' && hold ? { ...hold, expiresAt: null } : hold;
  return {
    ...rest,
    status: entry.status,
    entries: [...log.entries, entry],
    ...(newHold && !isEnded(entry.status) && { hold: newHold }),
  };
}

/** A lead as it was after its first `revision` entries. */
export function rewindLog(log: LeadLog, revision: number, hold: LogHold | undefined): LeadLog {
  const { hold: _, dueAt, ...rest } = log;
  const entries = log.entries.slice(0, revision);
  const isLatest = revision === log.entries.length;
  return {
    ...rest,
    status: entries.at(-1)!.status,
    entries,
    ...(isLatest && dueAt !== undefined && { dueAt }),
    ...(hold && { hold }),
  };
}
