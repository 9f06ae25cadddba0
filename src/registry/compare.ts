import type { Catalog, Item } from './catalog.ts';
import {
  at,
  compareLists,
  compareRecords,
  compareRest,
  compareValues,
  note,
  type Change,
  type Walk,
} from './change.ts';
import { compareSchema } from './compare-schema.ts';
import { addAction, compareAction } from './compare-action.ts';
import { comparePrice, comparePrices } from './compare-prices.ts';
import { quantityOf } from '../site/words/quantity.ts';
import type { NetworkCapability } from './capability.ts';
import type { Network } from './network.ts';
import type { Registry } from '../site/registry.ts';
import type { Subsite } from './subsite.ts';

export type { Change } from './change.ts';

/** Keys of records that agents never read, with the reason; all other keys are compared. */
export const UNSEEN: Readonly<Record<string, string>> = {
  'subsites.icon': 'It is drawn for people and adds nothing to the record.',
  'subsites.rank': 'It orders the front page, which agents read by name.',
  'subsites.notify': 'Where leads are sent is never published.',
};

const unseenOf = (kind: string) =>
  Object.keys(UNSEEN).flatMap((name) =>
    name.startsWith(`${kind}.`) ? [name.slice(kind.length + 1)] : [],
  );

const addTitled = (walk: Walk, { title }: { title: string }) => note(walk, `was added, “${title}”`);

/** Records an added subsite with its actions and prices. */
function addSubsite(walk: Walk, { name, title, purpose, actions, pricing }: Subsite): void {
  note(walk, `was added, “${title}”: ${purpose}`);
  for (const action of actions) addAction(at(walk, `${name}.${action.verb}`), action);
  comparePrices(walk, [], pricing ?? []);
}

function addItem(walk: Walk, { title, price }: Item): void {
  addTitled(walk, { title });
  comparePrice(walk, undefined, price);
}

const addressParts = ['url', 'leadEndpoint', 'leadSource', 'status'] as const;

/**
 * Records keys whose old and new value a client must know, because data stored under the old one is
 * lost.
 */
function compareAddresses<Key extends string>(
  walk: Walk,
  before: Partial<Record<Key, unknown>>,
  after: Partial<Record<Key, unknown>>,
  parts: readonly Key[],
): void {
  for (const part of parts)
    if (before[part] !== after[part]) compareValues(walk, part, before[part], after[part], true);
}

function compareSubsite(walk: Walk, before: Subsite, after: Subsite): void {
  compareAddresses(walk, before, after, addressParts);
  compareRest(walk, before, after, [
    ...addressParts,
    ...unseenOf('subsites'),
    'jsonEndpoints',
    'mcpTools',
    'pricing',
    'capabilities',
    'actions',
    'infoTools',
    'snapshots',
  ]);
  compareLists(walk, 'snapshot', before.jsonEndpoints, after.jsonEndpoints);
  compareLists(walk, 'tool', before.mcpTools, after.mcpTools);
  comparePrices(walk, before.pricing ?? [], after.pricing ?? []);
  if (Boolean(before.capabilities) !== Boolean(after.capabilities))
    note(
      walk,
      `help and guide are ${after.capabilities ? 'offered' : 'no longer offered'} as capabilities`,
      !after.capabilities,
    );
  compareRecords(walk, [before.actions, after.actions], {
    key: ({ verb }) => verb,
    where: ({ verb }) => `${walk.where}.${verb}`,
    nouns: 'actions',
    added: addAction,
    compare: compareAction,
  });
  compareRecords(walk, [before.infoTools, after.infoTools], {
    key: ({ name }) => name,
    where: ({ name }) => `tool ${name}`,
    nouns: 'information tools',
    compare: compareRest,
  });
  compareRecords(walk, [before.snapshots, after.snapshots], {
    key: ({ path }) => path,
    where: ({ path }) => `document ${path}`,
    nouns: 'snapshots',
    compare: compareRest,
  });
}

function compareItem(walk: Walk, before: Item, after: Item): void {
  comparePrice(walk, before.price, after.price);
  const [stock, newStock] = [before.units ?? 1, after.units ?? 1];
  if (stock !== newStock) note(walk, `stock changed from ${stock} to ${newStock}`);
  compareRest(walk, before, after, ['price', 'units']);
}

function compareCatalog(walk: Walk, name: string, before: Catalog, after: Catalog): void {
  compareAddresses(walk, before, after, ['route']);
  compareRest(walk, before, after, ['items', 'route']);
  compareRecords(walk, [before.items, after.items], {
    key: ({ id }) => id,
    where: ({ id }) => `${name} item ${id}`,
    nouns: 'items',
    removalBreaks: false,
    added: addItem,
    compare: compareItem,
  });
}

function compareCapability(walk: Walk, before: NetworkCapability, after: NetworkCapability): void {
  compareSchema(walk, 'input', before.inputSchema, after.inputSchema);
  compareRest(walk, before, after, ['inputSchema']);
}

const networkGroups = ['organization', 'security', 'crawl', 'leadTerms'] as const;

function compareNetwork(walk: Walk, before: Network, after: Network): void {
  compareAddresses(walk, before, after, ['agentArea', 'namespace']);
  if (before.version !== after.version)
    compareValues(walk, 'version', before.version, after.version);
  compareRest(walk, before, after, [
    'agentArea',
    'namespace',
    'version',
    'skills',
    ...networkGroups,
  ]);
  for (const group of networkGroups)
    compareRest(walk, before[group], after[group], [], `${group}.`);
  compareRecords(walk, [before.skills, after.skills], {
    key: ({ name }) => name,
    where: ({ name }) => `skill ${name}`,
    nouns: 'skills',
    compare: compareRest,
  });
}

/**
 * What changes for agents between two registries, breaking changes first. An empty result means
 * that agents read the same, including the order of lists; the order of keys is ignored.
 */
export function compareRegistries(before: Registry, after: Registry): Change[] {
  const changes: Change[] = [];
  const walk: Walk = { where: 'network', changes };
  compareNetwork(walk, before.network, after.network);
  compareRecords(walk, [before.subsites, after.subsites], {
    key: ({ name }) => name,
    where: ({ name }) => name,
    nouns: 'subsites',
    added: addSubsite,
    compare: compareSubsite,
  });
  compareRecords(walk, [Object.entries(before.catalogs), Object.entries(after.catalogs)], {
    key: ([name]) => name,
    where: ([name]) => `${name} catalog`,
    nouns: 'catalogs',
    removalBreaks: false,
    added: (further, [, { title, items }]) =>
      note(further, `was added, “${title}”, with ${quantityOf(items.length, 'item')}`),
    compare: (further, [name, old], [, now]) => compareCatalog(further, name, old, now),
  });
  compareRecords(walk, [before.capabilities, after.capabilities], {
    key: ({ id }) => id,
    where: ({ id }) => id,
    nouns: 'capabilities',
    added: addTitled,
    compare: compareCapability,
  });
  compareRecords(walk, [before.pages, after.pages], {
    key: ({ path }) => path,
    where: ({ path }) => `page ${path}`,
    nouns: 'pages',
    added: addTitled,
    compare: compareRest,
  });
  compareRecords(walk, [before.routes, after.routes], {
    key: ({ path }) => path,
    where: ({ path }) => `route ${path}`,
    nouns: 'routes',
    compare: compareRest,
  });
  compareRecords(walk, [before.links, after.links], {
    key: ({ slug }) => slug,
    where: ({ slug }) => `/go/${slug}`,
    nouns: 'short links',
    compare(further, old, now) {
      compareRest(further, old, now);
    },
  });
  compareRest(at(walk, 'responsiveness'), before.responsiveness, after.responsiveness);
  return changes.toSorted((one, other) => Number(other.breaking) - Number(one.breaking));
}
