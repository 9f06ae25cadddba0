import { publishing } from './en/receipt.ts';
import { fill } from './fill.ts';

/** How a preview storefront is published; `operator` is the name of the organization. */
export const describePublishing = (operator: string): string => fill(publishing, { operator });
