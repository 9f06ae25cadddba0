import { extname } from 'node:path';
import { lookup } from 'mrmime';
import type { Placement } from '../artifacts/index.ts';
import type { Site } from '../site/site.ts';
import type { Policy } from './arena.ts';
import { buildCommonHeaders, buildDiscoveryLinks, publicDocumentHeaders } from './site-headers.ts';

export const HASHED_ASSET_PREFIX = '/_astro/';

const SHORT_CACHE_CONTROL = 'public, max-age=300';
const PERMANENT_CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Documents with the Link header of pages; an API catalog must link to itself (RFC 9727). */
const LINKING_ARTIFACTS = new Set(['agent-index', 'api-catalog']);

/** Types missing from the extension table (IANA "Media Types"). */
const EXTRA_MEDIA_TYPES: Readonly<Record<string, string>> = { '.ico': 'image/vnd.microsoft.icon' };

/** A file in the build: its name in `client`, with a leading slash, and its URL path. */
export interface ServedFile {
  file: string;
  path: string;
  policy: Policy;
}

/** Media type by file extension; text has charset UTF-8. */
function mediaTypeOf(file: string): string {
  const type = lookup(file) ?? EXTRA_MEDIA_TYPES[extname(file)] ?? 'application/octet-stream';
  return type.startsWith('text/') || type === 'application/xml' ? `${type}; charset=utf-8` : type;
}

/** URL path for a page’s file: `/a.html` is served at `/a`, `/index.html` at `/`. */
const toPagePath = (file: string): string =>
  file === '/index.html' ? '/' : file.slice(0, -'.html'.length);

/**
 * Returns a function that finds the policy for a file: documents follow the artifact list, pages
 * are HTML, and other files follow their extension. Identical policies share one object.
 */
export function createPolicyFinder(
  placements: readonly Placement[],
  site: Site,
): (file: string) => ServedFile {
  const baseHeaders = buildCommonHeaders(site);
  const links = buildDiscoveryLinks(placements, site);
  const policiesByKey = new Map<string, Policy>();
  const getPolicy = (
    kind: Policy['kind'],
    mediaType: string,
    headers: Record<string, string>,
  ): Policy => {
    const key = JSON.stringify([kind, mediaType, headers]);
    if (!policiesByKey.has(key))
      policiesByKey.set(key, { kind, mediaType, headers: { ...headers, ...baseHeaders } });
    return policiesByKey.get(key)!;
  };
  const artifactsByPath = new Map(
    placements.flatMap(({ path, aliases, artifact }) =>
      [path, ...aliases].map((documentPath) => [documentPath, artifact] as const),
    ),
  );
  const pagePolicy = getPolicy('page', 'text/html; charset=utf-8', {
    'cache-control': SHORT_CACHE_CONTROL,
    link: links,
  });
  const documentPolicyOf = ({ name, mediaType }: Placement['artifact']) =>
    getPolicy('document', mediaType, {
      'cache-control': SHORT_CACHE_CONTROL,
      ...(LINKING_ARTIFACTS.has(name) && { link: links }),
      ...publicDocumentHeaders,
    });
  const filePolicyOf = (file: string) =>
    file.startsWith(HASHED_ASSET_PREFIX)
      ? getPolicy('asset', mediaTypeOf(file), { 'cache-control': PERMANENT_CACHE_CONTROL })
      : getPolicy('file', mediaTypeOf(file), {
          'cache-control': SHORT_CACHE_CONTROL,
          ...(file.endsWith('.md') && publicDocumentHeaders),
        });
  return (file) => {
    const artifact = artifactsByPath.get(file);
    if (!artifact && file.endsWith('.html'))
      return { file, path: toPagePath(file), policy: pagePolicy };
    return { file, path: file, policy: artifact ? documentPolicyOf(artifact) : filePolicyOf(file) };
  };
}
