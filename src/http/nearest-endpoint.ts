import { MCP_ENDPOINTS } from '../site/developer/mcp-endpoints.ts';
import { editDistance } from '../site/nearest.ts';
import type { Site } from '../site/site.ts';
import { operations } from './operations.ts';

/** A method and a path, in which `{name}` stands for one segment. */
export interface EndpointAddress {
  method: string;
  path: string;
}

/** The endpoints and the documents that software requests. */
export const listEndpointAddresses = (site: Site): EndpointAddress[] => [
  ...operations(site),
  ...MCP_ENDPOINTS.map(({ path }) => ({ method: 'POST', path })),
  ...site.registry.routes
    .filter(({ audience }) => audience === 'machine')
    .map(({ path }) => ({ method: 'GET', path })),
];

/** Maximum number of edits in a segment; longer words allow more edits. */
const maxEditsFor = (word: string): number => (word.length < 5 ? 1 : 2);

/**
 * Number of edits between a requested path and an endpoint's path; undefined if they are too
 * different.
 */
function countEdits(requested: string, path: string): number | undefined {
  const [requestedSegments, pathSegments] = [requested.split('/'), path.split('/')];
  if (requestedSegments.length !== pathSegments.length) return undefined;
  let edits = 0;
  for (const [index, segment] of pathSegments.entries()) {
    if (segment.startsWith('{')) continue;
    const distance = editDistance(requestedSegments[index]!.toLowerCase(), segment);
    if (distance > maxEditsFor(segment)) return undefined;
    edits += distance;
  }
  return edits;
}

/**
 * `Did you mean POST /api/lead/action?` for a misspelled path; if none is similar, the endpoints
 * below the path that accept the method; otherwise an empty string. `route` is the path of the
 * endpoint that the URL matches, if any.
 */
export function suggestEndpoint(
  request: EndpointAddress,
  endpoints: readonly EndpointAddress[],
  route?: string,
): string {
  if (request.path.length > 200) return '';
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const candidates = endpoints.filter((endpoint) => endpoint.method === method);
  const [nearest] = candidates
    .flatMap(({ path }) => {
      const edits = path === route ? undefined : countEdits(request.path, path);
      // Without an edit, only a parameter matches, which does not show what was meant.
      return edits ? [{ path, edits }] : [];
    })
    .sort((a, b) => a.edits - b.edits);
  if (nearest) return ` Did you mean ${method} ${nearest.path}?`;
  const nestedEndpoints = candidates.filter(
    ({ path }) => route !== undefined && path.startsWith(`${route}/`),
  );
  return nestedEndpoints.length
    ? ` ${method} works at ${nestedEndpoints.map(({ path }) => path).join(' and ')}.`
    : '';
}
