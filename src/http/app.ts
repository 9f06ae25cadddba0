import { Hono } from 'hono';
import type { Context } from '../operation/context.ts';
import type { Operation } from '../operation/operation.ts';
import { createOperationEndpoint } from './answer-operation.ts';
import { createAnswerPage } from './pages/answer.ts';
import { compress } from './compress.ts';
import { resolveShareLink } from '../links/resolve-share-link.ts';
import type { Endpoint, Dependencies } from './exchange.ts';
import { toProblem } from './faults.ts';
import { createFindPage } from './pages/find.ts';
import { createFreeDaysPage } from './pages/free-days.ts';
import { FormKeyStore } from './form-keys.ts';
import { createInboxPage } from './pages/inbox.ts';
import { createInboxLeadPage } from './pages/inbox-lead.ts';
import { createErasedPage, createNotMePage, ERASED_PATH } from './pages/not-me.ts';
import { listOperations } from './operations.ts';
import { findLowerCasePath } from './lower-case-path.ts';
import { loadOnce } from './load-once.ts';
import {
  listEndpointAddresses,
  suggestEndpoint,
  suggestNestedEndpoints,
} from './nearest-endpoint.ts';
import { createPreflightResponse } from './origin.ts';
import { MCP_ENDPOINTS } from '../site/developer/mcp-endpoints.ts';
import { acceptsMarkdown } from './negotiate.ts';
import {
  acceptsHtml,
  type Page,
  createErrorView,
  createPageEndpoint,
  createPageHeaders,
  createSeeOtherResponse,
  isForPerson,
  isProgramRequest,
} from './pages/page.ts';
import {
  findRelativePathHint,
  createMethodNotAllowedProblem,
  createProblemResponse,
  createUnknownAddressProblem,
} from './problem-response.ts';
import { handleJobReport } from './job-report.ts';
import type { CheckRateLimit } from './rate-limit.ts';
import {
  createDraftPage,
  createErasePage,
  createReceiptPage,
  createWithdrawPage,
} from './pages/receipt.ts';
import { createReceiptCalendarPage } from './pages/receipt-calendar.ts';
import { createStorefrontPage } from './pages/storefront.ts';
import type { RenderView } from './views.ts';

export interface AppOptions {
  context: Context;
  checkRateLimit: CheckRateLimit;
  render: RenderView;
  /** Checks the health of the service. @throws {Problem} unavailable */
  checkHealth: () => Promise<object>;
  /** Responds to unknown URLs outside /api. */
  respondToUnknownPage: (request: Request) => Response | Promise<Response>;
}

/** Request data from the server; optional for tests. */
export interface RequestInfo {
  /** Client address, with trusted proxies taken into account. */
  address?: string;
  /** Why the server rejects the request, if it does; the app sends the response. */
  fault?: unknown;
  /** Called with the pattern of the matching route, for the log. */
  onRoute?: (pattern: string) => void;
}

export type App = Hono<{ Bindings: RequestInfo }>;

const LOOPBACK_ADDRESS = '127.0.0.1';

/** Whether only software would request a path. */
const isMachineReadablePath = (path: string): boolean =>
  /^\/\.well-known\/|\.(?:json|md|txt|xml)$/.test(path) || findRelativePathHint(path) !== undefined;

/** Whether the Accept header names HTML or Markdown; a wildcard does not count. */
const prefersPage = (request: Request): boolean =>
  acceptsHtml(request) || acceptsMarkdown(request.headers.get('accept') ?? '');

/** Operations by path, those without parameters first: literal segments take precedence. */
const groupByPath = (list: readonly Operation[]): [path: string, group: Operation[]][] =>
  [...Map.groupBy(list, ({ path }) => path)].sort(
    ([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')),
  );

function createRouter(app: App, dependencies: Dependencies) {
  const endpoints = listEndpointAddresses(dependencies.context.site);

  /**
   * Adds an endpoint for some or all methods of a path. `{name}` matches one segment, `{...name}`
   * one or more.
   */
  function addRoute(path: string, methods: readonly string[] | 'all', endpoint: Endpoint): void {
    const pattern = path.replace(/\{\.{3}(\w+)\}/, ':$1{.+}').replace(/\{(\w+)\}/g, ':$1');
    const loggedRoute = path.replace(/\{([\w.]+)\}/g, '[$1]');
    app.on(methods === 'all' ? ['ALL'] : [...methods], pattern, (c) => {
      c.env.onRoute?.(loggedRoute);
      const { address = LOOPBACK_ADDRESS } = c.env;
      return endpoint({ request: c.req.raw, params: c.req.param(), address });
    });
  }

  /** Rejects all other methods of a path. Must be added after the endpoints. */
  function rejectOtherMethods(path: string, allow: string): void {
    addRoute(path, 'all', ({ request: { method, url } }) => {
      const request = { method, path: new URL(url).pathname };
      // A parameter also matches a misspelled name: /api/lead/acton is not a receipt.
      if (path.includes('{') && suggestEndpoint(request, endpoints))
        throw createUnknownAddressProblem(request, dependencies.context.site);
      throw createMethodNotAllowedProblem(allow, suggestNestedEndpoints(request, endpoints, path));
    });
  }

  /** The parts of the paths of pages, for addresses in capitals. */
  const pagePatterns: string[][] = [];

  function addPage(path: string, page: Page): void {
    pagePatterns.push(path.split('/'));
    addRoute(path, page.submit ? ['GET', 'POST'] : ['GET'], createPageEndpoint(page, dependencies));
    rejectOtherMethods(path, page.submit ? 'GET, HEAD, POST' : 'GET, HEAD');
  }

  /** Adds operations, their preflight responses, and redirects to their forms. */
  function addOperations(list: readonly Operation[]): void {
    for (const [path, group] of groupByPath(list)) {
      const methods = group.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method));
      const allow = [...methods, 'OPTIONS'].join(', ');
      for (const operation of group)
        addRoute(path, [operation.method], createOperationEndpoint(operation, dependencies));
      addRoute(path, ['OPTIONS'], () => createPreflightResponse(allow));
      const form = group.find((operation) => operation.form)?.form;
      // After a form is rejected, the address bar shows this URL, and people may reload the page.
      if (form)
        addRoute(path, ['GET'], ({ request, params }) => {
          if (!acceptsHtml(request)) throw createMethodNotAllowedProblem(allow);
          const { searchParams: query } = new URL(request.url);
          return createSeeOtherResponse(form.pageAt({ params, query }, dependencies.context.site));
        });
      rejectOtherMethods(path, allow);
    }
  }

  return { addRoute, rejectOtherMethods, addOperations, addPage, pagePatterns };
}

/**
 * Creates the app with every dynamic route of the service. Documents and prerendered pages are
 * served before it (src/server/memory-tier.ts).
 */
export function createApp({
  context,
  checkRateLimit,
  render,
  checkHealth,
  respondToUnknownPage,
}: AppOptions): App {
  const { site } = context;
  const dependencies: Dependencies = {
    context,
    checkRateLimit,
    render,
    formKeys: new FormKeyStore(),
    toProblem: (thrown) => toProblem(thrown, context),
  };
  const app: App = new Hono<{ Bindings: RequestInfo }>({ strict: false });

  const { addRoute, rejectOtherMethods, addOperations, addPage, pagePatterns } = createRouter(
    app,
    dependencies,
  );

  /** An MCP server. It is loaded on the first request, because loading would slow down startup. */
  function createMcpEndpoint(path: string): Endpoint {
    const handler = loadOnce(async () =>
      (await import('../mcp/index.ts')).createMcpHandler(path, dependencies),
    );
    return async ({ request, address }) => (await handler())(request, { address, checkRateLimit });
  }

  const a2aHandler = loadOnce(async () =>
    (await import('../a2a/endpoint.ts')).createA2aEndpoint(dependencies),
  );
  /** A2A: JSON-RPC at the path itself, HTTP+JSON under it. Also loaded on the first request. */
  const a2a: Endpoint = async ({ request, params: { call }, address }) =>
    (await a2aHandler())(request, call ? `/${call}` : '', { address, checkRateLimit });

  /**
   * Answers a person with a page; `findPage` returns the page for an address that cannot be read.
   */
  async function respondToFault(
    thrown: unknown,
    request: Request,
    findPage?: AppOptions['respondToUnknownPage'],
  ): Promise<Response> {
    const problem = dependencies.toProblem(thrown);
    if (!isForPerson(request)) return createProblemResponse(problem, site.base);
    const { status } = problem;
    if (findPage && (status === 400 || status === 404)) {
      const { body, headers } = await findPage(request);
      return new Response(body, { status, headers });
    }
    return new Response(await render(createErrorView(problem, request, context)), {
      status,
      headers: { ...createPageHeaders(problem), ...problem.headers },
    });
  }

  app.use(compress);
  app.use(({ env: { fault }, req }, next) =>
    fault === undefined ? next() : respondToFault(fault, req.raw, respondToUnknownPage),
  );

  // Phones capitalize the first letter of an address. The memory tier redirects prerendered pages.
  app.use(({ req: { raw, method, path } }, next) => {
    const lowerCasePath =
      method === 'GET' || method === 'HEAD' ? findLowerCasePath(path, pagePatterns) : undefined;
    if (lowerCasePath === undefined) return next();
    const { search } = new URL(raw.url);
    return Promise.resolve(
      new Response(null, { status: 308, headers: { location: `${lowerCasePath}${search}` } }),
    );
  });

  addRoute('/healthz', ['GET'], async () =>
    Response.json(await checkHealth(), { headers: { 'cache-control': 'no-store' } }),
  );
  rejectOtherMethods('/healthz', 'GET, HEAD');

  addOperations(listOperations(site));
  pagePatterns.push(resolveShareLink.path.split('/'));

  addRoute('/api/v1/tasks/{id}/callback', ['POST'], handleJobReport(dependencies));
  rejectOtherMethods('/api/v1/tasks/{id}/callback', 'POST');

  for (const { path } of MCP_ENDPOINTS) addRoute(path, 'all', createMcpEndpoint(path));
  addRoute('/a2a/v1', 'all', a2a);
  addRoute('/a2a/v1/{...call}', 'all', a2a);

  addPage('/find', createFindPage(context));
  addPage(ERASED_PATH, createErasedPage());
  addPage('/receipt/{token}', createReceiptPage(context));
  addPage('/receipt/{token}/calendar', createReceiptCalendarPage(context));
  addPage('/receipt/{token}/draft', createDraftPage(context));
  addPage('/receipt/{token}/withdraw', createWithdrawPage(context));
  addPage('/receipt/{token}/erase', createErasePage(context));
  addPage('/receipt/{token}/not-me', createNotMePage(context));
  addPage('/answer/{token}', createAnswerPage(context));
  addPage('/biz/{slug}', createStorefrontPage(context));
  addPage('/free-days/{subsite}/{item}', createFreeDaysPage(context));
  addPage('/inbox', createInboxPage(context));
  addPage('/inbox/{reference}', createInboxLeadPage(context));

  app.notFound((c) => {
    const { path, raw, method } = c.req;
    const isApiPath = path === '/api' || path.startsWith('/api/');
    if (isApiPath) c.env.onRoute?.('/api/[...rest]');
    return isApiPath || isProgramRequest(raw) || (isMachineReadablePath(path) && !prefersPage(raw))
      ? createProblemResponse(createUnknownAddressProblem({ method, path }, site), site.base)
      : respondToUnknownPage(raw);
  });
  app.onError((thrown, { req }) => respondToFault(thrown, req.raw));
  return app;
}
