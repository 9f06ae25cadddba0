import type { Context } from '../../operation/context.ts';
import { addHours } from '../../operation/time-arithmetic.ts';
import { createInputProblem } from '../../operation/validate.ts';
import { HOUR_MS } from '../../site/calendar/durations.ts';
import { roundUpToHour } from '../../site/calendar/full-hour.ts';
import { isPricedByMonth } from '../../site/prices/prices.ts';
import { findSubsite } from '../../site/registry.ts';
import type { Offer } from './conversation.ts';
import { hoursOf, type ProviderContent } from './provider-content.ts';

/**
 * Computes when an offer that a provider makes at the time `at` expires, ISO 8601. A form displays
 * the `latest` time, so a later expiry is reduced to it, and a form's offer for a day or longer
 * expires on the hour. Other callers must send a period that ends by the `latest` time, rounded up
 * to a full hour.
 * @throws {Problem} invalid_input
 */
function computeOfferExpiry(
  period: string,
  {
    at,
    latest: latestExpiryTime,
    channel,
  }: { at: Date; latest: Date | undefined; channel: 'form' | undefined },
  timeZone: string,
): string {
  const periodEnd = addHours(at, hoursOf(period));
  const expiresAt =
    channel === 'form' && hoursOf(period) >= 24
      ? roundUpToHour(timeZone, new Date(periodEnd)).toISOString()
      : periodEnd;
  if (!latestExpiryTime || expiresAt <= latestExpiryTime.toISOString()) return expiresAt;
  const hours = Math.ceil((latestExpiryTime.getTime() - at.getTime()) / HOUR_MS);
  if (channel !== 'form' && hoursOf(period) > hours)
    throw createInputProblem(
      '/expires',
      `An offer for these days must expire by ${latestExpiryTime.toISOString()}. Enter at most ${hours}h.`,
    );
  return latestExpiryTime.toISOString();
}

/**
 * Creates the offer from the content of a provider's action.
 * @throws {Problem} invalid_input if it would be open for too long
 */
export const createOffer = (
  content: ProviderContent,
  subsite: string,
  creation: { at: Date; latest: Date | undefined; channel: 'form' | undefined },
  { tokens, site }: Context,
): Offer => ({
  offerId: tokens.event(creation.at),
  amount: content.amount!,
  currency: content.currency!,
  ...(content.payer === 'provider'
    ? { payer: content.payer }
    : isPricedByMonth(findSubsite(site.registry, subsite)) && { per: 'month' }),
  ...(content.description !== undefined && { description: content.description }),
  expiresAt: computeOfferExpiry(content.expires!, creation, site.registry.network.timeZone),
  confirmOnAccept: content.confirmOnAccept ?? false,
});
