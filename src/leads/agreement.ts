import { kindOf } from '../fields/fields.ts';
import { actionOf, type Registry } from '../site/registry.ts';
import type { Offer } from './conversation.ts';
import type { LeadState } from './lead-status.ts';

/** Days YYYY-MM-DD, the first and the last. */
export interface Days {
  from: string;
  to: string;
}

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
  history,
  messages,
}: Pick<LeadState, 'status' | 'history' | 'messages'>): Offer | undefined {
  if (status !== 'accepted' && status !== 'confirmed') return undefined;
  const made = messages.findLast(({ offer }) => offer);
  const offer = made?.offer;
  // Accepting an offer that confirms at once leaves no other state behind.
  const accepted =
    offer?.confirmOnAccept ||
    history.some((entry) => made && entry.status === 'accepted' && entry.at >= made.at);
  return accepted ? offer : undefined;
}
