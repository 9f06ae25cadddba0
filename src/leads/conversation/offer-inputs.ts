import { addHours } from '../../operation/time-arithmetic.ts';
import { toDateInTimeZone, toTimeOnDay } from '../../site/calendar/days.ts';
import {
  findNextOpening,
  type ServiceHours,
  toTimeOfDay,
} from '../../site/calendar/opening-hours.ts';
import { keysOf } from '../../site/json-object.ts';
import { findSubsite, type Registry } from '../../site/registry.ts';
import { offerInputs } from '../../text/index.ts';
import type { LeadLog } from '../lead-log.ts';
import { hoursOf } from './provider-content.ts';

const DEFAULT_PERIOD = '48h';

/**
 * How long the next offer will be open unless the provider chooses another period. In an emergency,
 * the period is short. A customer who gets no email learns of an offer only by phone, so the offer
 * is open until the end of the provider’s next business day.
 */
function findOfferPeriod(
  {
    isEmergency,
    hasEmail,
    mustBeCalled,
    subsite,
  }: Pick<LeadLog, 'isEmergency' | 'hasEmail' | 'mustBeCalled' | 'subsite'>,
  time: Date,
  registry: Registry,
): keyof typeof offerInputs.periods {
  if (isEmergency) return '2h';
  const { timeZone } = registry.network;
  const service: ServiceHours = findSubsite(registry, subsite) ?? {};
  const today = toDateInTimeZone(timeZone, time);
  const open = findNextOpening(service, today, toTimeOfDay(timeZone, time));
  if ((hasEmail && !mustBeCalled) || !open) return DEFAULT_PERIOD;
  const end = toTimeOnDay(timeZone, open.day, open.closes).toISOString();
  const periods = keysOf(offerInputs.periods);
  const longEnoughPeriods = periods.filter((period) => addHours(time, hoursOf(period)) >= end);
  return longEnoughPeriods.includes(DEFAULT_PERIOD)
    ? DEFAULT_PERIOD
    : (longEnoughPeriods[0] ?? periods.at(-1)!);
}

/** Initial values of the form for the next offer, by input name. */
export const createOfferInputs = (
  log: LeadLog,
  time: Date,
  registry: Registry,
): Record<string, string> => ({
  ...latestOfferInputsOf(log),
  expires: findOfferPeriod(log, time, registry),
});

/**
 * The latest offer as form values, by input name; empty if there is no offer. Omits the offer's
 * message, because the forms for other answers have the same input.
 */
export function latestOfferInputsOf({ entries }: Pick<LeadLog, 'entries'>): Record<string, string> {
  const offer = entries.findLast((entry) => entry.offer)?.offer;
  if (!offer) return {};
  const { amount, currency, payer, description, confirmOnAccept } = offer;
  return {
    amount,
    currency,
    ...(payer && { payer }),
    ...(description !== undefined && { description }),
    ...(Number(amount) === 0 && { free: 'yes' }),
    ...(confirmOnAccept && { confirmOnAccept: 'yes' }),
  };
}
