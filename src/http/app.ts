import { Hono } from 'hono';
import { createAnswerPage } from './pages/answer.ts';
import { compress } from './compress.ts';
import type { Endpoint, Dependencies } from './exchange.ts';
import { toProblem } from './faults.ts';
import { createFindPage } from './pages/find.ts';
import { createFreeDaysPage } from './pages/free-days.ts';
import { FormKeyStore } from './form-keys.ts';
import { createInboxPage } from './pages/inbox.ts';
import { createInboxLeadPage } from './pages/inbox-lead.ts';
import { createErasedPage, createNotMePage, ERASED_PATH } from './pages/not-me.ts';
import { listOperations } from './operations.ts';
import { loadOnce } from './load-once.ts';
import { type App, createRouter, type RequestInfo } from './router.ts';
import { MCP_ENDPOINTS } from '../site/developer/mcp-endpoints.ts';
import { acceptsMarkdown } from './negotiate.ts';
import {
  acceptsHtml,
  createErrorView,
  createPageHeaders,
  isForPerson,
  isProgramRequest,
} from './pages/page.ts';
import {
  findRelativePathHint,
  createProblemResponse,
  createUnknownAddressProblem,
} from './problem-response.ts';
import { handleJobReport } from './job-report.ts';
import {
  createDraftPage,
  createErasePage,
  createReceiptPage,
  createWithdrawPage,
} from './pages/receipt.ts';
import { createReceiptCalendarPage } from './pages/receipt-calendar.ts';
import { createStorefrontPage } from './pages/storefront.ts';

export interface AppOptions extends Pick<Dependencies, 'context' | 'checkRateLimit' | 'render'> {
  /** Checks the health of the service. @throws {Problem} unavailable */
  checkHealth: () => Promise<object>;
  /** Returns the response to an unknown URL outside /api. */
  respondToUnknownPage: (request: Request) => Response | Promise<Response>;
}

/** Whether a path is one that only software would request. */
const isMachineReadablePath = (path: string): boolean =>
  /^\/\.well-known\/|\.(?:json|md|txt|xml)$/.test(path) || findRelativePathHint(path) !== undefined;

/** Whether the Accept header names HTML or Markdown; a wildcard does not count. */
const prefersPage = (request: Request): boolean =>
  acceptsHtml(request) || acceptsMarkdown(request.headers.get('accept') ?? '');

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

  const { addEndpoint, addPath, addOperations, addPage, redirectCapitals } = createRouter(
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
   * Sends people an error page, and programs a problem; `findPage` returns the page for a URL that
   * cannot be parsed.
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

  function respondToUnknownPath(path: string, request: Request, env: RequestInfo) {
    const isApiPath = path === '/api' || path.startsWith('/api/');
    if (isApiPath) env.onRoute?.('/api/[...rest]');
    const redirect = redirectCapitals(request);
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
