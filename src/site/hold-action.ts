import type { Action, HoldEffect } from '../registry/schemas/action.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';

export const FREE_DAYS_PATH = '/api/free-days';

export const FREE_DAYS_URL_TEXT =
  'URL template for the available days of an item; replace {name} with the value of the field with that name. Present if the action holds items.';

/**
 * Path of the page with the available days of a subsite's item, with the anchor of the calendar.
 */
export const createAvailableDaysPath = (subsite: string, item: string): string =>
  `/free-days/${subsite}/${item}#free-days`;

/** The first action of a subsite that holds items; undefined if there is none. */
export function findHoldAction({
  actions,
}: Subsite): { action: Action; effect: HoldEffect } | undefined {
  for (const action of actions)
    if (action.effect?.kind === 'hold') return { action, effect: action.effect };
  return undefined;
}

/**
 * URL template for the available days of an item, with the name of the item field as its variable;
 * undefined unless the action is the first of its subsite that holds items.
 */
export function createAvailableDaysUrl(
  subsite: Subsite,
  { verb }: Action,
  base: string,
): string | undefined {
  const hold = findHoldAction(subsite);
  return hold?.action.verb === verb
    ? `${base}${FREE_DAYS_PATH}?subsite=${subsite.name}&item={${hold.effect.itemField}}`
    : undefined;
}
