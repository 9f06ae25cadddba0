import { at, compareRest, compareValues, sentenceOf, type Walk } from './change.ts';
import { compareCapabilityFields, compareFields } from './compare-action.ts';
import { comparePrices } from './compare-prices.ts';
import type { Contract } from '../site/contract.ts';

const apart = [
  'fields',
  'capabilityFields',
  'effect',
  'leadEndpoint',
  'pricing',
] as const satisfies readonly (keyof Contract)[];

/**
 * What changed between two contracts of an action, in the sentences of `npm run check -- --diff`.
 */
export function compareContracts(before: Contract, after: Contract): string[] {
  const walk: Walk = { where: `${after.subsite}.${after.verb}`, changes: [] };
  const subsite = at(walk, after.subsite);
  compareFields(walk, before.fields, after.fields);
  compareCapabilityFields(
    walk,
    before.capabilityFields ?? before.fields,
    after.capabilityFields ?? after.fields,
    [...walk.changes],
  );
  compareValues(walk, 'effect', before.effect, after.effect, true);
  compareValues(subsite, 'leadEndpoint', before.leadEndpoint, after.leadEndpoint, true);
  comparePrices(subsite, before.pricing, after.pricing);
  compareRest(walk, before, after, apart);
  return walk.changes.map(sentenceOf);
}
