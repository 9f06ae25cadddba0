import { findSubsite } from '../../site/registry.ts';
import { type PlanEffect, textOf } from './effect.ts';

/** Names the service to visit next; the field was checked to be a subsite. */
export const planRoute: PlanEffect<'route'> = async ({ effect, input, context: { site } }) => {
  const chosen = findSubsite(site.registry, textOf(input, effect.serviceField) ?? '');
  return {
    extra: chosen
      ? { service: { name: chosen.name, title: chosen.title, url: `${site.base}${chosen.url}` } }
      : {},
    guards: [],
    rows: () => [],
    refusal: async () => 'again',
  };
};
