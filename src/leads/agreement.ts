import { kindOf } from '../fields/fields.ts';
import { actionOf, type Registry } from '../site/registry.ts';
import type { Days } from '../site/days.ts';
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
