import type { FieldValue } from '../../fields/spec.ts';
import { actionOf, type Registry } from '../registry.ts';
import { type RentalTotal, computeRequestTotal } from '../rental.ts';
import { type RequestedItem, findRequestedItem } from './requested-item.ts';

export interface PublishedTerms {
  item?: RequestedItem | undefined;
  /** The total of a hold, with its deposit and tax. */
  total?: RentalTotal | undefined;
}

interface RequestWithTerms {
  subsite: string;
  /** Verb; null for a plain lead. */
  action: string | null;
  fields: Readonly<Record<string, FieldValue>>;
  /** The terms as promised; absent if the lead has none, or if its item or days have changed. */
  terms?: PublishedTerms | undefined;
}

/** The current terms of a request. */
export function computePublishedTerms(
  registry: Registry,
  { fields, ...lead }: RequestWithTerms,
): PublishedTerms {
  const action = actionOf(registry, lead);
  return {
    item: findRequestedItem(registry, lead.subsite, action, fields),
    total: computeRequestTotal(registry, action, fields),
  };
}

/** The terms to store with a request; null if the registry publishes none. */
export const toStoredTerms = (terms: PublishedTerms | undefined): PublishedTerms | null =>
  terms?.item || terms?.total ? terms : null;

/** The terms that were promised for a request, or else the current terms. */
export function publishedTermsOf(registry: Registry, lead: RequestWithTerms): PublishedTerms {
  const { subsite, fields, terms } = lead;
  if (!terms) return computePublishedTerms(registry, lead);
  const { item } = terms;
  if (!item) return terms;
  // The page of an item may have moved or gone.
  const { path } = findRequestedItem(registry, subsite, actionOf(registry, lead), fields) ?? {};
  return { ...terms, item: { ...item, path } };
}
