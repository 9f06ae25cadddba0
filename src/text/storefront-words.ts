import { publishing as text } from './index.ts';
import { fill } from './fill.ts';

/**
 * The steps to publish a preview storefront, and its price once published. `operator` is the name
 * of the organization; `price` is formatted text.
 */
export const describePublishing = (operator: string, price: string | undefined): string[] => [
  ...text.steps.map((step) => fill(step, { operator })),
  ...(price === undefined ? [] : [fill(text.price, { price })]),
];
