/**
 * Paths that the service uses in every network, regardless of the records: documents, endpoints,
 * dynamic pages and build files. `[name]` matches one segment, and `[...name]` any number of
 * segments, including none.
 */
export const SERVICE_PATH_PATTERNS: readonly string[] = [
  '/.well-known/[...document]',
  '/404',
  '/_astro/[...file]',
  '/a2a/[...call]',
  '/answer/[...token]',
  '/api/agent/[...name]',
  '/api/agent-index/[...part]',
  '/api/email-capture',
  '/api/find',
  '/api/free-days',
  '/api/lead/[...receipt]',
  '/api/mcp/[...document]',
  '/api/openapi.json/[...part]',
  '/api/share',
  '/api/v1/[...call]',
  '/apple-touch-icon.png',
  '/biz/[...storefront]',
  '/favicon.ico',
  '/find',
  '/free-days/[...item]',
  '/go/[slug]',
  '/healthz',
  '/icon.svg',
  '/icons.svg',
  '/icons/[...icon]',
  '/inbox/[...lead]',
  '/index.md',
  '/llms-full.txt',
  '/llms.txt',
  '/og/[...image]',
  '/manifest.webmanifest',
  '/openapi.json',
  '/pictures/[...picture]',
  '/problems/[...code]',
  '/receipt/[...token]',
  '/robots.txt',
  '/s/[...token]',
  '/search-index.json',
  '/sitemap-[part].xml',
  '/sitemap.md',
  '/sitemap.xml',
  '/view/[...kind]',
];

/**
 * Pages and documents at fixed paths that every network serves to GET requests. Links may point to
 * these, but not to endpoints that accept only requests with a body.
 */
export const LINKABLE_SERVICE_PATHS: readonly string[] = [
  '/.well-known/agent-card.json',
  '/.well-known/agent-skills/index.json',
  '/.well-known/ai-catalog.json',
  '/.well-known/api-catalog',
  '/.well-known/ard.json',
  '/.well-known/jwks.json',
  '/.well-known/mcp.json',
  '/.well-known/mcp/server-card.json',
  '/.well-known/security.txt',
  '/api/agent-index',
  '/api/find',
  '/api/free-days',
  '/api/lead/sandbox',
  '/api/mcp/server-card',
  '/api/mcp/server.json',
  '/api/openapi.json',
  '/api/v1/agent-mcp/server-card',
  '/api/v1/agent-mcp/server.json',
  '/api/v1/capabilities',
  '/api/v1/knowledge',
  '/api/v1/mcp/server-card',
  '/api/v1/mcp/server.json',
  '/apple-touch-icon.png',
  '/biz/sandbox',
  '/favicon.ico',
  '/find',
  '/healthz',
  '/icon.svg',
  '/icons.svg',
  '/inbox',
  '/llms-full.txt',
  '/llms.txt',
  '/manifest.webmanifest',
  '/openapi.json',
  '/receipt/sandbox',
  '/robots.txt',
  '/search-index.json',
  '/sitemap.md',
  '/sitemap.xml',
];

const patternOf = (address: string): string =>
  address
    .split(/(\/\[\.\.\.\w+\]|\[\w+\])/)
    .map((part) =>
      part.startsWith('/[...') ? '(?:/.+)?' : part.startsWith('[') ? '[^/]+' : RegExp.escape(part),
    )
    .join('');

/** Matches a path against a pattern from `SERVICE_PATH_PATTERNS`. */
export const compilePathPatterns = (...addresses: readonly string[]): RegExp =>
  new RegExp(`^(?:${addresses.map(patternOf).join('|')})$`);

const SERVICE_PATH_REGEXP = compilePathPatterns(...SERVICE_PATH_PATTERNS);

/** True if the service handles a site-relative path itself. */
export const isServicePath = (path: string): boolean => SERVICE_PATH_REGEXP.test(path);
