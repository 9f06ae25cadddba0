import { capabilitiesOf, type CapabilityRecord, type NetworkCapability, type Site } from '../registry/index.ts';

const catalogs = new WeakMap<Site, ReadonlyMap<string, CapabilityRecord>>();

/** The capabilities of a site by id, in the catalog’s order. */
export function capabilityCatalog(site: Site): ReadonlyMap<string, CapabilityRecord> {
  let catalog = catalogs.get(site);
  if (!catalog) catalogs.set(site, (catalog = new Map(capabilitiesOf(site.registry, site.base).map((record) => [record.id, record]))));
  return catalog;
}

/** How a capability is priced; undefined where it is free. */
export const costsOf = ({ registry }: Site, id: string): NetworkCapability['costs'] => registry.capabilities.find((capability) => capability.id === id)?.costs;

/** Id of a capability to show in examples: the catalog’s first; empty where it has none. */
export const sampleCapability = (site: Site): string => capabilityCatalog(site).keys().next().value ?? '';
