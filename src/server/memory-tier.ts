import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Coding, etagOf, NOT_FOUND_PATH } from '../build/arena.ts';
import { toMarkdownPath } from '../site/site.ts';
import { matchesEtag } from '../operation/etag.ts';
import { Problem } from '../operation/problem.ts';
import { type Arena, type Entry, isRequestablePath } from './arena.ts';
import { chooseCoding, prefersMarkdown } from '../http/negotiate.ts';
import { createMethodNotAllowedProblem, renderUnknownPage } from '../http/problem-response.ts';
import { hasStrictQuery, rejectUnknownQuery } from '../http/query.ts';
import type { RequestTarget } from '../http/request-target.ts';

const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

export interface MemoryTier {
  /**
   * Responds if the path exists; otherwise leaves the response untouched and returns false.
   * @throws {Problem}
   */
  answer: (request: IncomingMessage, response: ServerResponse, target: RequestTarget) => boolean;
  /** The response to an unknown address outside the API: 404 as HTML, or as Markdown on request. */
  respondToUnknownPage: (request: Request) => Response;
}

/** Headers of a stored body, alternating names and values, as `writeHead` accepts them. */
interface EntryHeaders {
  fullHeaders: string[];
  notModifiedHeaders: string[];
  etag: string;
}

/** A page and its Markdown version link to each other. */
function createLinkHeader(entry: Entry, arena: Arena): string | undefined {
  const { base } = arena.index;
  if (entry.markdownPath)
    return `<${base}${entry.markdownPath}>; rel="alternate"; type="text/markdown"`;
  if (!entry.path.endsWith('.md')) return undefined;
  const page = entry.path === '/index.md' ? '/' : entry.path.slice(0, -'.md'.length);
  return arena.get(page)?.markdownPath === entry.path
    ? `<${base}${page}>; rel="canonical"`
    : undefined;
}

function buildHeaders(entry: Entry, coding: Coding, arena: Arena): EntryHeaders {
  const isCompressed = entry.length('br') !== undefined || entry.length('gzip') !== undefined;
  const variesByAccept =
    entry.markdownPath !== undefined || entry.path.endsWith('.md') || entry.path === NOT_FOUND_PATH;
  const vary = [
    ...(isCompressed ? ['accept-encoding'] : []),
    ...(variesByAccept ? ['accept'] : []),
  ].join(', ');
  const etag = etagOf(entry.hash, coding);
  const { link, ...headers } = entry.policy.headers;
  const links = [link, createLinkHeader(entry, arena)].filter(Boolean).join(', ');
  const notModifiedHeaders = [
    ...Object.entries(headers).flat(),
    ...(links ? ['link', links] : []),
    ...(vary ? ['vary', vary] : []),
    'etag',
    etag,
  ];
  const fullHeaders = [
    ...notModifiedHeaders,
    'content-type',
    entry.policy.mediaType,
    'content-length',
    String(entry.length(coding)),
    ...(coding === 'identity' ? [] : ['content-encoding', coding]),
  ];
  return { fullHeaders, notModifiedHeaders, etag };
}

/** The headers of each entry in each coding, built on its first request. */
function createHeaderLookup(arena: Arena): (entry: Entry, coding: Coding) => EntryHeaders {
  const headersByEntry = new Map<Entry, Partial<Record<Coding, EntryHeaders>>>();
  return (entry, coding) => {
    const cachedHeaders = headersByEntry.get(entry);
    const builtHeaders = cachedHeaders?.[coding] ?? buildHeaders(entry, coding, arena);
    if (!cachedHeaders?.[coding])
      headersByEntry.set(entry, { ...cachedHeaders, [coding]: builtHeaders });
    return builtHeaders;
  };
}

const chooseEntryCoding = (entry: Entry, accepted: string | undefined): Coding =>
  chooseCoding(accepted, (coding) => entry.length(coding) !== undefined);

/**
 * The requested representation of an entry: its Markdown version, its extended document, or itself.
 * @throws {Problem} invalid_input for an unsupported query
 */
function selectRepresentation(
  request: IncomingMessage,
  entry: Entry,
  query: URLSearchParams,
  arena: Arena,
): Entry {
  if (entry.markdownPath && request.headers.accept && prefersMarkdown(request.headers.accept))
    return arena.get(entry.markdownPath)!;
  if (!query.size) return entry;
  const allowed = arena.includes(entry.path);
  if (hasStrictQuery(entry.path)) rejectUnknownQuery(query, allowed.length ? ['include'] : []);
  if (!allowed.length || !query.has('include')) return entry;
  const [value, ...more] = query.getAll('include');
  if (more.length || !allowed.includes(value!)) {
    throw new Problem('invalid_input', 'The query parameter include has an invalid value.', {
      errors: [
        {
          pointer: '/include',
          message: `Send one of: ${allowed.join(', ')}; or omit include.`,
          allowed,
        },
      ],
    });
  }
  return arena.get(`${entry.path}.${value}`)!;
}

/** The tier for an arena; `baseHeaders` has the headers of responses without a stored body. */
export function createMemoryTier(
  arena: Arena,
  baseHeaders: Readonly<Record<string, string>>,
): MemoryTier {
  const { base } = arena.index;
  const headersOf = createHeaderLookup(arena);

  function send(request: IncomingMessage, response: ServerResponse, entry: Entry): void {
    const coding = chooseEntryCoding(entry, request.headers['accept-encoding']);
    const { fullHeaders, notModifiedHeaders, etag } = headersOf(entry, coding);
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch && matchesEtag(ifNoneMatch, etag)) {
      response.writeHead(304, notModifiedHeaders).end();
      return;
    }
    response.writeHead(200, fullHeaders);
    response.end(request.method === 'HEAD' ? undefined : entry.body(coding));
  }

  /** Answers OPTIONS and rejects every other method except GET and HEAD. */
  function answerOtherMethod(
    request: IncomingMessage,
    response: ServerResponse,
    allowsCors: boolean,
  ): void {
    if (request.method !== 'OPTIONS') throw createMethodNotAllowedProblem(ALLOWED_METHODS);
    const corsPreflightHeaders = allowsCors && {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': ALLOWED_METHODS,
      'access-control-allow-headers': '*',
      'access-control-max-age': '86400',
    };
    response
      .writeHead(204, { ...baseHeaders, allow: ALLOWED_METHODS, ...corsPreflightHeaders })
      .end();
  }

  /** Whether a path leads to a page or redirect; phones capitalize typed addresses. */
  const isPagePath = (path: string): boolean =>
    arena.redirects.has(path) ||
    (isRequestablePath(path) && arena.get(path)?.policy.kind === 'page');

  const redirectTo = (
    response: ServerResponse,
    status: 302 | 308,
    location: string,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    response.writeHead(status, { ...baseHeaders, location, ...headers, 'content-length': 0 }).end();

  const redirectToPath = (response: ServerResponse, path: string, query: URLSearchParams) =>
    redirectTo(response, 308, encodeURI(path) + (query.size ? `?${query}` : ''));

  return {
    answer(request, response, { path, query, hasTrailingSlash }) {
      const entry = isRequestablePath(path) ? arena.get(path) : undefined;
      const redirect = entry ? undefined : arena.redirects.get(path);
      const reads = request.method === 'GET' || request.method === 'HEAD';
      if (!entry && redirect === undefined) {
        const lowerCasePath = path.toLowerCase();
        if (!reads || lowerCasePath === path || !isPagePath(lowerCasePath)) return false;
        redirectToPath(response, lowerCasePath, query);
        return true;
      }
      if (!reads) answerOtherMethod(request, response, entry?.policy.kind !== 'page');
      else if (redirect !== undefined)
        redirectTo(response, 302, new URL(redirect, base).href, {
          'cache-control': 'public, max-age=300',
        });
      else if (hasTrailingSlash) redirectToPath(response, path, query);
      else send(request, response, selectRepresentation(request, entry!, query, arena));
      return true;
    },
    respondToUnknownPage({ headers }) {
      const wantsMarkdown = prefersMarkdown(headers.get('accept') ?? '');
      const entry = arena.get(wantsMarkdown ? toMarkdownPath(NOT_FOUND_PATH) : NOT_FOUND_PATH);
      if (entry) {
        const coding = chooseEntryCoding(entry, headers.get('accept-encoding') ?? undefined);
        const { fullHeaders } = headersOf(entry, coding);
        const pairs = Array.from(
          { length: fullHeaders.length / 2 },
          (_, index): [string, string] => [fullHeaders[2 * index]!, fullHeaders[2 * index + 1]!],
        );
        return new Response(new Uint8Array(entry.body(coding)), { status: 404, headers: pairs });
      }
      return new Response(renderUnknownPage(base), {
        status: 404,
        headers: {
          'content-type': 'text/markdown; charset=utf-8',
          'cache-control': 'no-store',
          vary: 'accept',
        },
      });
    },
  };
}
