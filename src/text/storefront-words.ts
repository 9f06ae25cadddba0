import { publishing as text } from './index.ts';
import { fill } from './fill.ts';

/**
 * The steps to publish a preview storefront, and what it then costs. `operator` is the name of the
 * organization; `price` is in words.
 */
export const describePublishing = (operator: string, price: string | undefined): string[] => [
  ...text.steps.map((step) => fill(step, { operator })),
  ...(price === undefined ? [] : [fill(text.price, { price })]),
];
