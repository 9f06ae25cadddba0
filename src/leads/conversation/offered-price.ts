import type { InputFault } from '../../operation/problem.ts';
import { createInputProblem } from '../../operation/validate.ts';
import { findSubsite, type Registry } from '../../site/registry.ts';
import { computeTax } from '../../site/prices/sales-tax.ts';
import { publishedTermsOf } from '../../site/forms/published-terms.ts';
import { formatPrice } from '../../site/words/record-words.ts';
import { matchesChoices } from '../../site/forms/requirements.ts';
import { formatMoney, formatOfferedItem, formatTime } from '../../site/words/words.ts';
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

/**
 * A price is unlikely if it differs from a service's published prices by more than this factor; the
 * price of the work may differ from them.
 */
const UNLIKELY_SERVICE_RATIO = 10;

/** A higher price is unlikely if there is no published price to compare it with. */
const LARGE_AMOUNT = 100_000;

type PricedContent = Pick<Offer, 'amount' | 'currency'> & {
  payer?: 'person' | 'provider' | undefined;
};

/** The published prices of a service that match the choices in a request. */
function listServicePrices({ subsite, action, fields, terms }: LeadLog, registry: Registry) {
  const { pricing = [] } = findSubsite(registry, subsite) ?? {};
  return action === null || terms.item
    ? []
    : pricing.filter(
        ({ extra, amount, ...price }) => !extra && amount > 0 && matchesChoices(price.for, fields),
      );
}

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
 * Rejects an edited price if the chosen action does not send it.
 * @throws {Problem}
 */
export function requireNoUnsentPrice(amount: string, log: LeadLog): void {
  if (amount !== latestOfferInputsOf(log)['amount'])
    throw createInputProblem('/amount', text.unsentPrice);
}

/**
 * Why a price is unlikely, and the published price to compare it with; undefined if it is
 * plausible.
 */
function findUnlikelyPrice(
  { amount, currency, payer }: PricedContent,
  log: LeadLog,
  hold: OfferedHold | undefined,
  registry: Registry,
): { reason: keyof typeof text.unlikely; published?: string } | undefined {
  const price = Number(amount);
  const total = payer === 'provider' ? undefined : findPublishedPrice(log, hold, registry);
  if (total) {
    const published = Number(total.amount);
    if (total.currency !== currency || published === 0) return undefined;
    const reason =
      price === 0
        ? 'free'
        : price > published * UNLIKELY_RATIO
          ? 'high'
          : price < published / UNLIKELY_RATIO
            ? 'low'
            : hold && price !== published
              ? 'otherDays'
              : undefined;
    return reason && { reason, published: total.price };
  }
  const prices = payer === 'provider' ? [] : listServicePrices(log, registry);
  const comparable = prices
    .filter((one) => one.currency === currency)
    .sort((one, other) => one.amount - other.amount);
  const [lowest, highest] = [comparable[0], comparable.at(-1)];
  if (!lowest || !highest) return price > LARGE_AMOUNT ? { reason: 'large' } : undefined;
  if (price > highest.amount * UNLIKELY_SERVICE_RATIO)
    return { reason: 'farAbove', published: formatPrice(highest) };
  return price > 0 && price < lowest.amount / UNLIKELY_SERVICE_RATIO
    ? { reason: 'farBelow', published: formatPrice(lowest) }
    : undefined;
}

/**
 * Errors that ask the provider to confirm a price that is probably a typo because it is far from
 * the published price, or that differs from the published price for days other than those
 * requested. `checkedAmount` is the price that the provider has confirmed.
 */
export function listPriceFaults(
  { checkedAmount, ...content }: PricedContent & { checkedAmount?: string | undefined },
  log: LeadLog,
  hold: OfferedHold | undefined,
  registry: Registry,
): InputFault[] {
  if (checkedAmount !== undefined && Number(checkedAmount) === Number(content.amount)) return [];
  const unlikely = findUnlikelyPrice(content, log, hold, registry);
  if (!unlikely) return [];
  const { amount, currency } = content;
  const message = fill(text.unlikely[unlikely.reason], {
    price: formatOfferedPrice({ amount, currency }, 'provider'),
    published: unlikely.published ?? '',
    item: hold ? formatOfferedItem(hold)! : '',
  });
  return [{ pointer: '/checkedAmount', message }];
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
