import type { Placement } from '../artifacts/index.ts';
import type { Site } from '../site/site.ts';

/** Link relations (RFC 8288) of an artifact: for its canonical path, then for its aliases. */
const relations: readonly (readonly [artifact: string, ...relations: string[]])[] = [
  ['api-catalog', 'api-catalog'],
  ['ard', 'ard', 'ai-catalog'],
  ['openapi', 'service-desc'],
  ['llms-txt', 'describedby'],
];

/**
 * Content Security Policy, level 3. Scripts and styles come only from our own files; forms may post
 * to the site’s own origin.
 */
const buildContentSecurityPolicy = (base: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `form-action 'self' ${base}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const toYesNoFlag = (value: boolean) => (value ? 'y' : 'n');

/**
 * Headers for every response, dynamic or prerendered. Page headers are harmless on documents, and a
 * single set of headers keeps CDN rules simple.
 */
export function buildCommonHeaders({ base, registry }: Site): Record<string, string> {
  const { search, aiTrain } = registry.network.crawl;
  return {
    'content-security-policy': buildContentSecurityPolicy(base),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'content-usage': `search=${toYesNoFlag(search)}, train-ai=${toYesNoFlag(aiTrain)}`,
    ...(base.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** Headers for documents that any origin may read. */
export const publicDocumentHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link',
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * The Link header that points from a page to the discovery documents.
 * @throws if a relation has no document, which is a bug
 */
export function buildDiscoveryLinks(
  placements: readonly Placement[],
  { base, registry }: Site,
): string {
  const links = relations.flatMap(([name, ...relationNames]) => {
    const placement = placements.find(({ artifact }) => artifact.name === name);
    const paths = placement ? [placement.path, ...placement.aliases] : [];
    return relationNames.map((relation, index) => {
      const path = paths[index];
      if (!placement || !path)
        throw new Error(
          `The Link header relation ${relation} belongs to the artifact ${name}, which has no ${placement ? 'such alias' : 'document'}.`,
        );
      return `<${base}${path}>; rel="${relation}"; type="${placement.artifact.mediaType.split(';')[0]}"`;
    });
  });
  return [
    ...links,
    `<${base}${registry.network.agentArea}>; rel="service-doc"; type="text/html"`,
  ].join(', ');
}
