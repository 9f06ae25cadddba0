/**
 * Paths that the service uses in every network, regardless of the records: documents, endpoints,
 * dynamic pages and build files. `[name]` matches one segment, `[...name]` any number of them,
 * including none.
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
