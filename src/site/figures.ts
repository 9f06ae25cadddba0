import { capabilitiesOf } from './capability-record.ts';
import { memoize } from './memoize.ts';
import type { Registry } from './registry.ts';
import type { figures, Snapshot } from '../registry/schemas/subsite.ts';

/** Figures about an entire network, computed from its records. */
export type Figures = Readonly<Record<(typeof figures)[number], number>>;

/** Computes the figures of a registry; the result is cached. */
export const figuresOf = memoize((registry: Registry): Figures => {
  const { subsites, catalogs } = registry;
  const publicSubsites = subsites.filter((subsite) => subsite.status === 'public').length;
  return {
    subsites: subsites.length,
    publicSubsites,
    accountSubsites: subsites.length - publicSubsites,
    actions: subsites.reduce((sum, subsite) => sum + subsite.actions.length, 0),
    capabilities: capabilitiesOf(registry, '').length,
    catalogItems: Object.values(catalogs).reduce((sum, catalog) => sum + catalog.items.length, 0),
    facts: subsites.reduce((sum, subsite) => sum + (subsite.facts?.length ?? 0), 0),
    guides: subsites.filter((subsite) => subsite.guide?.length).length,
  };
});

/** Creates the data of a snapshot from its record and the figures that the record requests. */
export function createSnapshotData(
  registry: Registry,
  { data, figures = {} }: Snapshot,
): Record<string, unknown> {
  const all = figuresOf(registry);
  return {
    ...data,
    ...Object.fromEntries(Object.entries(figures).map(([key, figure]) => [key, all[figure]])),
  };
}
