import type { Placement } from '../artifacts/index.ts';
import type { Site } from '../registry/index.ts';

/** Relations of the Link header (RFC 8288; discovery.md "Link headers") by the artifact that each points to. */
const relations: Readonly<Record<string, string>> = {
  'api-catalog': 'rel="api-catalog"; type="application/linkset+json"',
  'ard-catalog': 'rel="ard"; type="application/json"',
  openapi: 'rel="service-desc"; type="application/json"',
  'llms-txt': 'rel="describedby"; type="text/plain"',
};

/** Scripts and styles come from files of ours only; forms may lead back to the site’s own origin. CSP level 3. */
const contentSecurityPolicy = (base: string) =>
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

const yesNo = (value: boolean) => (value ? 'y' : 'n');

/** Headers of every answer, served or prerendered. What is made for pages does no harm to a document, and one set fits a CDN. */
export function commonHeaders({ base, registry }: Site): Record<string, string> {
  const { search, aiTrain } = registry.network.crawl;
  return {
    'content-security-policy': contentSecurityPolicy(base),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'content-usage': `search=${yesNo(search)}, train-ai=${yesNo(aiTrain)}`,
    ...(base.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** Headers of documents that any origin may read. */
export const openHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link',
  'cross-origin-resource-policy': 'cross-origin',
};

/** The Link header that leads from a page to the discovery documents that exist. */
export function discoveryLinks(placements: readonly Placement[], { base, registry }: Site): string {
  const links = placements.flatMap(({ path, aliases, artifact }) => {
    const relation = relations[artifact.name];
    if (!relation) return [];
    return [`<${base}${path}>; ${relation}`, ...(artifact.name === 'ard-catalog' ? aliases.map((alias) => `<${base}${alias}>; rel="ai-catalog"; type="application/json"`) : [])];
  });
  return [...links, `<${base}${registry.network.agentArea}>; rel="service-doc"; type="text/html"`].join(', ');
}
