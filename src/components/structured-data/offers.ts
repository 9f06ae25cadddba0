import type { Offer, Service } from 'schema-dts';
import type { Pricing } from '../../registry/schemas/subsite.ts';

/**
 * A published price as a schema.org Offer; `url` is the absolute URL of its page, `itemOffered` the
 * product or service.
 */
export function createOfferNode(
  { unit, amount, currency, notes }: Pricing,
  url: string,
  itemOffered: Service | { '@id': string },
): Exclude<Offer, string> {
  return {
    '@type': 'Offer',
    price: amount,
    priceCurrency: currency,
    url,
    itemOffered,
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      price: amount,
      priceCurrency: currency,
      unitText: unit,
    },
    ...(notes && { description: notes }),
  };
}
