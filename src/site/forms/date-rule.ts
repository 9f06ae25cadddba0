import { fill } from '../../text/fill.ts';
import { fieldInstructions } from '../../text/index.ts';

/**
 * Form error for a date range that ends before it starts; `label` is the label of the start date.
 */
export const createEndBeforeStartMessage = (label: string): string =>
  fill(fieldInstructions.notBefore, { label });
