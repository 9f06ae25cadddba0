import {
  createChildComparison,
  compareProperties,
  compareValues,
  formatChange,
  type Comparison,
} from './change.ts';
import { compareCapabilityFields, compareFields } from './compare-action.ts';
import { comparePrices } from './compare-prices.ts';
import type { Contract } from '../../site/contract.ts';

const SEPARATELY_COMPARED_KEYS = [
  'fields',
  'capabilityFields',
  'effect',
  'salesTaxPercent',
  'leadEndpoint',
  'pricing',
] as const satisfies readonly (keyof Contract)[];

/** Lists the changes between two contracts of an action, worded as in `npm run check -- --diff`. */
export function compareContracts(before: Contract, after: Contract): string[] {
  const comparison: Comparison = { subject: `${after.subsite}.${after.verb}`, changes: [] };
  const subsite = createChildComparison(comparison, after.subsite);
  compareFields(comparison, before.fields, after.fields);
  compareCapabilityFields(
    comparison,
    before.capabilityFields ?? before.fields,
    after.capabilityFields ?? after.fields,
    [...comparison.changes],
  );
  for (const key of ['effect', 'salesTaxPercent'] as const)
    compareValues(comparison, key, before[key], after[key], true);
  compareValues(subsite, 'leadEndpoint', before.leadEndpoint, after.leadEndpoint, true);
  comparePrices(subsite, before.pricing, after.pricing);
  compareProperties(comparison, before, after, SEPARATELY_COMPARED_KEYS);
  return comparison.changes.map(formatChange);
}
