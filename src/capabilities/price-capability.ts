import type { quotes } from '../../db/schema-capabilities.ts';
import { adapters } from './adapters/index.ts';
import { countCodePoints } from '../fields/text-length.ts';
import type { CapabilityRecord } from '../site/capability-record.ts';
import { CURRENCY } from '../site/prices/currency.ts';
import type { Site } from '../site/site.ts';
import { capabilityPriceOf } from './capability-catalog.ts';
import { softwareLocale } from '../language.ts';

/** The amounts are in minor units; `amount` is the sum of the breakdown. */
type Price = Pick<typeof quotes.$inferSelect, 'currency' | 'amount' | 'breakdown'>;

/** Every string in an input, in document order. */
function collectText(input: unknown): string {
  if (typeof input === 'string') return input;
  return typeof input === 'object' && input !== null
    ? Object.values(input).map(collectText).join('')
    : '';
}

/**
 * The price of a run with this input: compute cost plus the published operations fee, or zero if it
 * is free.
 */
export function priceOf(
  site: Site,
  { id, adapter }: CapabilityRecord,
  input: Record<string, unknown>,
): Price {
  const costs = capabilityPriceOf(site, id);
  if (!costs) return { currency: CURRENCY, amount: 0, breakdown: [] };
  const { currency, baseMinor, perUnitMinor, unitCharacters, operationsFeeMinor } = costs;
  const characters = countCodePoints(adapters[adapter].pricedTextOf?.(input) ?? collectText(input));
  const units = Math.ceil(characters / unitCharacters);
  const breakdown = [
    { label: 'Compute: one run', amount: baseMinor },
    {
      label: `Compute: ${units} × ${unitCharacters.toLocaleString(softwareLocale)} characters or part thereof`,
      amount: units * perUnitMinor,
    },
    { label: 'Operations fee', amount: operationsFeeMinor },
  ];
  return { currency, amount: breakdown.reduce((sum, line) => sum + line.amount, 0), breakdown };
}
