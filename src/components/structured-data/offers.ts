import type { Offer, Service } from 'schema-dts';
import type { Pricing } from '../../registry/subsite.ts';

/**
 * A published price as schema.org has it;
 * `url` is the absolute address of the page that publishes it, `itemOffered` what it buys.
 */
export function offer(
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
