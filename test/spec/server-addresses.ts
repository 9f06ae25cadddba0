import { operations } from '../../src/http/operations.ts';
import { MCP_ENDPOINTS } from '../../src/site/developer/mcp-endpoints.ts';
import type { Site } from '../../src/site/site.ts';

/**
 * Pages and channels beside the operations that are answered on request, spec.md and contract.md.
 */
const MORE = [
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
 * How every address that only the server answers would stand in a text; short links are redirects
 * of the build.
 */
export function serverAddresses(site: Site): RegExp[] {
  const paths = [
    ...operations(site)
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('/go/')),
    ...MORE,
  ];
  const plain = new Set(paths.map((path) => path.replace(/\{.*/, '')));
  return [...plain].map(
    (path) =>
      new RegExp(`(?:${RegExp.escape(site.base)}|["\`\\s(>])${RegExp.escape(path)}(?![a-z-])`),
  );
}
