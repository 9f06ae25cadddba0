import type { Catalog, Item } from '../schemas/catalog.ts';
import {
  createChildComparison,
  compareLists,
  compareRecords,
  compareProperties,
  compareValues,
  addChange,
  type Change,
  type Comparison,
} from './change.ts';
import { compareSchema } from './compare-schema.ts';
import { noteAddedAction, compareAction } from './compare-action.ts';
import { comparePrice, comparePrices } from './compare-prices.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import type { NetworkCapability } from '../schemas/capability.ts';
import type { Network } from '../schemas/network.ts';
import { ownClosedDaysOf } from '../network-closed-days.ts';
import type { Registry } from '../../site/registry.ts';
import type { ClosedDay } from '../../site/calendar/opening-hours.ts';
import type { Subsite } from '../schemas/subsite.ts';

export type { Change } from './change.ts';

/** Record keys that agents never read, with the reason; all other keys are compared. */
export const HIDDEN_KEYS: Readonly<Record<string, string>> = {
  'subsites.icon': 'Only decorates pages; adds nothing to the record.',
  'subsites.rank': 'Affects only the order of the front page; agents read subsites by name.',
  'subsites.alternatives': 'Used only on receipts and in email.',
  'subsites.notify': 'Never published.',
};

const hiddenKeysOf = (kind: string) =>
  Object.keys(HIDDEN_KEYS).flatMap((name) =>
    name.startsWith(`${kind}.`) ? [name.slice(kind.length + 1)] : [],
  );

const noteAddedTitle = (comparison: Comparison, { title }: { title: string }) =>
  addChange(comparison, `was added, “${title}”`);

function noteAddedSubsite(
  comparison: Comparison,
  { name, title, purpose, actions, pricing }: Subsite,
): void {
  addChange(comparison, `was added, “${title}”: ${purpose}`);
  for (const action of actions)
    noteAddedAction(createChildComparison(comparison, `${name}.${action.verb}`), action);
  comparePrices(comparison, [], pricing ?? []);
}

function noteAddedItem(comparison: Comparison, { title, price }: Item): void {
  noteAddedTitle(comparison, { title });
  comparePrice(comparison, undefined, price);
}

/**
 * Compares lists of closed days by date, so that adding a day does not report changes to the
 * others.
 */
function compareClosedDays(
  comparison: Comparison,
  before: readonly ClosedDay[] | undefined,
  after: readonly ClosedDay[] | undefined,
): void {
  compareRecords(comparison, [before, after], {
    key: ({ date }) => date,
    subject: ({ date }) => `${comparison.subject} closed day ${date}`,
    pluralNoun: 'closed days',
    isRemovalBreaking: false,
    noteAdded: (childComparison, { name }) =>
      addChange(childComparison, name === undefined ? 'was added' : `was added, “${name}”`),
  });
}

const identifierKeys = ['url', 'leadEndpoint', 'leadSource', 'status'] as const;

/** Reports changed identifiers as breaking: clients that stored the old value stop working. */
function compareIdentifiers<Key extends string>(
  comparison: Comparison,
  before: Partial<Record<Key, unknown>>,
  after: Partial<Record<Key, unknown>>,
  parts: readonly Key[],
): void {
  for (const part of parts) compareValues(comparison, part, before[part], after[part], true);
}

function compareSubsite(comparison: Comparison, before: Subsite, after: Subsite): void {
  compareIdentifiers(comparison, before, after, identifierKeys);
  compareProperties(comparison, before, after, [
    ...identifierKeys,
    ...hiddenKeysOf('subsites'),
    'jsonEndpoints',
    'mcpTools',
    'pricing',
    'capabilities',
    'actions',
    'infoTools',
    'snapshots',
    'closedDays',
  ]);
  compareClosedDays(comparison, before.closedDays, after.closedDays);
  compareLists(comparison, 'snapshot', before.jsonEndpoints, after.jsonEndpoints);
  compareLists(comparison, 'tool', before.mcpTools, after.mcpTools);
  comparePrices(comparison, before.pricing ?? [], after.pricing ?? []);
  if (Boolean(before.capabilities) !== Boolean(after.capabilities))
    addChange(
      comparison,
      `help and guide are ${after.capabilities ? 'offered' : 'no longer offered'} as capabilities`,
      !after.capabilities,
    );
  compareRecords(comparison, [before.actions, after.actions], {
    key: ({ verb }) => verb,
    subject: ({ verb }) => `${comparison.subject}.${verb}`,
    pluralNoun: 'actions',
    noteAdded: noteAddedAction,
    compare: compareAction,
  });
  compareRecords(comparison, [before.infoTools, after.infoTools], {
    key: ({ name }) => name,
    subject: ({ name }) => `tool ${name}`,
    pluralNoun: 'information tools',
  });
  compareRecords(comparison, [before.snapshots, after.snapshots], {
    key: ({ path }) => path,
    subject: ({ path }) => `document ${path}`,
    pluralNoun: 'snapshots',
  });
}

function compareItem(comparison: Comparison, before: Item, after: Item): void {
  comparePrice(comparison, before.price, after.price);
  const [stock, newStock] = [before.units ?? 1, after.units ?? 1];
  if (stock !== newStock) addChange(comparison, `stock changed from ${stock} to ${newStock}`);
  compareProperties(comparison, before, after, ['price', 'units']);
}

function compareCatalog(
  comparison: Comparison,
  name: string,
  before: Catalog,
  after: Catalog,
): void {
  compareIdentifiers(comparison, before, after, ['route']);
  compareProperties(comparison, before, after, ['items', 'route']);
  compareRecords(comparison, [before.items, after.items], {
    key: ({ id }) => id,
    subject: ({ id }) => `${name} item ${id}`,
    pluralNoun: 'items',
    isRemovalBreaking: false,
    noteAdded: noteAddedItem,
    compare: compareItem,
  });
}

function compareCapability(
  comparison: Comparison,
  before: NetworkCapability,
  after: NetworkCapability,
): void {
  compareSchema(comparison, 'input', before.inputSchema, after.inputSchema);
  compareProperties(comparison, before, after, ['inputSchema']);
}

const networkGroups = ['organization', 'security', 'crawl', 'leadTerms'] as const;

function compareNetwork(comparison: Comparison, before: Network, after: Network): void {
  compareIdentifiers(comparison, before, after, ['agentArea', 'namespace']);
  compareProperties(comparison, before, after, [
    'agentArea',
    'namespace',
    'skills',
    'closedDays',
    ...networkGroups,
  ]);
  compareClosedDays(comparison, before.closedDays, after.closedDays);
  for (const group of networkGroups)
    compareProperties(comparison, before[group], after[group], [], `${group}.`);
  compareRecords(comparison, [before.skills, after.skills], {
    key: ({ name }) => name,
    subject: ({ name }) => `skill ${name}`,
    pluralNoun: 'skills',
  });
}

/** The subsites, without the closed days that come from the network. */
const withOwnClosedDays = ({ subsites }: Registry): Subsite[] =>
  subsites.map((subsite) => ({
    ...subsite,
    closedDays: ownClosedDaysOf(subsite),
    networkClosedDays: [],
  }));

/**
 * Lists the changes between two registries that matter to agents, breaking changes first. Changes
 * in list order are included; key order is ignored.
 */
export function compareRegistries(before: Registry, after: Registry): Change[] {
  const changes: Change[] = [];
  const comparison: Comparison = { subject: 'network', changes };
  compareNetwork(comparison, before.network, after.network);
  compareRecords(comparison, [withOwnClosedDays(before), withOwnClosedDays(after)], {
    key: ({ name }) => name,
    subject: ({ name }) => name,
    pluralNoun: 'subsites',
    noteAdded: noteAddedSubsite,
    compare: compareSubsite,
  });
  compareRecords(comparison, [Object.entries(before.catalogs), Object.entries(after.catalogs)], {
    key: ([name]) => name,
    subject: ([name]) => `${name} catalog`,
    pluralNoun: 'catalogs',
    isRemovalBreaking: false,
    noteAdded: (childComparison, [, { title, items }]) =>
      addChange(
        childComparison,
        `was added, “${title}”, with ${formatQuantity(items.length, 'item')}`,
      ),
    compare: (childComparison, [name, oldCatalog], [, newCatalog]) =>
      compareCatalog(childComparison, name, oldCatalog, newCatalog),
  });
  compareRecords(comparison, [before.capabilities, after.capabilities], {
    key: ({ id }) => id,
    subject: ({ id }) => id,
    pluralNoun: 'capabilities',
    noteAdded: noteAddedTitle,
    compare: compareCapability,
  });
  compareRecords(comparison, [before.pages, after.pages], {
    key: ({ path }) => path,
    subject: ({ path }) => `page ${path}`,
    pluralNoun: 'pages',
    noteAdded: noteAddedTitle,
  });
  compareRecords(comparison, [before.routes, after.routes], {
    key: ({ path }) => path,
    subject: ({ path }) => `route ${path}`,
    pluralNoun: 'routes',
  });
  compareRecords(comparison, [before.links, after.links], {
    key: ({ slug }) => slug,
    subject: ({ slug }) => `/go/${slug}`,
    pluralNoun: 'short links',
  });
  compareProperties(
    createChildComparison(comparison, 'responsiveness'),
    before.responsiveness,
    after.responsiveness,
  );
  return changes.toSorted((one, other) => Number(other.breaking) - Number(one.breaking));
}
