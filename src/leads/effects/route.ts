import { findSubsite } from '../../site/registry.ts';
import { NO_EFFECT_PLAN, type PlanEffect, textOf } from './effect.ts';

/** Returns the service to visit next; the field is already validated as a subsite. */
export const planRoute: PlanEffect<'route'> = async ({ effect, input, context: { site } }) => {
  const chosenService = findSubsite(site.registry, textOf(input, effect.serviceField) ?? '');
  return {
    ...NO_EFFECT_PLAN,
    extra: chosenService
      ? {
          service: {
            name: chosenService.name,
            title: chosenService.title,
            url: `${site.base}${chosenService.url}`,
          },
        }
      : {},
  };
};
