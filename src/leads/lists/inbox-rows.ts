import { and, eq, inArray, sql } from 'drizzle-orm';
import { leadHistory, leads, offers, outbox } from '../../../db/schema.ts';
import { formatFieldValue, isDayValue, isNeverPersonal } from '../../fields/fields.ts';
import type { LeadAccess } from '../../keys/key-scopes.ts';
import type { Context } from '../../operation/context.ts';
import { addDays, toDateInTimeZone } from '../../site/calendar/days.ts';
import type { PublishedTerms } from '../../site/forms/published-terms.ts';
import { actionOf, type Registry } from '../../site/registry.ts';
import { QUESTION_FIELD } from '../../site/forms/contact-rule.ts';
import type { Action } from '../../registry/schemas/action.ts';
import { labelBeforeValue, labelOf } from '../../site/words/field-words.ts';
import { shortenText } from '../../site/words/shorten-text.ts';
import { formatShortDays } from '../../site/words/words.ts';
import { inbox } from '../../text/index.ts';
import { formatOffer, formatOfferedPrice } from '../../site/words/offer-words.ts';
import { isAcceptance, offerOf, readHistories } from '../lead-log.ts';
import { isAgreed, type LeadStatus } from '../lead-states.ts';
import {
  findAgreement,
  findRequestedDays,
  listCurrentMessages,
  mentionsTimeOrDay,
} from '../status/agreement.ts';
import { type NamedState, namedStateOf } from '../status/timeline.ts';
import { isFirstEvent, type LeadSummary, newestOfferEntry, summaryColumns } from './list-leads.ts';
import { selectTokens } from './select-leads.ts';

const MAX_UPCOMING_LEADS = 20;
/** Maximum length of quoted text in an inbox row, in characters. */
const MAX_TEXT_LENGTH = 80;

/**
 * Number of newest confirmed leads whose days are searched; days are not indexed, and reading them
 * takes a few milliseconds.
 */
const MAX_SEARCHED_CONFIRMED_LEADS = 2_000;

type Request = Pick<typeof leads.$inferSelect, 'subsite' | 'action'> & {
  fields: NonNullable<(typeof leads.$inferSelect)['fields']>;
  terms: PublishedTerms;
  data: Record<string, unknown> | null;
  contact: Readonly<Record<'name' | 'email' | 'phone', string | null>>;
};

/**
 * The numbers and text in a request, shortened and without its days, contact details and urgency.
 */
function describeEnteredText(
  { fields, data, contact }: Request,
  action: Action | undefined,
): string {
  const known = new Set<unknown>(Object.values(contact));
  const texts = Object.entries(action?.fields ?? {}).flatMap(([name, field]) => {
    const value = fields[name];
    if (value === undefined || known.has(value) || field.known === value) return [];
    if (value === field.emergency) return [];
    if (isDayValue(field, value)) return [];
    const words = formatFieldValue(value, field);
    // A number means nothing without its label.
    return [
      isNeverPersonal(field, value) ? `${labelBeforeValue(labelOf(name, field))} ${words}` : words,
    ];
  });
  const question = data?.[QUESTION_FIELD];
  const parts = typeof question === 'string' ? [...texts, question] : texts;
  return shortenText(parts.join(', ').replaceAll(/\s+/g, ' '), MAX_TEXT_LENGTH);
}

/**
 * The requested item or, without one, the choices or, without any, the text in the request. The row
 * of an emergency already says so.
 */
function describeMatter(request: Request, registry: Registry): string {
  const { fields, terms } = request;
  if (terms.item) return terms.item.title;
  const action = actionOf(registry, request);
  const choices = Object.entries(action?.fields ?? {}).flatMap(([name, field]) =>
    field.enum && fields[name] !== undefined && fields[name] !== field.emergency
      ? [formatFieldValue(fields[name], field)]
      : [],
  );
  return choices.join(', ') || describeEnteredText(request, action);
}

/**
 * Whether the newest offer was accepted or can still be accepted; `next` is the first entry after
 * it.
 */
function isValidOffer(
  { expiresAt }: typeof offers.$inferSelect,
  status: LeadStatus,
  next: Pick<typeof leadHistory.$inferSelect, 'status' | 'actor' | 'kind'> | null,
  now: Date,
): boolean {
  if (status === 'quoted') return expiresAt > now.toISOString();
  return (
    isAgreed(status) && next !== null && isAcceptance({ ...next, kind: next.kind ?? undefined })
  );
}

/**
 * The provider's newest text that gives the time of each confirmed visit, quoted, by receipt token.
 */
async function readVisitTimes(
  rows: readonly Pick<typeof leads.$inferSelect, 'token' | 'status' | 'subsite' | 'action'>[],
  { database, site: { registry } }: Pick<Context, 'database' | 'site'>,
): Promise<ReadonlyMap<string, string>> {
  const tokens = rows
    .filter((row) => row.status === 'confirmed' && actionOf(registry, row)?.visitField)
    .map(({ token }) => token);
  if (!tokens.length) return new Map();
  return new Map(
    [...(await readHistories(tokens, database.background))].flatMap(([token, entries]) => {
      const log = { status: 'confirmed' as const, entries };
      const agreement = findAgreement(log);
      const texts = [agreement?.description ?? '', ...listCurrentMessages(log, agreement)];
      const words = texts.findLast(mentionsTimeOrDay)?.replaceAll(/\s+/g, ' ');
      if (words === undefined) return [];
      return [[token, `“${shortenText(words, MAX_TEXT_LENGTH)}”`]];
    }),
  );
}

/**
 * Describes what distinguishes the leads in a list, by reference: the item, the choices or the
 * text, the days, the price of the open or accepted offer, and the time of a confirmed visit.
 */
export async function describeRows(
  references: readonly string[],
  { database, site, now }: Pick<Context, 'database' | 'site' | 'now'>,
): Promise<ReadonlyMap<string, string>> {
  if (!references.length) return new Map();
  const { registry } = site;
  const nextEntry = sql`(select min(h.id) from ${leadHistory} as h where h.lead = ${leads.token} and h.id > ${offers.entry} and h.status <> 'quoted')`;
  const rows = await database.background
    .select({
      reference: outbox.id,
      token: leads.token,
      subsite: leads.subsite,
      action: leads.action,
      status: leads.status,
      fields: leads.fields,
      terms: leads.terms,
      data: leads.data,
      contact: { name: leads.contactName, email: leads.contactEmail, phone: leads.contactPhone },
      offer: offers,
      next: { status: leadHistory.status, actor: leadHistory.actor, kind: leadHistory.kind },
    })
    .from(outbox)
    .innerJoin(leads, eq(leads.token, outbox.lead))
    .leftJoin(offers, eq(offers.entry, newestOfferEntry))
    .leftJoin(leadHistory, eq(leadHistory.id, nextEntry))
    .where(inArray(outbox.id, [...references]));
  const visitTimes = await readVisitTimes(rows, { database, site });
  return new Map(
    rows.map(({ reference, status, offer, next, ...row }) => {
      const request: Request = { ...row, fields: row.fields ?? {}, terms: row.terms ?? {} };
      const { salesTaxPercent } = request.terms;
      const days = findRequestedDays(request, registry);
      const parts = [
        describeMatter(request, registry),
        days && formatShortDays(days),
        offer && isValidOffer(offer, status, next, now())
          ? // The fields contain the item and the days of an accepted offer.
            (isAgreed(status) ? formatOfferedPrice : formatOffer)(
              offerOf(offer),
              'provider',
              salesTaxPercent,
            )
          : undefined,
        visitTimes.get(row.token),
      ];
      return [reference, parts.filter(Boolean).join(' · ')];
    }),
  );
}

/** The names of states that depend on the previous state, by lead reference. */
export async function readNamedStates(
  leadRows: readonly Pick<LeadSummary, 'reference' | 'status'>[],
  { database }: Pick<Context, 'database'>,
): Promise<ReadonlyMap<string, NamedState>> {
  const references = leadRows
    .filter(({ status }) => status === 'declined' || status === 'acknowledged')
    .map(({ reference }) => reference);
  if (!references.length) return new Map();
  const stateBefore = sql<LeadStatus>`(select h.status from ${leadHistory} as h where h.lead = ${leads.token} and h.status <> ${leads.status} order by h.id desc limit 1)`;
  const rows = await database.background
    .select({ reference: outbox.id, status: leads.status, before: stateBefore })
    .from(outbox)
    .innerJoin(leads, eq(leads.token, outbox.lead))
    .where(inArray(outbox.id, references));
  return new Map(
    rows.map(({ reference, status, before }) => [
      reference,
      namedStateOf({ status, entries: [{ status: before }] }),
    ]),
  );
}

/** A confirmed lead whose first or last day is today or tomorrow. */
export interface UpcomingLead extends LeadSummary {
  /** Whether the lead's day is today or tomorrow, in words. */
  due: string;
}

/** The confirmed leads that begin or end today or tomorrow, in that order. */
export async function listUpcomingLeads(
  access: LeadAccess,
  context: Pick<Context, 'database' | 'site' | 'now'>,
): Promise<UpcomingLead[]> {
  const { registry } = context.site;
  const today = toDateInTimeZone(registry.network.timeZone, context.now());
  const tomorrow = addDays(today, 1);
  const filter = {
    statuses: ['confirmed' as const],
    ...(access !== 'all' && { subsites: access }),
  };
  const tokens = await selectTokens(filter, { limit: MAX_SEARCHED_CONFIRMED_LEADS }, context);
  const rows = await context.database.background
    .select({ ...summaryColumns, fields: leads.fields })
    .from(sql`(${tokens}) as page`)
    .crossJoin(leads)
    .crossJoin(outbox)
    .where(
      and(
        sql`${leads.token} = page.token`,
        sql`(instr(${leads.fields}, ${today}) or instr(${leads.fields}, ${tomorrow}))`,
        isFirstEvent,
      ),
    );
  const text = inbox.upcoming;
  const upcoming = rows.flatMap(({ fields, ...lead }) => {
    const days = findRequestedDays({ ...lead, fields: fields ?? {} }, registry);
    const order = days
      ? [days.from === today, days.to === today, days.from === tomorrow, days.to === tomorrow]
      : [];
    const rank = order.indexOf(true);
    const due = [text.today, text.endsToday, text.tomorrow, text.endsTomorrow][rank];
    return due === undefined ? [] : [{ rank, lead: { ...lead, due } }];
  });
  return upcoming
    .sort((one, other) => one.rank - other.rank)
    .slice(0, MAX_UPCOMING_LEADS)
    .map(({ lead }) => lead);
}
