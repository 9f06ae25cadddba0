import type { Context } from '../../operation/context.ts';
import type { Problem, ProblemDetails } from '../../operation/problem.ts';
import { isForm } from '../body.ts';
import { mentionsHtml } from '../negotiate.ts';
import type { Endpoint, Exchange, Dependencies } from '../exchange.ts';
import { type PagePost, readPagePost } from './page-post.ts';
import { createProblemResponse } from '../problem-response.ts';
import type { Allowance } from '../rate-limit.ts';
import { formatRetryTime } from '../retry-time.ts';
import type { RejectionView, View } from '../views.ts';

/** A page with cookies to set. */
interface ViewWithCookies {
  view: View;
  /** Values of the Set-Cookie headers. */
  cookies: readonly string[];
}

type PageAnswer = View | Response | ViewWithCookies;

export interface Page {
  home: string;
  /** Whether search engines may list a view; by default, none may be listed. */
  isIndexable?: (view: View) => boolean;
  /** @throws {Problem} unauthorized makes `showRejection` ask for a key */
  show: (exchange: Exchange) => Promise<View | Response>;
  /**
   * Handles a POST, or shows what was entered in a form without using it. Absent for read-only
   * pages. @throws {Problem}
   */
  submit?: (exchange: Exchange, post: PagePost) => Promise<PageAnswer>;
  /**
   * The rate limit for a POST. Pages that change nothing use the higher limit for reads; so does
   * withdrawing, so that people who have sent too many requests can still withdraw them.
   */
  rateLimit?: 'reads';
  /**
   * Shows the page again after a rejected POST, or asks the viewer to sign in. `post` is undefined
   * if missing or unreadable. Without this method, an error page shows only the reason.
   */
  showRejection?: (
    exchange: Exchange,
    rejection: ProblemDetails,
    post: PagePost | undefined,
  ) => Promise<View | undefined>;
}

/**
 * Whether a rejection must be a problem document because the caller is a program: it sends a media
 * type that forms never send, such as JSON, or asks for JSON. This does not depend on the body.
 */
export function isProgramRequest(request: Request): boolean {
  const { method, headers } = request;
  const type = headers.get('content-type') ?? '';
  if (/^application\/(?:[a-z0-9.+-]+\+)?json\b/i.test(type)) return true;
  if (acceptsHtml(request)) return false;
  return /\bjson\b/i.test(headers.get('accept') ?? '') || (method === 'POST' && !isForm(request));
}

export const acceptsHtml = ({ headers }: Request): boolean => mentionsHtml(headers.get('accept'));

/** Whether a browser is opening or posting to an address that is not only for software. */
export const isForPerson = (request: Request): boolean =>
  acceptsHtml(request) &&
  !isProgramRequest(request) &&
  !/^\/(?:api|a2a|healthz)(?:\/|$)/.test(new URL(request.url).pathname);

const REJECTION_HEADERS = ['retry-after', 'ratelimit', 'ratelimit-policy'];

/** Headers that prevent caching and indexing, and hide the URL from other sites. */
export function createPageHeaders(problem?: Problem): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'text/html',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'same-origin',
  };
  for (const name of REJECTION_HEADERS) {
    const value = problem?.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

/** Renders an error page in place of the page at `path`. */
export const createRejectionView = (
  { title, detail, code, id }: Pick<ProblemDetails, 'title' | 'detail' | 'code' | 'id'>,
  path: string,
  retryUrl?: string,
  post?: PagePost,
): RejectionView => ({
  kind: 'rejection',
  path,
  title,
  detail,
  code,
  id,
  retryUrl,
  formValues: post?.kind === 'form' ? post.texts : undefined,
});

/** Statuses of problems that may be temporary. */
const TEMPORARY_STATUSES = [429, 500, 503];

/** The problem, with a message for people that says when to try again. */
function describeForPerson(problem: Problem, context: Context): ProblemDetails {
  const retryAt = problem.status === 429 && formatRetryTime(problem, context);
  return {
    ...problem.details(context.site.base),
    ...(retryAt && {
      detail: `Many requests came from your internet connection, which several people may share. Try again after ${retryAt}.`,
    }),
  };
}

/** The error page for a request; `home` is the start of the part of the site that was requested. */
export function createErrorView(
  problem: Problem,
  { url }: Request,
  context: Context,
  home = '/',
  post?: PagePost,
): RejectionView {
  const { pathname, search } = new URL(url);
  return createRejectionView(
    describeForPerson(problem, context),
    home,
    TEMPORARY_STATUSES.includes(problem.status) ? `${pathname}${search}` : undefined,
    post,
  );
}

/** Percent-encodes what a header cannot contain: a path parameter may contain any character. */
const toAsciiUrl = (url: string): string =>
  url.toWellFormed().replace(/[^!-~]+/g, encodeURIComponent);

/** Redirects after a form submission, so that a reload does not submit the form again. */
export const createSeeOtherResponse = (
  location: string,
  headers: Readonly<Record<string, string>> = {},
) =>
  new Response(null, {
    status: 303,
    headers: {
      location: toAsciiUrl(location),
      'content-length': '0',
      'cache-control': 'no-store',
      ...headers,
    },
  });

/** The endpoint for a page: checks the rate limit, reads the POST, and renders the view. */
export function createPageEndpoint(
  page: Page,
  { context, checkRateLimit, render, toProblem }: Dependencies,
): Endpoint {
  const { base } = context.site;

  async function reject(
    problem: Problem,
    exchange: Exchange,
    post: PagePost | undefined,
    allowance: Allowance,
  ): Promise<Response> {
    if (isProgramRequest(exchange.request))
      return createProblemResponse(problem, base, allowance.headers);
    const rejectionView =
      exchange.request.method === 'POST' || problem.code === 'unauthorized'
        ? await page
            .showRejection?.(exchange, describeForPerson(problem, context), post)
            .catch((thrown: unknown) => {
              toProblem(thrown);
              return undefined;
            })
        : undefined;
    const view =
      rejectionView ?? createErrorView(problem, exchange.request, context, page.home, post);
    return new Response(await render(view), {
      status: problem.status,
      headers: { ...createPageHeaders(problem), ...allowance.headers },
    });
  }

  async function respond(shown: PageAnswer, allowance: Allowance): Promise<Response> {
    if (shown instanceof Response) return shown;
    const { view, cookies } = 'cookies' in shown ? shown : { view: shown, cookies: [] };
    const response = new Response(await render(view), {
      headers: { ...createPageHeaders(), ...allowance.headers },
    });
    if (page.isIndexable?.(view)) response.headers.delete('x-robots-tag');
    for (const cookie of cookies) response.headers.append('set-cookie', cookie);
    return response;
  }

  return async (exchange) => {
    const { request, address } = exchange;
    const submit = request.method === 'POST' ? page.submit : undefined;
    const allowance = await checkRateLimit(
      { address },
      submit ? (page.rateLimit ?? 'writes') : 'reads',
    );
    let post: PagePost | undefined;
    try {
      if (submit) {
        // The form is read before it is rejected, so that a person over the rate limit keeps the
        // entered values.
        if (allowance.rejection && !page.showRejection) throw allowance.rejection;
        post = await readPagePost(request);
        if (allowance.rejection) throw allowance.rejection;
        return await respond(await submit(exchange, post), allowance);
      }
      if (allowance.rejection) throw allowance.rejection;
      return await respond(await page.show(exchange), allowance);
    } catch (thrown) {
      return reject(toProblem(allowance.rejection ?? thrown), exchange, post, allowance);
    }
  };
}
