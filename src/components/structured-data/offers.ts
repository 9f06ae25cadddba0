import type { Offer } from 'schema-dts';
import type { Pricing } from '../../registry/subsite.ts';

/** A published price as schema.org has it; `url` is the absolute address of the page that publishes it. */
export function offer({ unit, amount, currency, notes }: Pricing, url: string): Offer {
  return {
    '@type': 'Offer',
    price: amount,
    priceCurrency: currency,
    url,
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      price: amount,
      priceCurrency: currency,
      unitText: unit,
    },
    ...(notes && { description: notes }),
  };
}
