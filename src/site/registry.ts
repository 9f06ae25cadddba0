import type { Action } from '../registry/schemas/action.ts';
import type { NetworkCapability } from '../registry/schemas/capability.ts';
import type { SearchPhrases } from '../registry/search-phrases.ts';
import type { Catalog, Item } from '../registry/schemas/catalog.ts';
import type { Link, Network, Page, Route } from '../registry/schemas/network.ts';
import { memoize } from './memoize.ts';
import type { Responsiveness } from '../registry/schemas/responsiveness.ts';
import type { InfoTool, Subsite } from '../registry/schemas/subsite.ts';

/** All validated records of the operator: plain data, sorted and frozen. */
export interface Registry {
  readonly network: Network;
  /** By name. */
  readonly subsites: readonly Subsite[];
  /** Catalogs by subsite name. */
  readonly catalogs: Readonly<Record<string, Catalog>>;
  /** By path. */
  readonly pages: readonly Page[];
  readonly routes: readonly Route[];
  readonly links: readonly Link[];
  readonly capabilities: readonly NetworkCapability[];
  readonly responsiveness: Readonly<Record<string, Responsiveness>>;
  /** Paths of the image files in the registry folder, as records name them, sorted. */
  readonly images: readonly string[];
  /** Search phrases by record (`subsites/hvac`). */
  readonly asked: Readonly<Record<string, SearchPhrases>>;
}

const mapSubsitesByName = memoize(
  ({ subsites }: Pick<Registry, 'subsites'>) =>
    new Map(subsites.map((subsite) => [subsite.name, subsite])),
);

export const findSubsite = (
  registry: Pick<Registry, 'subsites'>,
  name: string,
): Subsite | undefined => mapSubsitesByName(registry).get(name);

export function findAction(subsite: Subsite, verb: string): Action | undefined {
  return subsite.actions.find((action) => action.verb === verb);
}

/** The action of a lead; undefined for a plain lead or a removed action. */
export function actionOf(
  registry: Pick<Registry, 'subsites'>,
  { subsite, action }: { subsite: string; action: string | null },
): Action | undefined {
  const owner = findSubsite(registry, subsite);
  return owner && action !== null ? findAction(owner, action) : undefined;
}

/** Sorts subsites in front-page order: by rank, then by name. */
export const sortByRank = <Ranked extends Pick<Subsite, 'rank'>>(
  subsites: readonly Ranked[],
): Ranked[] =>
  subsites.toSorted(
    ({ rank: a = Number.MAX_SAFE_INTEGER }, { rank: b = Number.MAX_SAFE_INTEGER }) => a - b,
  );

/** Lists the subsites that a subsite's record names as alternatives; usually none. */
export const listAlternatives = (
  registry: Registry,
  { alternatives = [] }: Partial<Pick<Subsite, 'alternatives'>> = {},
): Subsite[] => alternatives.flatMap((name) => findSubsite(registry, name) ?? []);

/** Items of a subsite’s catalog; empty without a catalog. */
export function itemsOf(registry: Registry, subsite: string): readonly Item[] {
  return registry.catalogs[subsite]?.items ?? [];
}

/** The items that a Markdown page lists; empty if it lists none. */
export const itemsOfPage = (registry: Registry, { items }: Pick<Page, 'items'>): readonly Item[] =>
  items
    ? itemsOf(registry, items.catalog).filter(
        ({ status = 'available', tags }) =>
          (!items.status || status === items.status) && (!items.tag || tags?.includes(items.tag)),
      )
    : [];

/** The latest of the given days (YYYY-MM-DD); empty if there are none. */
export const findLatestDay = (days: readonly string[]): string =>
  days.reduce((latest, day) => (day > latest ? day : latest), '');

/** Date of the last change to a record or to the items that its page lists, YYYY-MM-DD. */
export const findLastChange = (record: { updated: string }, items: readonly Item[]): string =>
  findLatestDay([record.updated, ...items.flatMap(({ updated }) => updated ?? [])]);

/** Date of the last change to a subsite or its items, YYYY-MM-DD. */
export const lastChangeOf = (registry: Registry, subsite: Subsite): string =>
  findLastChange(subsite, itemsOf(registry, subsite.name));

/** The Markdown pages below a subsite’s path. */
export function childPagesOf({ pages, network }: Registry, { url }: Subsite): readonly Page[] {
  return pages.filter(({ path }) => path.startsWith(`${url}/`) && path !== network.agentArea);
}

export function itemPath(catalog: Catalog, item: Item): string | undefined {
  return catalog.route?.replace(/\[[a-z]+\]/, item.id);
}

/** Lists the actions that a subsite offers to people; imports are for partners only. */
export const listOfferedActions = ({ actions }: Pick<Subsite, 'actions'>): Action[] =>
  actions.filter(({ effect }) => effect?.kind !== 'import');

export const isSoldOrPast = ({ status }: Item): boolean => status === 'sold' || status === 'past';

/**
 * True if an item has no photograph although a buyer would want one: it is used, for sale and one
 * of a kind.
 */
export const lacksPicture = (item: Item): boolean =>
  item.attributes?.['condition'] !== undefined && !isSoldOrPast(item) && !item.image;

export const itemFieldOf = ({ fields }: Action): string | undefined =>
  Object.entries(fields).find(([, { item }]) => item)?.[0];

/** Lists the actions for a subsite's item; none if the item is sold or past. */
export const listActionsFor = (item: Item, subsite: Subsite): Action[] =>
  isSoldOrPast(item) ? [] : listOfferedActions(subsite);

/** Finds the item by ID if its page has a form for the action; undefined otherwise. */
export function findItemWithForm(
  { catalogs }: Pick<Registry, 'catalogs'>,
  subsite: Subsite,
  action: Action | undefined,
  id: string | null | undefined,
): { catalog: Catalog; item: Item } | undefined {
  const catalog = catalogs[subsite.name];
  const item = catalog?.route ? catalog.items.find((other) => other.id === id) : undefined;
  return item && action && itemFieldOf(action) && listActionsFor(item, subsite).includes(action)
    ? { catalog: catalog!, item }
    : undefined;
}

/** True if a subsite is public and has a guide, which is published as an agent skill. */
export const isPublishedAsSkill = ({ status, guide = [] }: Subsite): boolean =>
  status === 'public' && guide.length > 0;

/** Lists the information tools of all records, sorted by name. */
export function listInfoTools(registry: Pick<Registry, 'subsites'>): InfoTool[] {
  return registry.subsites
    .flatMap((subsite) => subsite.infoTools ?? [])
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The lead endpoint that requires an email address. */
export const EMAIL_ENDPOINT = '/api/email-capture';

/** The shared lead endpoints; every other lead endpoint belongs to a single subsite. */
export const SHARED_LEAD_ENDPOINTS: readonly string[] = [EMAIL_ENDPOINT, '/api/lead/action'];

/** The name that error messages use for a Markdown page's record. */
export const recordOfPage = ({ path }: Page): string => `pages${path === '/' ? '/index' : path}`;
