import { createInputProblem, throwIfAnyFaults } from '../../operation/validate.ts';
import { findSubsite, type Registry } from '../../site/registry.ts';
import { computeTax } from '../../site/sales-tax.ts';
import { publishedTermsOf } from '../../site/forms/published-terms.ts';
import { formatMoney, formatTime } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { acceptedOffer, offerInputs as text } from '../../text/index.ts';
import {
  formatOffer,
  formatOfferedPrice,
  formatTotalWithTax,
} from '../../site/words/offer-words.ts';
import { computePublishedTotal } from '../holds/offered-hold.ts';
import { latestOfferInputsOf } from './offer-inputs.ts';
import type { LeadLog } from '../lead-log.ts';
import { formatClosedDays } from '../status/visit.ts';
import { findReplacedOffer } from '../status/offer-state.ts';
import { type Offer, findOfferedHold, type OfferedHold } from './conversation.ts';

/** A price is unlikely if it differs from the published total by more than this factor. */
const UNLIKELY_RATIO = 2;

/** The published price for the requested item and days, or for those in an offer. */
function findPublishedPrice(log: LeadLog, hold: OfferedHold | undefined, registry: Registry) {
  const { item, total } = publishedTermsOf(registry, log);
  const rental = hold ? computePublishedTotal(log, hold, registry) : total;
  if (rental) return rental;
  return item?.total && item.price !== undefined ? { ...item.total, price: item.price } : undefined;
}

/**
 * Rejects a form that reports an acceptance by phone with an action that does not record it.
 * @throws {Problem}
 */
export function requireNoUnsentAcceptance(action: string | undefined): void {
  if (action !== 'confirm') throw createInputProblem('/accepted', acceptedOffer.onlyConfirms);
}

/**
 * Rejects a price that differs from the latest offer's if the action sends no price.
 * @throws {Problem}
 */
export function requireNoUnsentPrice(amount: string, log: LeadLog): void {
  if (amount !== latestOfferInputsOf(log)['amount'])
    throw createInputProblem('/amount', text.unsentPrice);
}

/**
 * Asks the provider to confirm a price that is far from the published total and so probably a typo.
 * `checkedAmount` is the price that they confirmed. @throws {Problem} invalid_input
 */
export function requirePriceConfirmation(
  {
    amount,
    currency,
    checkedAmount,
  }: Pick<Offer, 'amount' | 'currency'> & { checkedAmount?: string | undefined },
  log: LeadLog,
  hold: OfferedHold | undefined,
  registry: Registry,
): void {
  const total = findPublishedPrice(log, hold, registry);
  const price = Number(amount);
  const isPriceConfirmed = checkedAmount !== undefined && Number(checkedAmount) === price;
  if (total?.currency !== currency || isPriceConfirmed) return;
  const published = Number(total.amount);
  if (published === 0) return;
  const words =
    price === 0
      ? text.unlikely.free
      : price > published * UNLIKELY_RATIO
        ? text.unlikely.high
        : price < published / UNLIKELY_RATIO
          ? text.unlikely.low
          : undefined;
  if (words === undefined) return;
  const message = fill(words, {
    price: formatOfferedPrice({ amount, currency }, 'provider'),
    published: total.price,
  });
  throwIfAnyFaults([{ pointer: '/checkedAmount', message }]);
}

/**
 * States the published total, with the sales tax that is added to it, for comparison with what the
 * customer pays; undefined if no total is published.
 */
function describePublishedDifference(
  log: LeadLog,
  offer: Offer,
  registry: Registry,
): string | undefined {
  if (offer.payer === 'provider') return undefined;
  const hold = findOfferedHold(offer);
  const published = findPublishedPrice(log, hold, registry);
  if (!published) return undefined;
  const { amount, currency } = published;
  const { total } = computeTax(String(amount), log.terms.salesTaxPercent);
  const price = formatTotalWithTax(
    published.price,
    total === undefined ? undefined : formatMoney(Number(total), currency),
  );
  return hold
    ? fill(text.publishedItemPrice, { item: hold.itemTitle, price })
    : fill(text.publishedTotal, { price });
}

/** Tells the provider when an offer expires and which published total to compare it with. */
export const describeOpenOffer = (log: LeadLog, offer: Offer, registry: Registry): string =>
  [
    fill(text.openUntil, { until: formatTime(offer.expiresAt, registry.network.timeZone) }),
    describePublishedDifference(log, offer, registry),
  ]
    .filter(Boolean)
    .join(' ');

/**
 * Describes a provider's offer and the offer that it replaced, followed by
 * {@link describeOpenOffer}.
 */
export function describeSentOffer(log: LeadLog, offer: Offer, registry: Registry): string {
  const { entries, terms } = log;
  const index = entries.findIndex((entry) => entry.offer?.offerId === offer.offerId);
  const replaced = findReplacedOffer(entries, index);
  const days = findOfferedHold(offer) ?? log.hold;
  const closedDays = days && formatClosedDays(findSubsite(registry, log.subsite), days);
  const format = (one: Offer) => formatOffer(one, 'provider', terms.salesTaxPercent);
  return [
    fill(text.offered, { offer: format(offer) }),
    replaced && fill(text.replaces, { offer: format(replaced) }),
    closedDays !== undefined && fill(text.offersClosedDay, { days: closedDays }),
    describeOpenOffer(log, offer, registry),
  ]
    .filter(Boolean)
    .join(' ');
}
