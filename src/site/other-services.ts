import type { Action } from '../registry/action.ts';
import type { Subsite } from '../registry/subsite.ts';
import type { RequestedItem } from './forms/requested-item.ts';
import { listAlternatives, itemsOf, type Registry } from './registry.ts';

/** What a person whose request has ended can do next: open a link, or call. */
export type OtherWay =
  | {
      /** Key of the label in the texts of the receipt. */
      label: 'elsewhere' | 'freeDays';
      /** Title of the service, for the label of an alternative. */
      service: string;
      /** Site-relative URL. */
      url: string;
    }
  | { label: 'nobodyElse'; phone: string };

/**
 * Where a person can ask after a request has ended without a service: the alternatives in the
 * subsite's record or, if there are none, the free days of a rental and the network's phone number.
 * A search is no way: its best match is the very service that ended the request.
 */
export function listOtherServices(
  registry: Registry,
  subsite: Subsite | undefined,
  action: Action | undefined,
  item: Pick<RequestedItem, 'id'> | undefined,
): OtherWay[] {
  const alternatives = listAlternatives(registry, subsite);
  if (alternatives.length)
    return alternatives.map(({ title, url }) => ({
      label: 'elsewhere',
      service: title,
      url,
    }));
  const hold = action?.effect?.kind === 'hold' ? action.effect : undefined;
  const held = item?.id ?? (hold && itemsOf(registry, hold.catalog)[0]?.id);
  const service = subsite?.title ?? '';
  return [
    ...(hold && subsite && held !== undefined
      ? [{ label: 'freeDays' as const, service, url: `/free-days/${subsite.name}/${held}` }]
      : []),
    // The answer to a question is not a service that others could offer.
    ...(action?.purpose === 'question'
      ? []
      : [{ label: 'nobodyElse' as const, phone: registry.network.organization.phone }]),
  ];
}
