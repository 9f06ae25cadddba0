import type { Action } from '../registry/action.ts';
import type { Subsite } from '../registry/subsite.ts';

export const FREE_DAYS_PATH = '/api/free-days';

/**
 * URL template for the free days of an item, with the name of the item field as its variable;
 * undefined if the action is not the first of its subsite that holds items.
 */
export const createFreeDaysUrl = (
  { name, actions }: Subsite,
  { verb, effect }: Action,
  base: string,
): string | undefined =>
  effect?.kind === 'hold' && verb === actions.find((other) => other.effect?.kind === 'hold')?.verb
    ? `${base}${FREE_DAYS_PATH}?subsite=${name}&item={${effect.itemField}}`
    : undefined;
