import { actionOf } from '../site/registry.ts';
import { type RentalTotal, requestTotal } from '../site/rental.ts';
import type { Site } from '../site/site.ts';
import { money, timeInWords } from '../site/words.ts';
import { shownTerms as text } from '../text/index.ts';
import { agreedOffer } from './agreement.ts';
import { openOffer, type Offer } from './conversation.ts';
import { type LeadLog, liveHold, standingOf } from './lead-log.ts';
import { isEnded } from './lead-states.ts';

/** What both sides of a request are shown of its price and its hold. */
export interface ShownTerms {
  /** The offer that was accepted. */
  agreed?: Offer | undefined;
  /** The published total; absent where an offer names another price, and at the end. */
  total?: RentalTotal | undefined;
  /** The published deposit, in words. */
  deposit?: string | undefined;
  /** When the hold ends, ISO 8601; absent where it is firm or there is none. */
  heldUntil?: string | undefined;
  /** Address of the storefront that the request made. */
  previewUrl?: string | undefined;
}

/** The terms of a lead at a time. */
export function shownTerms(log: LeadLog, now: Date, site: Site): ShownTerms {
  if (isEnded(log.status)) return {};
  const { registry } = site;
  const fields = Object.entries(log.fields).map(([name, value]) => ({ name, value }));
  const total = requestTotal(registry, actionOf(registry, log), fields);
  const agreed = agreedOffer(log);
  return {
    agreed,
    total: agreed || openOffer(standingOf(log), now) ? undefined : total,
    deposit: total?.deposit,
    heldUntil: liveHold(log, now)?.expiresAt ?? undefined,
  };
}

/** Terms with what each is called, for the provider. */
export function termsInWords(
  { agreed, total, deposit, heldUntil, previewUrl }: ShownTerms,
  { registry }: Pick<Site, 'registry'>,
): (readonly [name: string, value: string])[] {
  const pairs = [
    [text.agreed, agreed && money(Number(agreed.amount), agreed.currency)],
    [text.total, total?.price],
    [text.deposit, deposit],
    [text.heldUntil, heldUntil && timeInWords(heldUntil, registry.network.timeZone)],
    [text.storefront, previewUrl],
  ] as const;
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
