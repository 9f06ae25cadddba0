import { Hono } from 'hono';
import type { Context } from '../operation/context.ts';
import type { Operation } from '../operation/operation.ts';
import { createOperationEndpoint } from './answer-operation.ts';
import { createAnswerPage } from './pages/answer.ts';
import { compress } from './compress.ts';
import { resolveShareLink } from '../links/resolve-share-link.ts';
import type { Endpoint, Dependencies } from './exchange.ts';
import { toProblem } from './faults.ts';
import type { Problem } from '../operation/problem.ts';
import { createFindPage } from './pages/find.ts';
import { createFreeDaysPage } from './pages/free-days.ts';
import { FormKeyStore } from './form-keys.ts';
import { createInboxPage } from './pages/inbox.ts';
import { createInboxLeadPage } from './pages/inbox-lead.ts';
import { createErasedPage, createNotMePage, ERASED_PATH } from './pages/not-me.ts';
import { listOperations } from './operations.ts';
import { redirectToLowerCase } from './lower-case-path.ts';
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
  fault?: Problem | undefined;
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

/** The endpoints of a path by method; HEAD has the response to GET, without its body. */
type EndpointsByMethod = Readonly<Record<string, Endpoint>>;

function createRouter(app: App, dependencies: Dependencies) {
  const { site } = dependencies.context;
  const addresses = listEndpointAddresses(site);

  /**
   * Adds the endpoint of a path for every method. `{name}` matches one segment, `{...name}` one or
   * more. One handler for each path lets Hono call it directly, without a chain of middleware.
   */
  function addEndpoint(path: string, endpoint: Endpoint): void {
    const pattern = path.replace(/\{\.{3}(\w+)\}/, ':$1{.+}').replace(/\{(\w+)\}/g, ':$1');
    const loggedRoute = path.replace(/\{([\w.]+)\}/g, '[$1]');
    app.all(pattern, async ({ env: { fault, onRoute, address = LOOPBACK_ADDRESS }, req }) => {
      if (fault) throw fault;
      onRoute?.(loggedRoute);
      return compress(await endpoint({ request: req.raw, params: req.param(), address }), req.raw);
    });
  }

  /** Adds the endpoints of a path by method, and rejects all other methods; `allow` lists them. */
  function addPath(path: string, endpoints: EndpointsByMethod, allow: string): void {
    const endpointOf = new Map(Object.entries(endpoints));
    addEndpoint(path, (exchange) => {
      const { method, url } = exchange.request;
      const endpoint = endpointOf.get(method === 'HEAD' ? 'GET' : method);
      if (endpoint) return endpoint(exchange);
      const address = { method, path: new URL(url).pathname };
      // A parameter also matches a misspelled name: /api/lead/acton is not a receipt.
      if (path.includes('{') && suggestEndpoint(address, addresses))
        throw createUnknownAddressProblem(address, site);
      throw createMethodNotAllowedProblem(allow, suggestNestedEndpoints(address, addresses, path));
    });
  }

  /** The parts of the paths of pages, for addresses in capitals. */
  const pagePatterns: string[][] = [];

  function addPage(path: string, page: Page): void {
    pagePatterns.push(path.split('/'));
    const endpoint = createPageEndpoint(page, dependencies);
    const show: Endpoint = (exchange) =>
      redirectToLowerCase(exchange.request, pagePatterns) ?? endpoint(exchange);
    if (page.submit) addPath(path, { GET: show, POST: endpoint }, 'GET, HEAD, POST');
    else addPath(path, { GET: show }, 'GET, HEAD');
  }

  /** Adds operations, their preflight responses, and redirects to their forms. */
  function addOperations(list: readonly Operation[]): void {
    for (const [path, group] of groupByPath(list)) {
      const methods = group.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method));
      const allow = [...methods, 'OPTIONS'].join(', ');
      const form = group.find((operation) => operation.form)?.form;
      // After a form is rejected, the address bar shows this URL, and people may reload the page.
      const showForm: Endpoint = ({ request, params }) => {
        if (!form || !acceptsHtml(request)) throw createMethodNotAllowedProblem(allow);
        const { searchParams: query } = new URL(request.url);
        return createSeeOtherResponse(form.pageAt({ params, query }, site));
      };
      addPath(
        path,
        {
          ...(form && { GET: showForm }),
          ...Object.fromEntries(
            group.map((operation) => [
              operation.method,
              createOperationEndpoint(operation, dependencies),
            ]),
          ),
          OPTIONS: () => createPreflightResponse(allow),
        },
        allow,
      );
    }
  }

  return { addEndpoint, addPath, addOperations, addPage, pagePatterns };
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

  const { addEndpoint, addPath, addOperations, addPage, pagePatterns } = createRouter(
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

  const health: Endpoint = async () =>
    Response.json(await checkHealth(), { headers: { 'cache-control': 'no-store' } });
  addPath('/healthz', { GET: health }, 'GET, HEAD');

  addOperations(listOperations(site));
  pagePatterns.push(resolveShareLink.path.split('/'));

  addPath('/api/v1/tasks/{id}/callback', { POST: handleJobReport(dependencies) }, 'POST');

  for (const { path } of MCP_ENDPOINTS) addEndpoint(path, createMcpEndpoint(path));
  addEndpoint('/a2a/v1', a2a);
  addEndpoint('/a2a/v1/{...call}', a2a);

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

  /** Phones capitalize the first letter of an address. */
  function respondToUnknownPath(path: string, request: Request, env: RequestInfo) {
    const isApiPath = path === '/api' || path.startsWith('/api/');
    if (isApiPath) env.onRoute?.('/api/[...rest]');
    const redirect = redirectToLowerCase(request, pagePatterns);
    if (redirect) return redirect;
    return isApiPath ||
      isProgramRequest(request) ||
      (isMachineReadablePath(path) && !prefersPage(request))
      ? createProblemResponse(
          createUnknownAddressProblem({ method: request.method, path }, site),
          site.base,
        )
      : respondToUnknownPage(request);
  }

  app.notFound(async ({ env, req: { path, raw } }) => {
    if (env.fault) throw env.fault;
    return compress(await respondToUnknownPath(path, raw, env), raw);
  });
  app.onError(async (thrown, { env: { fault }, req: { raw } }) =>
    compress(await respondToFault(thrown, raw, fault && respondToUnknownPage), raw),
  );
  return app;
}
