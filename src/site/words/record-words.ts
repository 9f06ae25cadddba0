import type { Action } from '../../registry/schemas/action.ts';
import type { Catalog, Item } from '../../registry/schemas/catalog.ts';
import type { Credential, Pricing, Subsite } from '../../registry/schemas/subsite.ts';
import { listFutureDateFields } from '../../fields/fields.ts';
import { matchesChoices } from '../forms/requirements.ts';
import { memoize } from '../memoize.ts';
import { findHeadlinePrice } from '../prices/prices.ts';
import type { Responsiveness } from '../../registry/schemas/responsiveness.ts';
import {
  formatDay,
  formatDayCount,
  formatMoney,
  formatPlannedDay,
  capitalize,
  withDollarSigns,
} from './words.ts';
import { fill, fillPlural } from '../../text/fill.ts';
import {
  categories as categoryTexts,
  credentialNames as credentialTexts,
  durations,
  recordWords as text,
  unavailableItems,
} from '../../text/index.ts';

/** Category names on pages and in text for agents. */
export const categories: Readonly<Record<Subsite['category'], string>> = categoryTexts;

/** A plain lead has no verb, only the name from its form. A removed action has only its verb. */
type ActionAndVerb = readonly [
  action: Partial<Pick<Action, 'request' | 'title'>> | undefined,
  verb: string | null,
];

/**
 * The name of what a person sent, worded to follow “your”, such as “request for a quote”; a lead
 * without an action is a “contact request”.
 */
export const formatRequestNoun = (...[action, verb]: ActionAndVerb): string =>
  action?.request ?? (verb === null ? text.contactRequest : text.request);

/**
 * The name of what a person sent, as a title. Action titles are only a fallback because they are
 * written as button labels.
 */
export const formatRequestTitle = (...[action, verb]: ActionAndVerb): string =>
  capitalize(action?.request ?? action?.title ?? formatRequestNoun(action, verb));

export const credentialNames: Readonly<Record<Credential['kind'], string>> = credentialTexts;

/** Formats a credential, as in “A contractor’s license, number CAC-1 (State of Florida)”. */
export function formatCredential({ text: name, number, issuer }: Credential): string {
  const credential = number === undefined ? name : fill(text.number, { credential: name, number });
  return issuer === undefined ? credential : fill(text.issuer, { credential, issuer });
}

/** Labels for item states; `available` has none. */
export const itemStates = {
  available: undefined,
  ...unavailableItems,
} as const satisfies Record<NonNullable<Item['status']>, string | undefined>;

/**
 * Formats the unit of an item’s price, to follow the amount: “per day”, but “for the first day”.
 */
const formatUnitOfItem = (unit: string): string =>
  unit.startsWith('first ') ? `for the ${unit}` : `per ${unit}`;

/** Formats an item’s price: the amount and, unless the unit is the item itself, the unit. */
export function formatItemPrice(
  { amount, currency, unit }: Pricing,
  noun: string,
): { amount: string; per?: string } {
  if (amount === 0) return { amount: text.free };
  return unit === noun || unit === 'item'
    ? { amount: formatMoney(amount, currency) }
    : { amount: formatMoney(amount, currency), per: formatUnitOfItem(unit) };
}

/** Matches the period in “5x8 trailer, day”, “month, studio package” and “seat per month”. */
const PERIOD_PATTERN =
  /^(?<leadingPeriod>(?:first )?(?:day|week|month|event)), (?<trailingNoun>.+)$|^(?<leadingNoun>.+?)(?:, | per | and )(?<trailingPeriod>(?:first )?(?:day|week|month|event))$/;

const withArticle = (noun: string): string => {
  if (noun.startsWith('one ')) return noun;
  return `${/^(?:[aeio]|8|11|18)/i.test(noun) ? 'an' : 'a'} ${noun}`;
};

/**
 * Formats the unit of a price, to follow the amount: “a day for a 5x8 trailer”. With `isLowest`,
 * only the period is shown, because the lowest of several prices applies to only one item.
 */
function formatUnit(unit: string, isLowest: boolean): string {
  const { leadingPeriod, trailingPeriod, leadingNoun, trailingNoun } =
    PERIOD_PATTERN.exec(unit)?.groups ?? {};
  const period = leadingPeriod ?? trailingPeriod;
  const noun = leadingNoun ?? trailingNoun;
  if (period === undefined || noun === undefined)
    return unit.includes(' ') ? `for ${withArticle(unit)}` : `per ${unit}`;
  const time = period.startsWith('first ') ? `for the ${period}` : withArticle(period);
  return isLowest ? time : `${time} for ${withArticle(noun)}`;
}

/** Formats the headline price for people: “From $35” and “a day”; undefined if there is none. */
export function formatHeadlinePrice(
  subsite: Subsite,
): { amount: string; unit: string } | undefined {
  const headline = findHeadlinePrice(subsite);
  if (!headline) return undefined;
  const {
    price: { amount, currency, unit },
    isLowest,
  } = headline;
  return amount === 0
    ? { amount: text.free, unit }
    : {
        amount: isLowest
          ? fill(text.from, { price: formatMoney(amount, currency) })
          : formatMoney(amount, currency),
        unit: formatUnit(unit, isLowest),
      };
}

/** Formats the price of an item in a list or on its page; for a sold item, its last price. */
export function formatListedPrice(
  { price, status }: Pick<Item, 'price' | 'status'>,
  noun: string,
): ReturnType<typeof formatItemPrice> | undefined {
  const listed = price && formatItemPrice(price, noun);
  return listed && status === 'sold'
    ? { ...listed, amount: fill(text.was, { price: listed.amount }) }
    : listed;
}

/** Formats a price on one line, such as “From $35 a day”. */
export const formatPriceLine = ({
  amount,
  unit,
}: {
  amount: string;
  unit?: string | undefined;
}): string => (unit ? `${amount} ${unit}` : amount);

/** Formats an item’s price on one line, such as “$85 per day”. */
export function formatItemPriceLine(pricing: Pricing, noun: string): string {
  const { amount, per } = formatItemPrice(pricing, noun);
  return formatPriceLine({ amount, unit: per });
}

/**
 * Formats a subsite’s headline price on one line, such as “From $35 a day”; undefined if it has
 * none.
 */
export function formatHeadlinePriceLine(subsite: Subsite): string | undefined {
  const price = formatHeadlinePrice(subsite);
  return price && formatPriceLine(price);
}

/** Formats a published price, such as “5x8 trailer, day: $35”. */
export const formatPrice = ({ amount, currency, unit }: Pricing): string =>
  fill(text.price, {
    what: capitalize(unit),
    price: amount === 0 ? text.freePrice : formatMoney(amount, currency),
  });

/** A published price in words, and its notes. */
export interface PriceText {
  price: string;
  notes?: string | undefined;
}

const priceTextOf = memoize(({ notes, ...price }: Pricing): PriceText => ({
  price: formatPrice(price),
  notes: notes && withDollarSigns(notes),
}));

/**
 * Formats a price and its notes on one line, such as “Diagnostic visit: $89. Credited toward a
 * repair.”
 */
export const formatPriceText = ({ price, notes }: PriceText): string =>
  [`${price}.`, ...(notes ? [notes] : [])].join(' ');

/**
 * Lists the published prices of a service, without those for choices other than the submitted
 * values, and its commission.
 */
export const listPricesFor = (
  { pricing = [], commission }: Subsite,
  values: Readonly<Record<string, unknown>>,
): PriceText[] => [
  ...pricing.filter((price) => matchesChoices(price.for, values)).map(priceTextOf),
  ...(commission
    ? [{ price: fill(text.commission, { percent: commission.percent }), notes: commission.notes }]
    : []),
];

/**
 * Lists the published prices that may apply to a request with these values if it has no price of
 * its own.
 */
export function listPossiblePrices(
  subsite: Subsite | undefined,
  action: Action | undefined,
  values: Readonly<Record<string, unknown>>,
): PriceText[] {
  // A subscription is free; the price of a storefront is described elsewhere.
  if (action?.purpose === 'subscription' || action?.effect?.kind === 'storefront') return [];
  return subsite ? listPricesFor(subsite, values) : [];
}

/** Describes response times, as in “18 of 20 were answered, half of them within 45 minutes”. */
export const formatResponsiveness = ({ answered, of, medianMinutes }: Responsiveness): string =>
  medianMinutes === null
    ? fill(text.answered, { answered, of })
    : fill(text.answeredWithin, {
        answered,
        of,
        time: fillPlural(durations.minutes, Math.round(medianMinutes)),
      });

/** Formats the date of an item, with the weekday if it is the date of an event. */
export const formatItemDay = (date: string, { schemaType }: Pick<Catalog, 'schemaType'>): string =>
  schemaType === 'Event' ? formatPlannedDay(date) : formatDay(date);

/**
 * Describes when a request is erased: `2 years after the last change`. Plain leads have no fields.
 */
export const formatRetention = ({
  retentionDays,
  fields = {},
}: Pick<Action, 'retentionDays'> & Partial<Pick<Action, 'fields'>>): string =>
  fill(listFutureDateFields(fields).length ? text.retentionOfDays : text.retention, {
    time: formatDayCount(retentionDays),
  });
