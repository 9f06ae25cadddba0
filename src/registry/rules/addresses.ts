import { formatPath, type RecordPath } from '../fault.ts';
import { GUIDE_SLUGS } from '../../site/developer/developer-guides.ts';
import { feedPaths, hasFeed } from '../../site/feeds.ts';
import { itemPath, recordOfPage } from '../../site/registry.ts';
import { memoize } from '../../site/memoize.ts';
import { isServicePath } from '../../site/developer/service-paths.ts';
import { toMarkdownPath } from '../../site/site.ts';
import { findRoutesWithPages } from './page-routes.ts';
import { createViolationFactory } from './places.ts';
import { findIntendedLeadEndpoint } from './references.ts';
import type { Location, Records, Rule } from './rule.ts';
import { sortOwnersFirst } from './duplicates.ts';

/**
 * A path that a record uses; `isPage` is true for an HTML page, which also has a Markdown version.
 */
export interface PathClaim extends Location {
  address: string;
  isPage: boolean;
}

const createPageClaim = (record: string, path: RecordPath, address: string): PathClaim => ({
  record,
  path,
  address,
  isPage: true,
});

/** Claims a path for a document, feed or endpoint. */
const createFileClaim = (record: string, path: RecordPath, address: string): PathClaim => ({
  record,
  path,
  address,
  isPage: false,
});

/** The front page is generated even if no record has its text. */
const FRONT_PAGE = createPageClaim('pages/index', [], '/');

/** Placeholder for an agent services area whose path cannot be read or used. */
const UNKNOWN_AREA = '(agent services area)';

/** True if a page's Markdown version has a path that the service itself uses. */
const hasReservedMarkdownPath = (address: string) =>
  address !== '/' && isServicePath(toMarkdownPath(address));

/**
 * True if a path or its Markdown version is reserved for the service. Pages must not be under /api,
 * so that the API can add paths.
 */
const isReserved = (address: string, isPage: boolean) =>
  isServicePath(address) ||
  (isPage && (/^\/api(?:\/|$)/.test(address) || hasReservedMarkdownPath(address)));

function* listCapabilityClaims(
  { subsites, capabilities }: Records,
  area: string,
): Generator<PathClaim> {
  for (const { name, actions, capabilities: offered } of subsites) {
    const record = `subsites/${name}`;
    if (offered)
      for (const id of [`${name}.help`, `guide.${name}`])
        yield createPageClaim(record, ['capabilities'], `${area}/${id}`);
    const verbs = actions.map(({ verb }) => verb);
    for (const [index, { verb, capability }] of actions.entries())
      if (capability && verbs.indexOf(verb) === index)
        yield createPageClaim(record, ['actions', index, 'verb'], `${area}/${name}.${verb}`);
  }
  for (const [index, { id }] of capabilities.entries())
    yield createPageClaim('capabilities/capabilities', [index, 'id'], `${area}/${id}`);
}

/**
 * Lists all paths that records use. If two records use the same path, the first record keeps it.
 */
export function* listPathClaims(records: Records): Generator<PathClaim> {
  const {
    subsites,
    pages,
    catalogs,
    network: { agentArea },
  } = records;
  yield FRONT_PAGE;
  // A subsite whose name matches the path keeps the path; the fault is in the record that copied
  // it.
  for (const { name, url } of sortOwnersFirst(subsites, (one) => one.url === `/${one.name}`))
    yield createPageClaim(`subsites/${name}`, ['url'], url);
  if (agentArea !== undefined) yield createPageClaim('network/network', ['agentArea'], agentArea);
  const area = agentArea === undefined || isReserved(agentArea, true) ? UNKNOWN_AREA : agentArea;
  for (const part of ['api', ...GUIDE_SLUGS])
    yield createPageClaim('network/network', ['agentArea'], `${area}/${part}`);
  yield* listCapabilityClaims(records, area);
  for (const page of pages)
    if (page.path !== agentArea && page.path !== FRONT_PAGE.address)
      yield createPageClaim(recordOfPage(page), [], page.path);
  for (const [name, catalog] of Object.entries(catalogs)) {
    const { route, items } = catalog;
    const record = `catalog/${name}`;
    if (route && isReserved(route, true)) yield createPageClaim(record, ['route'], route);
    else if (route)
      for (const [index, item] of items.entries())
        yield createPageClaim(record, ['items', index, 'id'], itemPath(catalog, item)!);
  }
  for (const { name, snapshots = [] } of subsites)
    for (const [index, { path: address }] of snapshots.entries())
      yield createFileClaim(`subsites/${name}`, ['snapshots', index, 'path'], address);
  for (const subsite of subsites)
    if (hasFeed(subsite, catalogs[subsite.name]))
      for (const address of Object.values(feedPaths(subsite)))
        yield createFileClaim(`subsites/${subsite.name}`, ['url'], address);
  for (const { name, leadEndpoint } of subsites)
    if (!findIntendedLeadEndpoint(leadEndpoint))
      yield createFileClaim(`subsites/${name}`, ['leadEndpoint'], leadEndpoint);
}

function describeOwner(claim: PathClaim): string {
  const { record, path } = claim;
  if (claim === FRONT_PAGE) return `the front page (${record})`;
  return path.length ? `${formatPath(path)} of ${record}` : record;
}

/** Finds a document where a path needs a folder, because a file cannot also be a folder. */
function findDocumentAbove(
  { address }: PathClaim,
  claimsByAddress: ReadonlyMap<string, PathClaim>,
): PathClaim | undefined {
  for (let end = address.lastIndexOf('/'); end > 0; end = address.lastIndexOf('/', end - 1)) {
    const parentClaim = claimsByAddress.get(address.slice(0, end));
    if (parentClaim && parentClaim.path[0] === 'snapshots') return parentClaim;
  }
  return undefined;
}

/**
 * The accepted claims by path, and the rejected claims, each with the claim that already has its
 * path.
 */
interface AssignedAddresses {
  claimsByAddress: Map<string, PathClaim>;
  rejected: { claim: PathClaim; first?: PathClaim }[];
}

/** Cached because two rules need the addresses of the same records. */
const assignAddresses = memoize((records: Records): AssignedAddresses => {
  const claimsByAddress: AssignedAddresses['claimsByAddress'] = new Map();
  const rejected = new Map<string, AssignedAddresses['rejected'][number]>();
  for (const claim of listPathClaims(records)) {
    const first = claimsByAddress.get(claim.address);
    const place = `${claim.record} ${formatPath(claim.path)}`;
    // Paths derived from a rejected path, such as its feeds, are not separate faults.
    if (rejected.has(place)) continue;
    if (first) rejected.set(place, { claim, first });
    else if (isReserved(claim.address, claim.isPage)) rejected.set(place, { claim });
    else claimsByAddress.set(claim.address, claim);
  }
  return { claimsByAddress, rejected: [...rejected.values()] };
});

/**
 * The paths that subsites would have if their `url` were not rejected. Links to these paths are not
 * separate faults. If there are at least as many such subsites as routes without a page, the routes
 * are assumed to belong to these subsites, whatever the routes are called.
 */
export function findDisplacedPaths(records: Records): string[] {
  const displacedPaths = assignAddresses(records).rejected.flatMap(({ claim: { record, path } }) =>
    path[0] === 'url' ? [record.replace('subsites', '')] : [],
  );
  if (!displacedPaths.length) return [];
  const routes = findRoutesWithPages(records);
  const missingRoutes = records.routes
    .filter(({ path, audience }) => audience !== 'machine' && !routes.has(path))
    .map(({ path }) => path);
  return [
    ...displacedPaths,
    ...(missingRoutes.length <= displacedPaths.length ? missingRoutes : []),
  ];
}

export const addressRules: Rule[] = [
  {
    name: 'unique-address',
    description:
      'No two pages, documents or endpoints share an address, and none uses an address of the service itself.',
    *check(records) {
      const { claimsByAddress, rejected } = assignAddresses(records);
      for (const { claim, first } of rejected) {
        const example =
          first === FRONT_PAGE && claim.path[0] === 'url'
            ? `, such as ${claim.record.replace('subsites', '')}`
            : '';
        yield {
          record: claim.record,
          path: claim.path,
          problem: `leads to ${claim.address}, which ${first ? `${describeOwner(first)} already` : 'the service itself'} uses. Choose another${example}.`,
          ...(first && { other: { record: first.record, path: first.path } }),
        };
      }
      for (const claim of claimsByAddress.values()) {
        const fault = createViolationFactory(claim.record, ...claim.path);
        const pageClaim =
          claim.address.endsWith('.md') &&
          claimsByAddress.get(claim.address.slice(0, -'.md'.length));
        if (pageClaim && pageClaim.isPage)
          yield fault(
            `leads to ${claim.address}, which is the Markdown version of ${describeOwner(pageClaim)}. Choose another.`,
          );
        const parentClaim = claim.isPage ? undefined : findDocumentAbove(claim, claimsByAddress);
        if (parentClaim)
          yield fault(
            `is below ${parentClaim.address}, which is a document of ${parentClaim.record}. Choose another.`,
          );
      }
    },
  },
];
