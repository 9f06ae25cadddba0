import { memberOf } from '../../site/json-object.ts';
import { hashContent } from '../../build/arena.ts';
import type { Arena } from '../../server/arena.ts';
import { type ProbeResponse, sendRequest } from './send-request.ts';

export interface Check {
  path: string;
  check: (base: string) => Promise<string | undefined>;
}

/** Whether the deployment has a server, according to the capability catalog. */
function hasServer(arena: Arena): boolean {
  const catalog = arena.get('/api/v1/capabilities');
  return (
    catalog !== undefined &&
    memberOf(JSON.parse(catalog.body('identity').toString()), 'dynamicAvailable') === true
  );
}

/** Problem codes from the server for an empty request, which stores nothing. */
const REFUSAL_CODES = new Set<unknown>(['invalid_input', 'rate_limited']);

const codeOf = ({ headers, body }: ProbeResponse): unknown => {
  try {
    return headers['content-type']?.startsWith('application/problem+json')
      ? memberOf(JSON.parse(body.toString()), 'code')
      : undefined;
  } catch {
    return undefined;
  }
};

/** Checks that a read and an invalid POST reach the server. */
const serverChecks: readonly Check[] = [
  {
    path: '/healthz',
    async check(base) {
      const { status, headers } = await sendRequest(base, '/healthz');
      if (status === 503) return 'responds with 503. The server or its database cannot be reached.';
      return status === 200 && headers['content-type']?.startsWith('application/json')
        ? undefined
        : `responds with ${status}, but the response is not from the server. Route every path that is not a file to the server.`;
    },
  },
  {
    path: '/api/lead/action',
    async check(base) {
      const answer = await sendRequest(base, '/api/lead/action', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      return REFUSAL_CODES.has(codeOf(answer))
        ? undefined
        : `responds to an empty POST with ${answer.status}, unlike the server. Route every request other than GET and HEAD to the server.`;
    },
  },
];

/** Checks that an unknown URL gets a 404 response with a media type. */
const createUnknownPathCheck = (path: string, type: string): Check => ({
  path,
  async check(base) {
    const { status, headers } = await sendRequest(base, path);
    if (status !== 404) return `responds with ${status}, but does not exist. Expected 404.`;
    return headers['content-type']?.startsWith(type)
      ? undefined
      : `responds with the wrong media type. Expected ${type}.`;
  },
});

/** Checks OPTIONS and an unsupported method on a document. */
const createMethodCheck = (path: string): Check => ({
  path,
  async check(base) {
    const options = await sendRequest(base, path, { method: 'OPTIONS' });
    if (options.status !== 204) return `responds to OPTIONS with ${options.status}. Expected 204.`;
    const { status, headers } = await sendRequest(base, path, { method: 'DELETE' });
    return status === 405 && headers.allow
      ? undefined
      : `responds to DELETE with ${status}${headers.allow ? '' : ' and no Allow'}. Expected 405 with Allow.`;
  },
});

/** Checks a valid and an invalid `include` on a document. */
function createIncludeChecks(arena: Arena, path: string): Check[] {
  const [value] = arena.includes(path);
  return [
    {
      path: `${path}?include=${value}`,
      async check(base) {
        const { status, body } = await sendRequest(base, `${path}?include=${value}`);
        return status === 200 && hashContent(body) === arena.get(`${path}.${value}`)!.hash
          ? undefined
          : `does not return the document ${path}.${value}.`;
      },
    },
    {
      path: `${path}?include=probe`,
      async check(base) {
        const { status } = await sendRequest(base, `${path}?include=probe`);
        return status === 400
          ? undefined
          : `responds with ${status}. Expected 400 for an unknown include.`;
      },
    },
  ];
}

const createRedirectCheck = (path: string, target: string): Check => ({
  path,
  async check(base) {
    const { status, headers } = await sendRequest(base, path);
    const location =
      headers.location && URL.canParse(headers.location, base)
        ? new URL(headers.location, base)
        : undefined;
    return status === 302 &&
      location &&
      location.pathname + location.search + location.hash ===
        new URL(target, base).href.slice(new URL(base).origin.length)
      ? undefined
      : `does not redirect to ${target} with 302.`;
  },
});

/**
 * Checks unknown URLs, other methods, includes, short links, and the route to the server, if any.
 */
export function listBehaviorChecks(arena: Arena): Check[] {
  const paths = [...arena.paths()];
  const document = paths.find((path) => arena.get(path)!.policy.kind === 'document');
  const pathWithIncludes = paths.find((path) => arena.includes(path).length);
  return [
    createUnknownPathCheck('/api/probe-of-nothing', 'application/problem+json'),
    createUnknownPathCheck('/probe-of-nothing', 'text/html'),
    ...(document === undefined ? [] : [createMethodCheck(document)]),
    ...(pathWithIncludes === undefined ? [] : createIncludeChecks(arena, pathWithIncludes)),
    ...(hasServer(arena) ? serverChecks : []),
    ...[...arena.redirects].map(([path, target]) => createRedirectCheck(path, target)),
  ];
}
