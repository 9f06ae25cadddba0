import { kindOf } from '../../fields/fields.ts';
import type { Days } from '../../site/calendar/days.ts';
import { actionOf, type Registry } from '../../site/registry.ts';
import type { LeadLog } from '../lead-log.ts';
import { isEnded } from '../lead-states.ts';

/** The first and the last day of a request; undefined if it has no dates. */
export function requestedDays(
  { fields, ...lead }: Pick<LeadLog, 'subsite' | 'action' | 'fields'>,
  registry: Registry,
): Days | undefined {
  const days = Object.entries(actionOf(registry, lead)?.fields ?? {})
    .flatMap(([name, field]) => {
      const value = fields[name];
      return kindOf(field).isDay && typeof value === 'string' ? [value] : [];
    })
    .sort();
  const [from, to] = [days[0], days.at(-1)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** The days of a confirmed request; undefined before confirmation or without dates. */
export const agreedDays = (log: LeadLog, registry: Registry): Days | undefined =>
  log.status === 'confirmed' ? requestedDays(log, registry) : undefined;

/** The days of a request that was confirmed and has ended since; otherwise undefined. */
export const canceledDays = (log: LeadLog, registry: Registry): Days | undefined =>
  isEnded(log.status) && log.entries.some(({ status }) => status === 'confirmed')
    ? requestedDays(log, registry)
    : undefined;

/**
 * The note of the confirmation and the description of the accepted offer; undefined if both are
 * missing.
 */
export function confirmationWords(
  { status, entries }: LeadLog,
  offerId?: string,
): string | undefined {
  if (status !== 'confirmed') return undefined;
  const confirmed = entries.find((entry) => entry.status === 'confirmed');
  const accepted = entries.find(({ offer }) => offer && offer.offerId === offerId)?.offer;
  const texts = [confirmed?.note ?? undefined, accepted?.description];
  return texts.filter((text) => text !== undefined).join('\n') || undefined;
}
