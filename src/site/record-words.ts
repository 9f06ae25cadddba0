import type { Catalog, Item } from '../registry/catalog.ts';
import type { Credential, Pricing, Subsite } from '../registry/subsite.ts';
import { headlinePrice } from './prices.ts';
import type { Responsiveness } from './responsiveness.ts';
import { dayInWords, money, plannedDayInWords, sentence } from './words.ts';
import { quantityOf } from './quantity.ts';

/** What each category is called, on the pages and in the text for agents. */
export const categories = {
  product: 'Services and goods',
  marketing: 'Business and media',
  misc: 'House rules and accounts',
} as const satisfies Record<Subsite['category'], string>;

/** What each kind of credential is called. */
export const credentialNames = {
  license: 'License',
  certification: 'Certification',
  insurance: 'Insurance',
} as const satisfies Record<Credential['kind'], string>;

/** A credential in words, for example “A contractor’s license, number CAC-1 (State of Florida)”. */
export const credentialInWords = ({ text, number, issuer }: Credential): string =>
  `${text}${number === undefined ? '' : `, number ${number}`}${issuer === undefined ? '' : ` (${issuer})`}`;

/** What each state of an item is called; `available` needs no word. */
export const itemStates = {
  available: undefined,
  sold: 'Sold',
  upcoming: 'Upcoming',
  past: 'Past',
} as const satisfies Record<NonNullable<Item['status']>, string | undefined>;

/** What one of an item costs: the amount, and the unit where it is not the item itself. */
export function itemPrice(
  { amount, currency, unit }: Pricing,
  noun: string,
): { amount: string; per?: string } {
  if (amount === 0) return { amount: 'Free' };
  return unit === noun || unit === 'item'
    ? { amount: money(amount, currency) }
    : { amount: money(amount, currency), per: `per ${unit}` };
}

/**
 * The price that a subsite is known by as people read it, for example “From $35” and “per 5x8
 * trailer, day”; undefined where it has none.
 */
export function headlineInWords(subsite: Subsite): { amount: string; unit: string } | undefined {
  const headline = headlinePrice(subsite);
  if (!headline) return undefined;
  const {
    price: { amount, currency, unit },
    from,
  } = headline;
  return amount === 0
    ? { amount: 'Free', unit }
    : { amount: `${from ? 'From ' : ''}${money(amount, currency)}`, unit: `per ${unit}` };
}

/** A published price in words, for example “5x8 trailer, day: $35”. */
export const priceInWords = ({ amount, currency, unit }: Pricing): string =>
  `${sentence(unit)}: ${amount === 0 ? 'free' : money(amount, currency)}`;

/**
 * How a subsite’s requests were answered, for example “18 of 20 were answered, half of them within
 * 45 minutes”.
 */
export const answersInWords = ({ answered, of, medianMinutes }: Responsiveness): string =>
  `${answered} of ${of} were answered${medianMinutes === null ? '' : `, half of them within ${quantityOf(Math.round(medianMinutes), 'minute')}`}`;

/** The date of an item: with its weekday where something takes place on it. */
export const itemDayInWords = (
  date: string,
  { schemaType }: Pick<Catalog, 'schemaType'>,
): string => (schemaType === 'Event' ? plannedDayInWords(date) : dayInWords(date));
