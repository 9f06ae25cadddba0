import { kindOf } from '../fields/fields.ts';
import { actionOf, type Registry } from '../site/registry.ts';
import type { Offer } from './conversation.ts';
import type { Days } from '../site/days.ts';
import type { LeadLog } from './lead-log.ts';
import type { LeadState } from './lead-status.ts';

/**
 * The days that a confirmed request is about: those of its hold, or else the earliest and the
 * latest date that was asked for. Undefined before it is confirmed, and where it names no day.
 */
export function agreedDays(
  {
    subsite,
    action,
    status,
    hold,
    request,
  }: Pick<LeadState, 'subsite' | 'action' | 'status' | 'hold' | 'request'>,
  registry: Registry,
): Days | undefined {
  if (status !== 'confirmed') return undefined;
  if (hold) return { from: hold.from, to: hold.to };
  const record = actionOf(registry, { subsite, action });
  const days = request.fields
    .filter(({ name }) => {
      const field = record?.fields[name];
      return field && kindOf(field).isDay;
    })
    .map(({ value }) => String(value))
    .sort();
  const [from, to] = [days[0], days.at(-1)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/**
 * The offer that applies to an accepted or confirmed request: the newest, where the person accepted
 * it. Undefined before that, and where the provider confirmed without waiting for that.
 */
export function agreedOffer({
  status,
  entries,
}: Pick<LeadLog, 'status' | 'entries'>): Offer | undefined {
  if (status !== 'accepted' && status !== 'confirmed') return undefined;
  const made = entries.findLastIndex(({ offer }) => offer);
  const offer = entries[made]?.offer;
  // Accepting an offer that confirms at once leaves no other state behind.
  const accepted =
    offer?.confirmOnAccept || entries.slice(made + 1).some((entry) => entry.status === 'accepted');
  return accepted ? offer : undefined;
}
