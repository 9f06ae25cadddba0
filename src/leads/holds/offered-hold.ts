import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import { holds } from '../../../db/schema-effects.ts';
import { isCalendarDate } from '../../fields/kinds/date.ts';
import type { Context } from '../../operation/context.ts';
import type { CallChannel } from '../../operation/operation.ts';
import type { InputError, Problem } from '../../operation/problem.ts';
import { insertWhere } from '../../operation/statements.ts';
import type { HoldEffect } from '../../registry/schemas/action.ts';
import type { Item } from '../../registry/schemas/catalog.ts';
import {
  addDays,
  type DayRange,
  endOfDay,
  toDateInTimeZone,
  toTimeOnDay,
} from '../../site/calendar/days.ts';
import {
  hoursOn,
  listClosedDaysBetween,
  type ServiceHours,
} from '../../site/calendar/opening-hours.ts';
import {
  actionOf,
  findSubsite,
  isSoldOrPast,
  itemsOf,
  type Registry,
} from '../../site/registry.ts';
import { type Offer, findOfferedHold, type OfferedHold } from '../conversation/conversation.ts';
import type { HeldItem, LeadLog } from '../lead-log.ts';
import { findDayFaults, formatDayFor, findPastDateFaults } from '../submit/requested-days.ts';
import { type RentalTotal, computeRentalTotal, rentalTermsOf } from '../../site/prices/rental.ts';
import { formatTotalWithTax } from '../../site/words/offer-words.ts';
import { formatMoney, formatOfferedItem } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { offerInputs } from '../../text/index.ts';
import { explainUnitRejection } from './hold-rejection.ts';
import { selectFreeUnit } from './live-holds.ts';
import { holdEffectOf } from './log-with-hold.ts';

/* An offer may change the item and the days of a hold. The offer's own hold lasts as long as the
 * offer can be accepted, so that accepting it cannot fail. Until the offer is accepted, the request
 * keeps its own hold. */

/** The items that a provider can offer in place of the held item, and the held days. */
export interface OfferableHold extends HeldItem {
  /** The items, each with its published price per day as text. */
  items: readonly (Pick<Item, 'id' | 'title'> & { price: string | undefined })[];
  /** The latest time at which an offer for these days can expire, ISO 8601. */
  openUntil?: string | undefined;
  /** The published price of the item for these days, as text. */
  published?: string | undefined;
  /** The closed days of the service near these days, as text. */
  closedDays?: string | undefined;
}

/** The item and days entered in an offer form. */
export type EnteredHold = Readonly<Partial<Record<'item' | 'from' | 'to', string | undefined>>>;

/** Closed days are listed up to this many days before and after the days of an offer. */
const CLOSED_DAYS_MARGIN = 14;

/** The entered item and days, or those of the hold if the entered ones are invalid. */
function withEnteredHold(
  hold: HeldItem,
  { item = hold.item, from = hold.from, to = hold.to }: EnteredHold,
  items: readonly Item[],
): HeldItem {
  const isValid =
    items.some(({ id }) => id === item) && [from, to].every(isCalendarDate) && from <= to;
  return isValid ? { item, from, to } : hold;
}

/**
 * The latest time at which an offer for the given days (YYYY-MM-DD) can expire: when the service
 * opens on the first day, or at midnight. An offer made on the first day can stay open until the
 * service closes, or until the day ends. Undefined once that time has passed.
 */
export function findLatestExpiry(
  { subsite }: Pick<LeadLog, 'subsite'>,
  { from }: Pick<DayRange, 'from'>,
  moment: Date,
  registry: Registry,
): Date | undefined {
  const { timeZone } = registry.network;
  const service: ServiceHours = findSubsite(registry, subsite) ?? {};
  const openingTimes = hoursOn(service, from);
  return [
    toTimeOnDay(timeZone, from, openingTimes?.opens),
    openingTimes && service.afterHours === undefined
      ? toTimeOnDay(timeZone, from, openingTimes.closes)
      : endOfDay(timeZone, from),
  ].find((time) => time > moment);
}

/** The item that a hold specifies, if the catalog still has it. */
export const itemOf = (
  effect: HoldEffect | undefined,
  hold: { item: string } | undefined,
  registry: Registry,
): Item | undefined =>
  effect && hold && itemsOf(registry, effect.catalog).find(({ id }) => id === hold.item);

const listItemsToOffer = (effect: HoldEffect, held: string, registry: Registry): Item[] =>
  itemsOf(registry, effect.catalog).filter((item) => item.id === held || !isSoldOrPast(item));

/**
 * The item and days that an offer for a lead can change, with the values `entered` in its form;
 * undefined if the lead has no hold.
 */
export function findOfferableHold(
  log: LeadLog,
  time: Date,
  registry: Registry,
  entered: EnteredHold = {},
): OfferableHold | undefined {
  const effect = holdEffectOf(log, registry);
  if (!effect || !log.hold) return undefined;
  const latestOffer = log.entries.findLast(({ offer }) => offer)?.offer;
  const items = listItemsToOffer(effect, log.hold.item, registry);
  const hold = (latestOffer && findOfferedHold(latestOffer)) ?? log.hold;
  const { item, from, to } = withEnteredHold(hold, entered, items);
  const title = items.find(({ id }) => id === item)?.title;
  const rental = computePublishedTotal(log, { item, from, to }, registry);
  const service = findSubsite(registry, log.subsite);
  const today = toDateInTimeZone(registry.network.timeZone, time);
  const firstNearbyDay = addDays(from, -CLOSED_DAYS_MARGIN);
  const closedDays =
    service &&
    listClosedDaysBetween(service, {
      from: firstNearbyDay < today ? today : firstNearbyDay,
      to: addDays(to, CLOSED_DAYS_MARGIN),
    });
  return {
    items: items.map(({ id, title, price }) => ({
      id,
      title,
      price: price?.unit === 'day' ? formatMoney(price.amount, price.currency) : undefined,
    })),
    item,
    from,
    to,
    openUntil: findLatestExpiry(log, { from }, time, registry)?.toISOString(),
    published:
      rental &&
      fill(offerInputs.publishedItemPrice, {
        item: formatOfferedItem({ itemTitle: title, from, to }) ?? '',
        price: formatTotalWithTax(rental.price, rental.withTax),
      }),
    ...(closedDays?.length && { closedDays: closedDays.join('; ') }),
  };
}

/**
 * The item and days of an offer, and the errors in them. Omitted values default to those of the
 * request's hold. `hold` is absent if the offer changes neither, or if the request has no hold.
 */
export function parseOfferedHold(
  inputs: Partial<Record<'item' | 'from' | 'to', string>>,
  log: LeadLog,
  { at, channel }: { at: Date; channel: CallChannel | undefined },
  context: Context,
): { hold?: OfferedHold; errors: InputError[] } {
  const { registry } = context.site;
  const effect = holdEffectOf(log, registry);
  const { hold } = log;
  if (!effect || !hold) {
    const message = 'This request holds no item, so an offer cannot change it. Leave this out.';
    return { errors: Object.keys(inputs).map((name) => ({ pointer: `/${name}`, message })) };
  }
  // A day that the provider deletes in the form must not silently become the requested day.
  const missing = channel === 'form' ? (['from', 'to'] as const).filter((day) => !inputs[day]) : [];
  if (missing.length > 0)
    return {
      errors: missing.map((day) => ({ pointer: `/${day}`, message: offerInputs.chooseDay })),
    };
  const { item: id, from, to } = { item: hold.item, from: hold.from, to: hold.to, ...inputs };
  const isUnchanged = id === hold.item && from === hold.from && to === hold.to;
  const items = listItemsToOffer(effect, hold.item, registry);
  const item = items.find((other) => other.id === id);
  const errors: InputError[] = [];
  if (!item && !isUnchanged)
    errors.push({
      pointer: '/item',
      message: 'Choose an item from the catalog.',
      allowed: items.map((other) => other.id),
    });
  const pointers: Readonly<Record<string, string>> = {
    [`/${effect.fromField}`]: '/from',
    [`/${effect.toField}`]: '/to',
  };
  // An offered hold may be longer than new holds can be, but it cannot begin in the past.
  const faultsOf = isUnchanged ? findPastDateFaults : findDayFaults;
  const faults =
    from > to
      ? [
          {
            pointer: '/to',
            message: fill(offerInputs.reversed, { day: formatDayFor(channel, from) }),
            min: from,
          },
        ]
      : faultsOf(
          actionOf(registry, log)!,
          { [effect.fromField]: from, [effect.toField]: to },
          {
            context,
            service: findSubsite(registry, log.subsite),
            now: at,
            channel,
            fieldsPath: [],
          },
        );
  errors.push(
    ...faults.map((fault) => ({ ...fault, pointer: pointers[fault.pointer] ?? fault.pointer })),
  );
  return errors.length || isUnchanged || !item
    ? { errors }
    : { hold: { item: item.id, itemTitle: item.title, from, to }, errors };
}

/** The published total, if any, for the item and days that an offer specifies. */
export function computePublishedTotal(
  log: LeadLog,
  hold: HeldItem,
  registry: Registry,
): RentalTotal | undefined {
  const effect = holdEffectOf(log, registry);
  const item = itemOf(effect, hold, registry);
  if (!effect || !item) return undefined;
  return computeRentalTotal(rentalTermsOf(effect, actionOf(registry, log)), item, hold);
}

/** How an offer's hold is placed. */
interface HoldPlacement {
  /** Returns the problem, with alternatives, if no unit is available. */
  rejection: () => Promise<Problem | undefined>;
  /** Subquery for the unit; null if none is available. */
  unit: SQL;
  /** Returns the statement that places the hold if a condition is true. */
  place: (written: SQL) => SQL;
}

/** The hold of an offer for a lead; undefined if the offer does not have its own hold. */
export function planOfferedHold(
  log: LeadLog,
  offer: Offer | undefined,
  { at, channel }: { at: Date; channel: CallChannel | undefined },
  context: Context,
): HoldPlacement | undefined {
  const { registry } = context.site;
  const effect = holdEffectOf(log, registry);
  const days = offer && findOfferedHold(offer);
  const item = itemOf(effect, days, registry);
  if (!offer || !effect || !days || !item) return undefined;
  const { catalog } = effect;
  const receiptToken = log.receiptToken;
  const unit = selectFreeUnit(catalog, item, days, at, receiptToken);
  return {
    rejection: () =>
      explainUnitRejection(
        {
          service: findSubsite(registry, log.subsite),
          effect,
          item,
          days,
          pointers: { item: '/item', from: '/from', to: '/to' },
          channel,
          now: at,
          receiptToken,
        },
        context,
      ),
    unit,
    place: (written) =>
      insertWhere(
        holds,
        {
          lead: receiptToken,
          offer: offer.offerId,
          catalog,
          item: item.id,
          unit,
          fromDay: days.from,
          toDay: days.to,
          expiresAt: offer.expiresAt,
        },
        written,
      ),
  };
}

/**
 * The statements for the holds of a lead's offers if an entry was `written`: the hold of the offer
 * `acceptedOfferId`, if any, replaces the lead's own hold, and all other offered holds end.
 */
export const createOfferedHoldChanges = (
  receiptToken: string,
  acceptedOfferId: string,
  written: SQL,
): SQL[] => [
  ...(acceptedOfferId === ''
    ? []
    : [
        sql`delete from ${holds} where ${and(eq(holds.lead, receiptToken), eq(holds.offer, ''))} and ${written}`,
        sql`update ${holds} set offer = '' where ${and(eq(holds.lead, receiptToken), eq(holds.offer, acceptedOfferId))} and ${written}`,
      ]),
  sql`delete from ${holds} where ${and(eq(holds.lead, receiptToken), ne(holds.offer, ''))} and ${written}`,
];
