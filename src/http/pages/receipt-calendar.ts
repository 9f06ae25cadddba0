import { readLogWithTime } from '../../leads/status/sample-lead.ts';
import {
  findAgreedDays,
  findAgreement,
  findCanceledDays,
  listCurrentMessages,
} from '../../leads/status/agreement.ts';
import type { LeadLog } from '../../leads/lead-log.ts';
import { type LeadState, statusOf } from '../../leads/status/lead-status.ts';
import { parseReceiptToken } from '../../leads/status/read-lead-status.ts';
import { listPriceLines } from '../../leads/status/describe-terms.ts';
import { describeVisit, visitOf } from '../../leads/status/visit.ts';
import type { Context } from '../../operation/context.ts';
import { Problem } from '../../operation/problem.ts';
import { addDays } from '../../site/calendar/days.ts';
import { findServiceOf } from '../../site/service-of-request.ts';
import { publishedTermsOf } from '../../site/forms/published-terms.ts';
import { listRequirements } from '../../site/forms/requirements.ts';
import type { Site } from '../../site/site.ts';
import { labelBeforeValue } from '../../site/words/field-words.ts';
import { formatReference } from '../../site/words/words.ts';
import { type Page, createPageHeaders } from './page.ts';

function createCalendarEntry(
  log: LeadLog,
  lead: LeadState,
  { registry, base }: Site,
): { summary: string; location?: string; description: string } {
  const { subsite, action, provider, phone, requestTitle } = findServiceOf(registry, lead);
  const { item, salesTaxPercent } = publishedTermsOf(registry, log);
  const agreement = findAgreement(log);
  const visit = visitOf(subsite, action, log, agreement);
  const requirements = listRequirements(action, log.fields);
  const isConfirmed = log.status === 'confirmed';
  return {
    summary: `${provider}: ${item?.title ?? requestTitle}`,
    ...(visit.address !== undefined && { location: visit.address }),
    description: [
      ...(agreement?.description === undefined ? [] : [agreement.description]),
      ...listCurrentMessages(log, agreement),
      ...(item ? [`${labelBeforeValue(item.label)} ${item.title}`] : []),
      ...(lead.price ? listPriceLines(lead.price, agreement !== undefined, salesTaxPercent) : []),
      `Reference: ${formatReference(log.reference ?? log.receiptToken)}`,
      `Phone: ${phone}`,
      `Receipt: ${base}/receipt/${log.receiptToken}`,
      ...(isConfirmed ? describeVisit(visit).map((pair) => pair.join(': ')) : []),
      ...(isConfirmed && requirements.length > 0
        ? ['What you need:', ...requirements.map((one) => `- ${one}`)]
        : []),
    ].join('\n'),
  };
}

/**
 * A calendar file (iCalendar, RFC 5545) with the days of a confirmed request, for the customer.
 * After the request has ended, the file cancels the event (RFC 5546).
 */
export const createReceiptCalendarPage = (context: Context): Page => ({
  home: '/receipt',
  async show({ params }) {
    const { site } = context;
    const { registry, base } = site;
    const receiptToken = parseReceiptToken({ receipt: params['token']! });
    const { log, now } = await readLogWithTime(receiptToken, context);
    const agreedPeriod = findAgreedDays(log, registry);
    const days = agreedPeriod ?? findCanceledDays(log, registry);
    if (!days)
      throw new Problem(
        'not_found',
        'There is no date to add to a calendar: the request is not confirmed, or it has no date.',
      );
    const lead = statusOf(log, now, site);
    const confirmationIndex = log.entries.findIndex(({ status }) => status === 'confirmed');
    // Load the library on first use, because most requests do not need it.
    const { default: ical, ICalCalendarMethod, ICalEventStatus } = await import('ical-generator');
    const calendar = ical({
      prodId: { company: registry.network.name, product: 'Frontage' },
      method: agreedPeriod ? ICalCalendarMethod.PUBLISH : ICalCalendarMethod.CANCEL,
    });
    calendar.createEvent({
      ...createCalendarEntry(log, lead, site),
      id: `${log.reference}@${new URL(base).host}`,
      // Each entry after the confirmation changes or cancels the event (RFC 5545, section 3.8.7.4).
      sequence: log.entries.length - 1 - confirmationIndex,
      status: agreedPeriod ? ICalEventStatus.CONFIRMED : ICalEventStatus.CANCELLED,
      organizer: {
        name: findServiceOf(registry, lead).provider,
        email: registry.network.organization.email,
      },
      stamp: lead.updatedAt,
      start: `${days.from}T00:00:00Z`,
      // The end of an all-day event is exclusive.
      end: `${addDays(days.to, 1)}T00:00:00Z`,
      allDay: true,
      url: `${base}/receipt/${receiptToken}`,
    });
    // ical-generator ends the file without the line break that RFC 5545 requires of every line.
    return new Response(`${calendar.toString().trimEnd()}\r\n`, {
      headers: {
        ...createPageHeaders(),
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'attachment; filename="request.ics"',
      },
    });
  },
});
