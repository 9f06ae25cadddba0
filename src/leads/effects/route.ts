import type { Effect } from '../../registry/schemas/action.ts';
import { findSubsite } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import type { ReceiptExtra } from '../status/receipt.ts';
import type { LeadInput } from '../submit/lead-input.ts';
import { NO_EFFECT_PLAN, type PlanEffect, textOf } from './effect.ts';

/** The service to visit next; the field is already validated as a subsite. */
export function findNextService(
  { serviceField }: Extract<Effect, { kind: 'route' }>,
  lead: Pick<LeadInput, 'fields'>,
  { registry, base }: Site,
): Pick<ReceiptExtra, 'service'> {
  const service = findSubsite(registry, textOf(lead, serviceField) ?? '');
  return service
    ? { service: { name: service.name, title: service.title, url: `${base}${service.url}` } }
    : {};
}

export const planRoute: PlanEffect<'route'> = async ({ effect, input, context: { site } }) => ({
  ...NO_EFFECT_PLAN,
  extra: findNextService(effect, input, site),
});
