import { findSubsite } from '../../site/registry.ts';
import { type PlanEffect, textOf } from './effect.ts';

/** Returns the service to visit next; the field is already validated as a subsite. */
export const planRoute: PlanEffect<'route'> = async ({ effect, input, context: { site } }) => {
  const chosen = findSubsite(site.registry, textOf(input, effect.serviceField) ?? '');
  return {
    extra: chosen
      ? { service: { name: chosen.name, title: chosen.title, url: `${site.base}${chosen.url}` } }
      : {},
    guards: [],
    rows: () => [],
    refusal: async () => 'retry',
  };
};
