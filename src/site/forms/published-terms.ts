import type { FieldValue } from '../../fields/spec.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { actionOf, findSubsite, type Registry } from '../registry.ts';
import { type RentalTotal, computeRequestTotal } from '../prices/rental.ts';
import {
  formatHeadlinePriceLine,
  listPossiblePrices,
  listPricesFor,
  type PriceText,
} from '../words/record-words.ts';
import { type RequestedItem, findRequestedItem } from './requested-item.ts';

/** What the registry publishes about the price of a request. */
export interface PublishedTerms {
  item?: RequestedItem | undefined;
  /** The total of a hold, with its deposit and tax. */
  total?: RentalTotal | undefined;
  /** The service’s prices for the submitted choices, if there is no item. */
  prices?: PriceText[] | undefined;
  /** True if the person’s receipt lists `prices`. */
  listsPrices?: boolean | undefined;
  /** The sales tax that is added to every price, in percent. */
  salesTaxPercent?: number | undefined;
  /** The shortest rental. */
  minimumTerm?: Subsite['minimumTerm'];
  /** The price of a storefront once it is published, in words. */
  publishingPrice?: string | undefined;
}

interface RequestWithTerms {
  subsite: string;
  /** Verb; null for a plain lead. */
  action: string | null;
  fields: Readonly<Record<string, FieldValue>>;
}

/** Computes the terms that the registry currently publishes for a request. */
export function computePublishedTerms(
  registry: Registry,
  { fields, ...lead }: RequestWithTerms,
): PublishedTerms {
  const action = actionOf(registry, lead);
  const service = findSubsite(registry, lead.subsite);
  const item = findRequestedItem(registry, lead.subsite, action, fields);
  const prices =
    item || !service || action?.purpose === 'subscription' ? [] : listPricesFor(service, fields);
  return {
    item,
    total: computeRequestTotal(registry, action, fields),
    ...(prices.length && {
      prices,
      listsPrices: listPossiblePrices(service, action, fields).length > 0,
    }),
    salesTaxPercent: action?.salesTaxPercent,
    minimumTerm: action && action.purpose === undefined ? service?.minimumTerm : undefined,
    publishingPrice:
      service && action?.effect?.kind === 'storefront'
        ? formatHeadlinePriceLine(service)
        : undefined,
  };
}

/** The terms to store with a request; null if the registry publishes none. */
export const toStoredTerms = (terms: PublishedTerms): PublishedTerms | null =>
  Object.values(terms).some((value) => value !== undefined) ? terms : null;

/**
 * The terms that were promised for a request, regardless of what the registry has published since.
 */
export function publishedTermsOf(
  registry: Registry,
  lead: RequestWithTerms & { terms: PublishedTerms },
): PublishedTerms {
  const { subsite, fields, terms } = lead;
  const { item } = terms;
  if (!item) return terms;
  // The item’s page may have moved or no longer exist.
  const { path } = findRequestedItem(registry, subsite, actionOf(registry, lead), fields) ?? {};
  return { ...terms, item: { ...item, path } };
}
