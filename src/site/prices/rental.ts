import type { FieldValue } from '../../fields/spec.ts';
import type { Action, HoldEffect } from '../../registry/schemas/action.ts';
import type { Item } from '../../registry/schemas/catalog.ts';
import { addDays, countDaysBetween } from '../calendar/days.ts';
import { itemsOf, type Registry } from '../registry.ts';
import { addSalesTax } from './sales-tax.ts';
import { formatMoney } from '../words/words.ts';
import { formatQuantity } from '../words/quantity.ts';

/** The total price of a rental, in words. It is not binding until the provider confirms it. */
export interface RentalTotal {
  /** The calculation before sales tax, such as “3 days × $65 = $195”. */
  price: string;
  /** The total before sales tax as a decimal number, such as 195.00. */
  amount: string;
  currency: string;
  /** The refundable deposit, such as “$200”; undefined if there is none. */
  deposit: string | undefined;
  /** The deposit alone as a decimal number, such as 200.00. */
  depositAmount: string | undefined;
  /** Conditions that may change the price. */
  notes: string | undefined;
  /** The total with sales tax, such as “$208.65”; undefined if the record names no tax. */
  withTax: string | undefined;
}

/** The available days (YYYY-MM-DD) of an item that a request can put on hold. */
export interface RentalCalendar {
  item: Item;
  /** Days in order, each with the number of available units and whether the provider is closed. */
  days: readonly { day: string; free: number; isClosed: boolean }[];
  /** The days that the person has chosen so far. */
  chosen: {
    from: string | undefined;
    to: string | undefined;
    /** Why a typed day cannot be chosen, in a sentence. */
    fault?: string | undefined;
    /** True if a unit is available on every chosen day. */
    isFree?: boolean;
    total?: RentalTotal | undefined;
  };
  /** Of the first and last chosen days, those on which the provider is closed. */
  closedDays: readonly string[];
  /** Closing time in words, such as “7 pm”, if the first chosen day is today. */
  closingTimeToday?: string | undefined;
  earlierStart: string | undefined;
  laterStart: string | undefined;
}

/** The terms of an action and its hold from which the total of a rental is computed. */
type RentalTerms = Pick<HoldEffect, 'chargedDays' | 'deposit'> & Pick<Action, 'salesTaxPercent'>;

/** Combines the terms of an action and its hold to compute the total of a rental. */
export const rentalTermsOf = (
  effect: HoldEffect,
  action: Pick<Action, 'salesTaxPercent'> | undefined,
) => ({ ...effect, salesTaxPercent: action?.salesTaxPercent });

/** Number of days charged for a rental of this many days. */
function countChargedDays(
  { chargedDays: rule }: Pick<HoldEffect, 'chargedDays'>,
  days: number,
): number {
  return rule ? Math.floor(days / rule.of) * rule.as + (days % rule.of) : days;
}

/**
 * Computes the total for a range of days (YYYY-MM-DD, inclusive); undefined if the item has no
 * daily price.
 */
export function computeRentalTotal(
  rule: RentalTerms,
  { price }: Pick<Item, 'price'>,
  { from, to }: { from: string; to: string },
): RentalTotal | undefined {
  const days = countDaysBetween({ from, to }) + 1;
  if (price?.unit !== 'day' || !(days >= 1)) return undefined;
  const formatAmount = (amount: number) =>
    formatMoney(Math.round(amount * 100) / 100, price.currency);
  const chargedDays = countChargedDays(rule, days);
  const count = formatQuantity(days, 'day');
  const times = chargedDays === days ? count : `${count}, charged as ${chargedDays},`;
  const total = chargedDays * price.amount;
  return {
    amount: total.toFixed(2),
    price: `${times} × ${formatAmount(price.amount)} = ${formatAmount(total)}`,
    currency: price.currency,
    deposit: rule.deposit === undefined ? undefined : formatAmount(rule.deposit),
    depositAmount: rule.deposit?.toFixed(2),
    notes: price.notes,
    withTax:
      rule.salesTaxPercent === undefined
        ? undefined
        : formatAmount(addSalesTax(total, rule.salesTaxPercent)),
  };
}

/** Matches a sentence in price notes that repeats what the total already shows. */
const SHOWN_BY_TOTAL_PATTERN = /\bsales tax\b|\bcharged as\b/i;

/**
 * Returns the sentences in price notes that say more than a total with sales tax already shows;
 * undefined if none do.
 */
export const findNotesBesideTotal = (
  notes: string | undefined,
  { withTax }: Pick<RentalTotal, 'withTax'>,
): string | undefined =>
  withTax === undefined
    ? notes
    : notes
        ?.split(/(?<=\.)\s+/)
        .filter((sentence) => !SHOWN_BY_TOTAL_PATTERN.test(sentence))
        .join(' ') || undefined;

/**
 * Finds the shortest longer rental that costs less, and returns its total; undefined if there is
 * none.
 */
export function findCheaperTotal(
  rule: RentalTerms & Pick<HoldEffect, 'longestDays'>,
  item: Pick<Item, 'price'>,
  { from, to }: { from: string; to: string },
): RentalTotal | undefined {
  const days = countDaysBetween({ from, to }) + 1;
  const maxDays = Math.min(rule.longestDays, days + (rule.chargedDays?.of ?? 0));
  for (let longerDays = days + 1; longerDays <= maxDays; longerDays++)
    if (countChargedDays(rule, longerDays) < countChargedDays(rule, days))
      return computeRentalTotal(rule, item, { from, to: addDays(from, longerDays - 1) });
  return undefined;
}

/** Computes the total of a request for a hold from its fields; undefined for any other request. */
export function computeRequestTotal(
  registry: Registry,
  action: Action | undefined,
  fields: Readonly<Record<string, FieldValue>>,
): RentalTotal | undefined {
  if (action?.effect?.kind !== 'hold') return undefined;
  const { effect } = action;
  const item = itemsOf(registry, effect.catalog).find(({ id }) => id === fields[effect.itemField]);
  const from = fields[effect.fromField];
  const to = fields[effect.toField] ?? from;
  return item && typeof from === 'string' && typeof to === 'string'
    ? computeRentalTotal(rentalTermsOf(effect, action), item, { from, to })
    : undefined;
}
