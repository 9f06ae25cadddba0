import * as v from 'valibot';
import type { Action } from '../../registry/schemas/action.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import type { DayRange } from '../../site/calendar/days.ts';
import {
  formatHours,
  isClosedOn,
  listClosedDates,
  listClosedDaysBetween,
  type ServiceHours,
} from '../../site/calendar/opening-hours.ts';
import { listRequirements } from '../../site/forms/requirements.ts';
import { actionOf, findSubsite } from '../../site/registry.ts';
import { providerOf } from '../../site/service-of-request.ts';
import type { Site } from '../../site/site.ts';
import { formatAddress } from '../../site/words/street-address.ts';
import { formatList, formatPlannedDay } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { receipt, visit as text } from '../../text/index.ts';
import type { LeadLog, LoggedState } from '../lead-log.ts';
import {
  type Agreement,
  findAgreedDays,
  findDaysInFields,
  listLaterMessages,
  mentionsTime,
  mentionsTimeOrDay,
} from './agreement.ts';
import { hasAddress, lacksAddress, mustAskForAddress } from './missing-address.ts';
import { createCalendarUrl } from './receipt.ts';
import { endsWithQuestion, listProviderMessages } from './unanswered-messages.ts';
import { timestampSchema } from '../../operation/text-schemas.ts';
import { withDescription, createTextSchema } from '../../operation/validate.ts';

/** Where and when a confirmed request takes place, worded for the person. */
export interface Visit {
  /** Place of the visit; absent if the provider publishes no address. */
  where?: string | undefined;
  /** Hours of the provider, if the person goes there. */
  hours?: string | undefined;
  /**
   * How the time is arranged if the provider comes to the person, is closed on the first or last
   * day, or the request names no day.
   */
  time?: string | undefined;
  /** Address of the provider, if the person goes there. */
  address?: string | undefined;
}

/**
 * The first and the last day as text, if the service is closed on them; undefined if it is open.
 */
export function formatClosedDays(
  service: ServiceHours | undefined,
  { from, to }: DayRange,
): string | undefined {
  const days = [...new Set([from, to])].filter((day) => service && isClosedOn(service, day));
  return days.length ? formatList(days.map(formatPlannedDay)) : undefined;
}

/** Number of closed days to list for a request without dates. */
const MAX_CLOSED_DAYS = 3;

/** The days from the given day through the last of the next closed days. */
const findNextClosedDays = ({ closedDays = [] }: Subsite, from: string): DayRange => ({
  from,
  to: listClosedDates(closedDays, from).slice(0, MAX_CLOSED_DAYS).at(-1) ?? from,
});

/** True if a confirmation may apply to a certain day, depending on the action. */
const canHaveDay = (action: Action | undefined): boolean =>
  action !== undefined && action.purpose === undefined && action.effect === undefined;

/**
 * Where the time of a visit is or may be given: in a message that mentions a time or confirms the
 * visit, in the open or the accepted offer, or nowhere yet.
 */
function findTimeSource(
  log: LoggedState,
  agreement: Agreement | undefined,
):
  | 'timeInChange'
  | 'timeNamed'
  | 'timeNamedInOffer'
  | 'timeInMessage'
  | 'timeInOffer'
  | 'timeToBeAgreed' {
  const openOffer =
    log.status === 'quoted' ? log.entries.findLast(({ offer }) => offer) : undefined;
  if (mentionsTime(openOffer?.note ?? '')) return 'timeNamedInOffer';
  const laterMessages = listLaterMessages(log).filter((words) => !endsWithQuestion(words));
  if ([...(agreement?.texts ?? []), ...laterMessages].some(mentionsTime)) return 'timeNamed';
  if (agreement?.changedAt !== undefined) return 'timeInChange';
  const confirmation = log.entries.find(({ status }) => status === 'confirmed');
  if (confirmation && listProviderMessages([confirmation]).length > 0) return 'timeInMessage';
  const words = [agreement?.description, openOffer?.note, openOffer?.offer?.description];
  return words.some((one) => mentionsTimeOrDay(one ?? '')) ? 'timeInOffer' : 'timeToBeAgreed';
}

/**
 * What the provider still has to do about the time of a confirmed visit: agree on it, or check that
 * the accepted offer states it. Undefined if a message mentions the time or confirmed the visit, or
 * if there is no visit.
 */
export function findUnsettledTime(
  action: Action | undefined,
  log: LoggedState,
  agreement: Agreement | undefined,
): 'timeOpen' | 'timeInOffer' | undefined {
  if (log.status !== 'confirmed' || action?.visitField === undefined) return undefined;
  const source = findTimeSource(log, agreement);
  if (source === 'timeToBeAgreed') return 'timeOpen';
  return source === 'timeInOffer' ? source : undefined;
}

/**
 * Describes the visit: at the provider's address during its hours, or at the customer's address at
 * a time that both agree on and that the agreement may already state.
 */
export function visitOf(
  subsite: Subsite | undefined,
  action: Action | undefined,
  log: Pick<LeadLog, 'fields' | 'status' | 'entries'>,
  agreement?: Agreement,
): Visit {
  // A web page is published online, so nobody goes anywhere for it.
  if (!subsite || action?.effect?.kind === 'storefront') return {};
  const { fields, entries } = log;
  const provider = providerOf(subsite);
  if (action?.visitField !== undefined) {
    return {
      where: lacksAddress(action, log)
        ? fill(
            !fields[action.visitField] && mustAskForAddress(action, log)
              ? text.sendAddress
              : text.checkAddress,
            { provider },
          )
        : hasAddress(fields[action.visitField])
          ? text.asDescribed
          : text.atYourPlace,
      time: fill(text[findTimeSource(log, agreement)], { provider }),
    };
  }
  const { hours, afterHours } = subsite;
  const lastEntryDay = entries.at(-1)!.at.slice(0, 10);
  const address = subsite.address && formatAddress(subsite.address);
  const days = findDaysInFields(action, fields);
  const closed = listClosedDaysBetween(
    subsite,
    days ?? findNextClosedDays(subsite, lastEntryDay),
  ).join('; ');
  const openingHours =
    hours &&
    [
      formatHours(hours, afterHours),
      ...(closed ? [fill(text.closedOn, { days: closed })] : []),
    ].join('; ');
  // The provider may have written other times, for example for a holiday. A question states no
  // times.
  const hasMessage =
    (agreement?.texts.length ?? 0) > 0 ||
    listProviderMessages(entries.filter(({ status }) => status !== 'needs_info')).length > 0;
  const hasProviderWritten = agreement !== undefined || hasMessage;
  const closedDays =
    log.status === 'confirmed' && days ? formatClosedDays(subsite, days) : undefined;
  const dayText = hasMessage
    ? text.dayInMessage
    : mentionsTimeOrDay(agreement?.description ?? '')
      ? text.dayInOffer
      : text.noDay;
  return {
    where:
      address && action?.purpose === 'question'
        ? fill(text.whereUnlessAgreed, { address })
        : address,
    address,
    hours:
      openingHours &&
      (hasProviderWritten
        ? fill(text.hoursUnlessOtherwiseWritten, { provider, hours: openingHours })
        : openingHours),
    ...(closedDays !== undefined && {
      time: fill(hasProviderWritten ? text.closedUnlessOtherwiseWritten : text.closedThen, {
        provider,
        days: closedDays,
      }),
    }),
    ...(canHaveDay(action) &&
      !days && {
        time: fill(dayText, { provider }),
      }),
  };
}

/**
 * The facts of a visit with their labels. Before the confirmation, the labels say which facts
 * depend on it.
 */
export function describeVisit(
  { where, hours, time }: Visit,
  { isConfirmed = true } = {},
): [name: string, value: string][] {
  const nameOf = (name: string) => (isConfirmed ? name : fill(receipt.ifConfirmed, { name }));
  return [
    [nameOf(text.where), where] as const,
    [text.hours, hours] as const,
    [nameOf(text.time), time] as const,
  ].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

const createDaySchema = (description: string) =>
  v.optional(v.pipe(v.string(), v.isoDate(), v.description(description)));
const createSentenceSchema = (description: string) => v.optional(createTextSchema(description));

/** The visit for a confirmed request, as its status shows it. */
export const visitSchema = v.optional(
  withDescription(
    v.strictObject({
      from: createDaySchema('The first day, YYYY-MM-DD; absent if the request has no dates.'),
      to: createDaySchema('The last day, YYYY-MM-DD.'),
      where: createSentenceSchema('Place of the visit; never the person’s address.'),
      hours: createSentenceSchema('Hours of the provider, if the person goes there.'),
      time: createSentenceSchema(
        'How the time is arranged if the provider comes to the person, is closed on the first or last day, or the request names no day.',
      ),
      agreed: v.optional(
        withDescription(
          v.array(v.string()),
          'What the provider wrote for the confirmed request, such as the time, oldest first. A change replaces the text of the confirmation and every other text that mentions a time.',
        ),
      ),
      updates: v.optional(
        withDescription(
          v.array(v.string()),
          'What the provider wrote after that, oldest first. It may name another time, for example in reply to the person.',
        ),
      ),
      changedAt: v.optional(withDescription(timestampSchema, 'When the provider last changed it.')),
      bring: v.optional(
        withDescription(v.array(v.string()), 'What the person must bring, pay or do.'),
      ),
      calendarUrl: v.optional(
        v.pipe(v.string(), v.url(), v.description('The days as a calendar file (text/calendar).')),
      ),
    }),
    'Where and when a confirmed request takes place, as on its receipt page; absent in every other state.',
  ),
);

/**
 * The visit for a request, as the holder of its receipt sees it; undefined unless the request is
 * confirmed and some detail is known.
 */
export function findConfirmedVisit(
  log: LeadLog,
  agreement: Agreement | undefined,
  { registry, base }: Pick<Site, 'registry' | 'base'>,
): v.InferOutput<typeof visitSchema> {
  if (log.status !== 'confirmed') return undefined;
  const action = actionOf(registry, log);
  const { where, hours, time } = visitOf(
    findSubsite(registry, log.subsite),
    action,
    log,
    agreement,
  );
  const days = findAgreedDays(log, registry);
  const requirements = listRequirements(action, log.fields);
  const visit = {
    ...days,
    ...(where !== undefined && { where }),
    ...(hours !== undefined && { hours }),
    ...(time !== undefined && { time }),
    ...(requirements.length > 0 && { bring: requirements }),
    ...(days && { calendarUrl: createCalendarUrl(base, log.receiptToken) }),
  };
  const { texts = [], changedAt } = agreement ?? {};
  const updates = listLaterMessages(log);
  return Object.keys(visit).length
    ? {
        ...visit,
        ...(texts.length > 0 && { agreed: [...texts] }),
        ...(updates.length > 0 && { updates }),
        ...(changedAt !== undefined && { changedAt }),
      }
    : undefined;
}
