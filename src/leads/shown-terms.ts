import { actionOf } from '../site/registry.ts';
import { type RentalTotal, requestTotal } from '../site/rental.ts';
import type { Site } from '../site/site.ts';
import { offeredPrice, timeInWords } from '../site/words.ts';
import { shownTerms as text } from '../text/index.ts';
import { openOffer, type Offer } from './conversation.ts';
import { type LeadLog, liveHold, standingOf } from './lead-log.ts';
import { isEnded } from './lead-states.ts';

/** The price that applies to a request, as its status document names it. */
export interface AppliedPrice {
  /** Decimal number. */
  amount: string;
  /** ISO 4217 code. */
  currency: string;
  /** ID of the accepted offer; absent if the price is the published total. */
  offerId?: string | undefined;
  /** Refundable deposit in addition to it, a decimal number. */
  deposit?: string | undefined;
}

/** The price and hold of a request, as shown to both sides. */
export interface ShownTerms {
  /** The offer that can be accepted. */
  open?: Offer | undefined;
  /** The offer that was accepted. */
  agreed?: Offer | undefined;
  /** The published total; absent if an offer has another price, and after the end. */
  total?: RentalTotal | undefined;
  /** The published deposit, in words. */
  deposit?: string | undefined;
  /** The price of the accepted offer, or else the published total. */
  price?: AppliedPrice | undefined;
  /** When the hold ends, ISO 8601; absent if it is confirmed or there is none. */
  heldUntil?: string | undefined;
  /** URL of the request's storefront. */
  previewUrl?: string | undefined;
}

/**
 * The offer that applies to an accepted or confirmed request: the newest, if the person accepted
 * it. Undefined before that, and if the provider confirmed first.
 */
function agreedOffer({ status, entries }: LeadLog): Offer | undefined {
  if (status !== 'accepted' && status !== 'confirmed') return undefined;
  const made = entries.findLastIndex(({ offer }) => offer);
  // By accepting an offer that confirms at once, the person confirms.
  const accepted = entries
    .slice(made + 1)
    .some(
      ({ status: to, actor }) => to === 'accepted' || (to === 'confirmed' && actor === 'person'),
    );
  return accepted ? entries[made]?.offer : undefined;
}

/** The terms of a lead at a given time. */
export function shownTerms(log: LeadLog, now: Date, site: Site): ShownTerms {
  if (isEnded(log.status)) return {};
  const { registry } = site;
  const fields = Object.entries(log.fields).map(([name, value]) => ({ name, value }));
  const total = requestTotal(registry, actionOf(registry, log), fields);
  const agreed = agreedOffer(log);
  const open = openOffer(standingOf(log), now);
  const shown = agreed || open ? undefined : total;
  const price = agreed ?? shown;
  return {
    open,
    agreed,
    total: shown,
    price: price && {
      amount: price.amount,
      currency: price.currency,
      ...(agreed && { offerId: agreed.offerId }),
      ...(total?.depositAmount !== undefined && { deposit: total.depositAmount }),
    },
    deposit: total?.deposit,
    heldUntil: liveHold(log, now)?.expiresAt ?? undefined,
  };
}

/** Terms with labels, for the provider. */
export function termsInWords(
  { agreed, total, deposit, heldUntil, previewUrl }: ShownTerms,
  { registry }: Pick<Site, 'registry'>,
): (readonly [name: string, value: string])[] {
  const pairs = [
    [text.agreed, agreed && offeredPrice(agreed)],
    [text.total, total?.price],
    [text.deposit, deposit],
    [text.heldUntil, heldUntil && timeInWords(heldUntil, registry.network.timeZone)],
    [text.storefront, previewUrl],
  ] as const;
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
