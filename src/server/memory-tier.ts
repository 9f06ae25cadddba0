import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Coding, etagOf, NOT_FOUND } from '../build/arena.ts';
import { markdownPath } from '../site/site.ts';
import { Problem } from '../operation/problem.ts';
import { type Arena, type Entry, isAddress } from './arena.ts';
import { chooseCoding, prefersMarkdown } from '../http/negotiate.ts';
import { methodNotAllowed, unknownPageMarkdown } from '../http/problem-response.ts';
import { checksQuery, refuseUnknownQuery } from '../http/query.ts';
import type { Target } from '../http/request-target.ts';

const ALLOW = 'GET, HEAD, OPTIONS';

/** Serves prerendered files. */
export interface MemoryTier {
  /**
   * Responds if the address exists; otherwise leaves the response untouched and returns false.
   * @throws {Problem}
   */
  answer: (request: IncomingMessage, response: ServerResponse, target: Target) => boolean;
  /** The response to an unknown address outside the API: 404 as HTML, or as Markdown on request. */
  unknownPage: (request: Request) => Response;
}

/** RFC 9110 section 13.1.2, weak comparison. */
const matches = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' ||
  ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);

type Headers = readonly string[];

/** The tier for an arena; `common` has the headers of responses without a stored body. */
export function memoryTier(arena: Arena, common: Readonly<Record<string, string>>): MemoryTier {
  const { base } = arena.index;
  const headersByEntry = new Map<
    Entry,
    Partial<Record<Coding, { full: Headers; unchanged: Headers; etag: string }>>
  >();

  function headersOf(entry: Entry, coding: Coding) {
    const known = headersByEntry.get(entry);
    const cached = known?.[coding];
    if (cached) return cached;
    const isCompressed = entry.length('br') !== undefined || entry.length('gzip') !== undefined;
    const negotiated =
      entry.twin !== undefined || entry.path.endsWith('.md') || entry.path === NOT_FOUND;
    const vary = [
      ...(isCompressed ? ['accept-encoding'] : []),
      ...(negotiated ? ['accept'] : []),
    ].join(', ');
    const etag = etagOf(entry.hash, coding);
    const { link, ...headers } = entry.policy.headers;
    const links = [link, linkOf(entry)].filter(Boolean).join(', ');
    const unchanged = [
      ...Object.entries(headers).flat(),
      ...(links ? ['link', links] : []),
      ...(vary ? ['vary', vary] : []),
      'etag',
      etag,
    ];
    const full = [
      ...unchanged,
      'content-type',
      entry.policy.mediaType,
      'content-length',
      String(entry.length(coding)),
      ...(coding === 'identity' ? [] : ['content-encoding', coding]),
    ];
    const built = { full, unchanged, etag };
    headersByEntry.set(entry, { ...known, [coding]: built });
    return built;
  }

  /** A page links to its Markdown version, and that links to the page. */
  function linkOf(entry: Entry): string | undefined {
    if (entry.twin) return `<${base}${entry.twin}>; rel="alternate"; type="text/markdown"`;
    if (!entry.path.endsWith('.md')) return undefined;
    const page = entry.path === '/index.md' ? '/' : entry.path.slice(0, -'.md'.length);
    return arena.get(page)?.twin === entry.path ? `<${base}${page}>; rel="canonical"` : undefined;
  }

  const codingOf = (entry: Entry, accepted: string | undefined): Coding =>
    chooseCoding(accepted, (kept) => entry.length(kept) !== undefined);

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    entry: Entry,
    status: number,
  ): void {
    const coding = codingOf(entry, request.headers['accept-encoding']);
    const { full, unchanged, etag } = headersOf(entry, coding);
    const ifNoneMatch = request.headers['if-none-match'];
    if (status === 200 && ifNoneMatch && matches(ifNoneMatch, etag)) {
      response.writeHead(304, unchanged as string[]).end();
      return;
    }
    response.writeHead(status, full as string[]);
    response.end(request.method === 'HEAD' ? undefined : entry.body(coding));
  }

  /**
   * The requested representation of an entry: its Markdown version, its extended document, or
   * itself. @throws {Problem} invalid_input for an unsupported query
   */
  function representationOf(request: IncomingMessage, entry: Entry, query: URLSearchParams): Entry {
    if (entry.twin && request.headers.accept && prefersMarkdown(request.headers.accept))
      return arena.get(entry.twin)!;
    if (!query.size) return entry;
    const allowed = arena.includes(entry.path);
    if (checksQuery(entry.path)) refuseUnknownQuery(query, allowed.length ? ['include'] : []);
    if (!allowed.length || !query.has('include')) return entry;
    const [value, ...more] = query.getAll('include');
    if (more.length || !allowed.includes(value!)) {
      throw new Problem('invalid_input', 'The query parameter include has an invalid value.', {
        errors: [
          {
            pointer: '/include',
            message: `Send one of: ${allowed.join(', ')}; or leave include out.`,
            allowed,
          },
        ],
      });
    }
    return arena.get(`${entry.path}.${value}`)!;
  }

  /** Answers OPTIONS and refuses every other method except GET and HEAD. */
  function answerOtherMethod(
    request: IncomingMessage,
    response: ServerResponse,
    allowsCors: boolean,
  ): void {
    if (request.method !== 'OPTIONS') throw methodNotAllowed(ALLOW);
    const cors = allowsCors && {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': ALLOW,
      'access-control-allow-headers': '*',
      'access-control-max-age': '86400',
    };
    response.writeHead(204, { ...common, allow: ALLOW, ...cors }).end();
  }

  return {
    answer(request, response, { path, query, hasTrailingSlash }) {
      const entry = isAddress(path) ? arena.get(path) : undefined;
      const redirect = entry ? undefined : arena.redirects.get(path);
      if (!entry && redirect === undefined) return false;
      const reads = request.method === 'GET' || request.method === 'HEAD';
      if (!reads) answerOtherMethod(request, response, entry?.policy.kind !== 'page');
      else if (redirect !== undefined)
        response
          .writeHead(302, {
            ...common,
            location: new URL(redirect, base).href,
            'cache-control': 'public, max-age=300',
            'content-length': 0,
          })
          .end();
      else if (hasTrailingSlash)
        response
          .writeHead(308, {
            ...common,
            location: encodeURI(path) + (query.size ? `?${query}` : ''),
            'content-length': 0,
          })
          .end();
      else send(request, response, representationOf(request, entry!, query), 200);
      return true;
    },
    unknownPage({ headers }) {
      const markdown = prefersMarkdown(headers.get('accept') ?? '');
      const entry = arena.get(markdown ? markdownPath(NOT_FOUND) : NOT_FOUND);
      if (entry) {
        const coding = codingOf(entry, headers.get('accept-encoding') ?? undefined);
        const { full } = headersOf(entry, coding);
        const pairs = full.flatMap((name, at) =>
          at % 2 === 0 ? [[name, full[at + 1]!] as [string, string]] : [],
        );
        return new Response(new Uint8Array(entry.body(coding)), { status: 404, headers: pairs });
      }
      return new Response(unknownPageMarkdown(base), {
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
