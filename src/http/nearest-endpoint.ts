import { MCP_ENDPOINTS } from '../site/developer/mcp-endpoints.ts';
import { editDistance } from '../site/corrections/similar-names.ts';
import type { Site } from '../site/site.ts';
import { listOperations } from './operations.ts';

/** A method and a path, in which `{name}` stands for one segment. */
export interface EndpointAddress {
  method: string;
  path: string;
}

/** The addresses of the endpoints and of the documents that software requests. */
export const listEndpointAddresses = (site: Site): EndpointAddress[] => [
  ...listOperations(site),
  ...MCP_ENDPOINTS.map(({ path }) => ({ method: 'POST', path })),
  ...site.registry.routes
    .filter(({ audience }) => audience === 'machine')
    .map(({ path }) => ({ method: 'GET', path })),
];

/** Maximum number of edits in a path segment; longer words allow more edits. */
const maxEditsFor = (word: string): number => (word.length < 5 ? 1 : 2);

/** Number of edits from one path to another; undefined if they are too different. */
function countEdits(requestedPath: string, path: string): number | undefined {
  const [requestedSegments, pathSegments] = [requestedPath.split('/'), path.split('/')];
  if (requestedSegments.length !== pathSegments.length) return undefined;
  let edits = 0;
  for (const [index, segment] of pathSegments.entries()) {
    if (segment.startsWith('{')) continue;
    const requestedSegment = requestedSegments[index]!;
    if (requestedSegment === segment) continue;
    const distance = editDistance(requestedSegment.toLowerCase(), segment);
    if (distance > maxEditsFor(segment)) return undefined;
    // Paths are case-sensitive.
    edits += Math.max(distance, 1);
  }
  return edits;
}

/** The endpoints that accept a request's method. */
const listCandidates = (
  { method }: EndpointAddress,
  endpoints: readonly EndpointAddress[],
): EndpointAddress[] =>
  endpoints.filter((endpoint) => endpoint.method === (method === 'HEAD' ? 'GET' : method));

const MAX_PATH_LENGTH = 200;

/** `Did you mean POST /api/lead/action?` for a misspelled path; otherwise an empty string. */
export function suggestEndpoint(
  request: EndpointAddress,
  endpoints: readonly EndpointAddress[],
): string {
  if (request.path.length > MAX_PATH_LENGTH) return '';
  const [nearestEndpoint] = listCandidates(request, endpoints)
    .flatMap(({ method, path }) => {
      const edits = countEdits(request.path, path);
      // If no edit is needed, only a parameter matches, which says nothing about what was intended.
      return edits ? [{ method, path, edits }] : [];
    })
    .sort((a, b) => a.edits - b.edits);
  return nearestEndpoint ? ` Did you mean ${nearestEndpoint.method} ${nearestEndpoint.path}?` : '';
}

/** `The nearest URL is /api/v1/capabilities.` for a path below it; otherwise an empty string. */
export function suggestParentEndpoint(
  request: EndpointAddress,
  endpoints: readonly EndpointAddress[],
): string {
  const [parent] = listCandidates(request, endpoints)
    .filter(({ path }) => request.path.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length);
  return parent ? ` The nearest URL is ${parent.path}.` : '';
}

/** The endpoints below a path that accept the method, in a sentence, or an empty string. */
export function suggestNestedEndpoints(
  request: EndpointAddress,
  endpoints: readonly EndpointAddress[],
  route: string,
): string {
  const nestedEndpoints = listCandidates(request, endpoints).filter(({ path }) =>
    path.startsWith(`${route}/`),
  );
  return nestedEndpoints.length
    ? ` ${nestedEndpoints[0]!.method} works at ${nestedEndpoints.map(({ path }) => path).join(' and ')}.`
    : '';
}
