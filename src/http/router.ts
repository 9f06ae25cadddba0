import type { Hono } from 'hono';
import type { Operation } from '../operation/operation.ts';
import type { Problem } from '../operation/problem.ts';
import { createOperationEndpoint } from './answer-operation.ts';
import { compress } from './compress.ts';
import type { Dependencies, Endpoint } from './exchange.ts';
import { redirectToLowerCase } from './lower-case-path.ts';
import {
  listEndpointAddresses,
  suggestEndpoint,
  suggestNestedEndpoints,
} from './nearest-endpoint.ts';
import { createPreflightResponse } from './origin.ts';
import {
  acceptsHtml,
  type Page,
  createPageEndpoint,
  createSeeOtherResponse,
} from './pages/page.ts';
import { createMethodNotAllowedProblem, createUnknownAddressProblem } from './problem-response.ts';

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

/**
 * Operations by path, with paths without parameters first, because literal segments take
 * precedence.
 */
const groupByPath = (list: readonly Operation[]): [path: string, group: Operation[]][] =>
  [...Map.groupBy(list, ({ path }) => path)].sort(
    ([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')),
  );

/** The endpoints of a path by method; HEAD has the response to GET, without its body. */
type EndpointsByMethod = Readonly<Record<string, Endpoint>>;

/** Adds routes to the app: endpoints, paths with methods, operations and pages. */
export function createRouter(app: App, dependencies: Dependencies) {
  const { site } = dependencies.context;
  const addresses = listEndpointAddresses(site);

  /**
   * Adds an endpoint for one method of a path, or for all. `{name}` matches one segment, `{...name}`
   * one or more.
   */
  function addEndpoint(path: string, endpoint: Endpoint, method = 'ALL'): void {
    const pattern = path.replace(/\{\.{3}(\w+)\}/, ':$1{.+}').replace(/\{(\w+)\}/g, ':$1');
    const loggedRoute = path.replace(/\{([\w.]+)\}/g, '[$1]');
    app.on(
      method,
      pattern,
      async ({ env: { fault, onRoute, address = LOOPBACK_ADDRESS }, req }) => {
        if (fault) throw fault;
        onRoute?.(loggedRoute);
        return compress(
          await endpoint({ request: req.raw, params: req.param(), address }),
          req.raw,
        );
      },
    );
  }

  /** Adds the endpoints of a path by method, and rejects all other methods; `allow` lists them. */
  function addPath(path: string, endpoints: EndpointsByMethod, allow: string): void {
    for (const [method, endpoint] of Object.entries(endpoints)) addEndpoint(path, endpoint, method);
    addEndpoint(path, ({ request: { method, url } }) => {
      const address = { method, path: new URL(url).pathname };
      // A parameter also matches a misspelled segment: “acton” in /api/lead/acton is not a receipt
      // token.
      if (path.includes('{') && suggestEndpoint(address, addresses))
        throw createUnknownAddressProblem(address, site);
      throw createMethodNotAllowedProblem(allow, suggestNestedEndpoints(address, addresses, path));
    });
  }

  /** The paths that people open, split at slashes. */
  const pagePatterns: string[][] = [];
  /** Redirects to the lowercase path, because phones capitalize the first letter of an address. */
  const redirectCapitals = (request: Request) => redirectToLowerCase(request, pagePatterns);

  function addPage(path: string, page: Page): void {
    pagePatterns.push(path.split('/'));
    const endpoint = createPageEndpoint(page, dependencies);
    const show: Endpoint = (exchange) => redirectCapitals(exchange.request) ?? endpoint(exchange);
    if (page.submit) addPath(path, { GET: show, POST: endpoint }, 'GET, HEAD, POST');
    else addPath(path, { GET: show }, 'GET, HEAD');
  }

  /** Adds operations, their preflight responses, and redirects to their forms. */
  function addOperations(list: readonly Operation[]): void {
    for (const [path, group] of groupByPath(list)) {
      if (!path.startsWith('/api/')) pagePatterns.push(path.split('/'));
      const methods = group.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method));
      const allow = [...methods, 'OPTIONS'].join(', ');
      const form = group.find((operation) => operation.form)?.form;
      // After a form is rejected, the address bar shows the action URL, and people may reload the
      // page.
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

  return { addEndpoint, addPath, addOperations, addPage, redirectCapitals };
}
