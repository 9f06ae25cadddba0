import { capabilitiesOf } from '../registry/capability-record.ts';
import type { Registry } from './registry.ts';
import type { figures, Snapshot } from '../registry/subsite.ts';

/** Figures of a whole network, counted from its records. */
export type Figures = Readonly<Record<(typeof figures)[number], number>>;

const counted = new WeakMap<Registry, Figures>();

/** The figures of a registry; counted once. */
export function figuresOf(registry: Registry): Figures {
  const known = counted.get(registry);
  if (known) return known;
  const { subsites, catalogs } = registry;
  const publicSubsites = subsites.filter((subsite) => subsite.status === 'public').length;
  const figures: Figures = {
    subsites: subsites.length,
    publicSubsites,
    accountSubsites: subsites.length - publicSubsites,
    actions: subsites.reduce((sum, subsite) => sum + subsite.actions.length, 0),
    capabilities: capabilitiesOf(registry, '').length,
    catalogItems: Object.values(catalogs).reduce((sum, catalog) => sum + catalog.items.length, 0),
    facts: subsites.reduce((sum, subsite) => sum + (subsite.facts?.length ?? 0), 0),
    guides: subsites.filter((subsite) => subsite.guide?.length).length,
  };
  counted.set(registry, figures);
  return figures;
}

/** The data of a snapshot: what its record has written, and the figures that it asks for. */
export function snapshotData(
  registry: Registry,
  { data, figures = {} }: Snapshot,
): Record<string, unknown> {
  const all = figuresOf(registry);
  return {
    ...data,
    ...Object.fromEntries(Object.entries(figures).map(([key, figure]) => [key, all[figure]])),
  };
}
