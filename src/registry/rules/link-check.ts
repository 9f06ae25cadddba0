import { LINKABLE_SERVICE_PATHS } from '../../site/developer/service-paths.ts';
import { findHoldAction } from '../../site/hold-action.ts';
import { problemCodes } from '../../site/problem-codes.ts';
import { findNearest } from '../../site/corrections/similar-names.ts';
import { isPublishedAsSkill } from '../../site/registry.ts';
import { toMarkdownPath } from '../../site/site.ts';
import type { UnreadableRecords } from '../unreadable-records.ts';
import { listPathClaims } from './addresses.ts';
import { findRoutesWithPages } from './page-routes.ts';
import type { Records } from './rule.ts';

/** Yields the paths of HTML pages, each of which also has a Markdown version. */
function* listPagePaths(records: Records): Generator<string> {
  for (const { address, isPage } of listPathClaims(records)) if (isPage) yield address;
  for (const code of Object.keys(problemCodes)) yield `/problems/${code}`;
}

/** Yields the paths of documents, and of pages without a Markdown version. */
function* listOtherPaths(records: Records): Generator<string> {
  const { subsites, catalogs, links, routes, network } = records;
  yield* LINKABLE_SERVICE_PATHS;
  for (const { path, audience } of routes) if (audience === 'machine') yield path;
  for (const { slug } of links) yield `/go/${slug}`;
  for (const { address, isPage, path } of listPathClaims(records))
    if (!isPage && path[0] !== 'leadEndpoint') yield address;
  for (const { name } of network.skills ?? []) yield `/.well-known/agent-skills/${name}/SKILL.md`;
  for (const subsite of subsites) {
    const { name } = subsite;
    yield* [`/api/agent/${name}`, `/api/agent/${name}.data`];
    if (isPublishedAsSkill(subsite)) yield `/.well-known/agent-skills/${name}/SKILL.md`;
    for (const { id } of catalogs[findHoldAction(subsite)?.effect.catalog ?? '']?.items ?? [])
      yield `/free-days/${name}/${id}`;
  }
}

/** Finds the known path that differs from `path` only by a typo in one segment. */
function findSimilarPath(path: string, known: readonly string[]): string | undefined {
  const segments = path.split('/');
  for (const [index, segment] of segments.entries()) {
    const siblings = known
      .map((other) => other.split('/'))
      .filter(
        (other) =>
          other.length === segments.length &&
          other.every((part, position) => position === index || part === segments[position]),
      )
      .map((other) => other[index]!);
    const nearest = findNearest(segment, siblings);
    if (nearest !== undefined) return segments.with(index, nearest).join('/');
  }
  return undefined;
}

/**
 * Creates a function that explains why a site-relative link is broken. The function returns
 * undefined if the network serves the target, or may serve it once all records are readable.
 */
export function createLinkCheck(
  records: Records,
  unreadable: UnreadableRecords,
): (link: string) => string | undefined {
  const { agentArea } = records.network;
  // While the path of the agent services area is unknown, any page may belong to it.
  if (agentArea === undefined) return () => undefined;
  const servedPaths = new Set([
    ...findRoutesWithPages(records),
    ...[...listPagePaths(records)].flatMap((path) => [path, toMarkdownPath(path)]),
    ...listOtherPaths(records),
  ]);
  /** True for paths that are derived from a record but do not contain the record's path or name. */
  const isDerived = (path: string) =>
    path.startsWith(`${agentArea}/`) || /^\/(?:api|free-days|\.well-known)\//.test(path);
  return (link) => {
    const path = link.replace(/[?#].*$/, '');
    if (
      servedPaths.has(path) ||
      unreadable.mayDefinePath(path.replace(/\.md$|\/feed\.(?:xml|json)$/, '')) ||
      (unreadable.isNonEmpty && isDerived(path))
    )
      return undefined;
    if (/^[a-z][a-z\d+.-]*:/i.test(link))
      return 'is not in this network. Use the path of one of its pages.';
    const sitePath = path.startsWith('/') ? path : `/${path}`;
    const similarPath = servedPaths.has(sitePath)
      ? sitePath
      : findSimilarPath(
          sitePath,
          [...servedPaths].filter((served) => !served.includes('[')),
        );
    return `has no page. ${similarPath === undefined ? 'Use the path of a page in this network.' : `Did you mean ${similarPath}?`}`;
  };
}
