import { listOperations } from '../../src/http/operations.ts';
import { MCP_ENDPOINTS } from '../../src/site/developer/mcp-endpoints.ts';
import type { Site } from '../../src/site/site.ts';

/** Pages and endpoints, other than operations, that need a server. */
const OTHER_PATHS = [
  ...MCP_ENDPOINTS.map(({ path }) => path),
  '/a2a/v1',
  '/healthz',
  '/find',
  '/receipt/{token}',
  '/biz/{slug}',
  '/free-days/{subsite}/{item}',
  '/inbox',
];

/**
 * Patterns of all addresses that need a server, as they may occur in text. Short links are static
 * redirects.
 */
export function createServerAddressPatterns(site: Site): RegExp[] {
  const paths = [
    ...listOperations(site)
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('/go/')),
    ...OTHER_PATHS,
  ];
  const pathPrefixes = new Set(paths.map((path) => path.replace(/\{.*/, '')));
  return [...pathPrefixes].map(
    (path) =>
      new RegExp(`(?:${RegExp.escape(site.base)}|["\`\\s(>])${RegExp.escape(path)}(?![a-z-])`),
  );
}
