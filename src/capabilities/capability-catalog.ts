import { entriesIn } from '../site/json-object.ts';
import { capabilitiesOf, type CapabilityRecord } from '../site/capability-record.ts';
import type { NetworkCapability } from '../registry/schemas/capability.ts';
import type { OperationDescription } from '../operation/operation.ts';
import { memoize } from '../site/memoize.ts';
import type { Site } from '../site/site.ts';

/** The capabilities of a site by ID, in the catalog's order. */
export const capabilityCatalogOf = memoize(
  ({ registry, base }: Site): ReadonlyMap<string, CapabilityRecord> =>
    new Map(capabilitiesOf(registry, base).map((record) => [record.id, record])),
);

/** The price of a capability; undefined if it is free. */
export const capabilityPriceOf = ({ registry }: Site, id: string): NetworkCapability['costs'] =>
  registry.capabilities.find((capability) => capability.id === id)?.costs;

/** A capability that anyone with a key can run, for use in examples: the first free one, if any. */
function findSampleRecord(site: Site): CapabilityRecord | undefined {
  const records = [...capabilityCatalogOf(site).values()];
  return records.find(({ pricing }) => pricing.kind === 'free') ?? records[0];
}

/** ID of the capability for examples; empty if the catalog is empty. */
export const findSampleCapabilityId = (site: Site): string => findSampleRecord(site)?.id ?? '';

/**
 * Example of a body with a capability and its input, under `name`; undefined if the catalog is
 * empty.
 */
export function buildCapabilityExample(
  name: string,
  site: Site,
): Pick<OperationDescription, 'requestExamples'> {
  const record = findSampleRecord(site);
  if (!record) return {};
  const [input = {}] = entriesIn(record.inputSchema['examples']);
  const value = { capability: record.id, input };
  return { requestExamples: { [name]: { summary: record.title, value } } };
}
