import type { ServerResponse } from 'node:http';
import { Problem } from '../operation/problem.ts';
import { suggestSubsite } from '../site/corrections/similar-names.ts';
import { START_HINT } from './request-target.ts';
import type { Site } from '../site/site.ts';
import {
  type EndpointAddress,
  listEndpointAddresses,
  suggestEndpoint,
  suggestParentEndpoint,
} from './nearest-endpoint.ts';

/** Status, headers and body of a problem response (RFC 9457). */
function createProblemParts(problem: Problem, base: string) {
  const body = `${JSON.stringify(problem.details(base))}\n`;
  return {
    body,
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'content-length': String(Buffer.byteLength(body)),
      ...problem.headers,
    },
  };
}

export function createProblemResponse(
  problem: Problem,
  base: string,
  extraHeaders: Readonly<Record<string, string>> = {},
): Response {
  const { body, status, headers } = createProblemParts(problem, base);
  return new Response(body, { status, headers: { ...headers, ...extraHeaders } });
}

/** Writes a problem response; headers already set on the response are kept. */
export function sendProblem(response: ServerResponse, problem: Problem, base: string): void {
  const { body, status, headers } = createProblemParts(problem, base);
  response.writeHead(status, headers);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

const formatMethodList = (methods: string) => methods.replace(/, ([^,]+)$/, ' and $1');

/**
 * The response to a method that is not allowed; `allow` is the Allow header, `suggestion` a
 * sentence about the endpoint that was probably intended, or empty.
 */
export const createMethodNotAllowedProblem = (allow: string, suggestion = ''): Problem =>
  new Problem('method_not_allowed', `This URL accepts ${formatMethodList(allow)}.${suggestion}`, {
    headers: { allow },
  });

/** Paths that software tries on other networks, and the local equivalents. */
const relativePathHints: readonly [pattern: RegExp, text: string][] = [
  [/^\/(?:\.well-known\/)?mcp(?:\/|$)|^\/sse\/?$/, 'The MCP endpoint is /api/mcp.'],
  [/^\/a2a(?:\/|$)/, 'The A2A endpoint is /a2a/v1; its card is /.well-known/agent-card.json.'],
  [/^\/(?:\.well-known\/)?agent\.json$/, 'The agent card is /.well-known/agent-card.json.'],
  [/^\/(?:agents|claude)\.md$/i, 'Agents start at /llms.txt.'],
  [
    /^\/(?:docs?|swagger|redoc|api-docs)(?:\/|$)/,
    'The API is described in /api/openapi.json and /llms.txt.',
  ],
];

/** A hint about the local equivalent of a path; undefined if there is none. */
export const findRelativePathHint = (path: string): string | undefined =>
  relativePathHints.find(([pattern]) => pattern.test(path))?.[1];

/** The response to an unknown URL. It suggests a subsite or an endpoint with a similar name. */
export function createUnknownAddressProblem(
  { method, path }: EndpointAddress,
  site: Site,
): Problem {
  const subsiteName = /^\/api\/agent\/([^/]+)$/.exec(path)?.[1];
  if (subsiteName !== undefined) {
    return new Problem(
      'unknown_subsite',
      `There is no subsite with this name.${suggestSubsite(subsiteName, site.registry.subsites)} /api/agent-index lists all subsites.`,
    );
  }
  const request = { method, path };
  const endpoints = listEndpointAddresses(site);
  const suggestion =
    suggestEndpoint(request, endpoints) || suggestParentEndpoint(request, endpoints);
  return new Problem(
    'not_found',
    `There is nothing at this address.${suggestion} ${findRelativePathHint(path) ?? START_HINT}`,
  );
}

/** The response to an unknown URL outside the API, as Markdown. */
export const renderUnknownPage = (base: string): string =>
  `# There is nothing at this address\n\nStart at [the overview of the network](${base}/llms.txt).\n`;
