import { isObject } from '../site/json-object.ts';
import {
  type AuthInfo,
  INVALID_REQUEST,
  isJsonContentType,
  type JSONRPCRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServerFactory,
  PARSE_ERROR,
  preloadSchemas,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { ActiveKey } from '../operation/operation.ts';
import { Problem } from '../operation/problem.ts';
import { checkNumbers, detectBodyKind, parseJsonWithAnyNumber, readBytes } from '../http/body.ts';
import { toProblemData } from '../http/problem-data.ts';
import type { Client, RequestKind } from '../http/rate-limit.ts';
import { rememberCaller } from './caller.ts';
import { type Exchange, createExchangeHandler } from './protocol-versions.ts';
import { createFaultResult, createRpcErrorResponse, SERVER_ERROR } from './fault.ts';
import { ResultCache } from './result-cache.ts';
import type { ToolCall } from './tool.ts';

const MAX_BODY_BYTES = 300 * 1024;

const ALLOWED_METHODS = 'POST, OPTIONS';

/** Request headers that a page from an allowed origin may send. */
const PREFLIGHT_HEADERS = {
  allow: ALLOWED_METHODS,
  'access-control-allow-methods': ALLOWED_METHODS,
  'access-control-allow-headers':
    'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name',
  'access-control-max-age': '86400',
};
/** Response headers that a page from an allowed origin may read. */
const EXPOSED_HEADERS = 'www-authenticate, retry-after, ratelimit, ratelimit-policy';

export interface McpEndpointOptions {
  /** The service's origin, without a trailing slash; requests must name its host. */
  base: string;
  factory: McpServerFactory;
  /**
   * Whether the response depends only on the request and the registry, so that it can be cached.
   */
  isReadOnly?: (message: JSONRPCRequest) => boolean;
  /** Whether a message can write data. */
  isWrite?: (message: unknown) => boolean;
  /** Replaces the SDK's response to a subscription; returns every other response unchanged. */
  respondToSubscription?: (
    message: unknown,
    answer: Response,
    call: ToolCall & { signal: AbortSignal },
  ) => Promise<Response>;
  /**
   * Authenticates the caller; `clientId` is used for rate limits. Absent on an open endpoint, which
   * never responds with 401. @throws {Problem} unauthorized
   */
  authenticate?: (request: Request) => Promise<AuthInfo>;
  /** The valid key sent to an open endpoint, for rate limits and budgets. */
  findKey?: (request: Request) => Promise<ActiveKey | undefined>;
  /** Converts a thrown value to the problem to return. */
  toProblem: (thrown: unknown) => Problem;
  /** Maximum body size in bytes; 300 KiB by default. */
  maxBodyBytes?: number;
  onerror: (error: Error) => void;
}

/** Streamable HTTP, stateless, with JSON responses; all protocol revisions at one URL. */
export type McpEndpointHandler = (request: Request, client: Client) => Promise<Response>;

/**
 * Rejects requests that another site makes a browser send: those for another host (DNS rebinding)
 * and, on an endpoint that requires a key, those from a page on another origin. Agents in pages of
 * any origin may use an open endpoint.
 */
function rejectForeignRequest(
  request: Request,
  hostname: string,
  isOpen: boolean,
): Response | undefined {
  if (
    !validateHostHeader(request.headers.get('host'), [hostname, ...localhostAllowedHostnames()]).ok
  )
    return createRpcErrorResponse(403, INVALID_REQUEST, 'The Host header does not name this site');
  if (
    !isOpen &&
    !validateOriginHeader(request.headers.get('origin'), [hostname, ...localhostAllowedOrigins()])
      .ok
  )
    return createRpcErrorResponse(
      403,
      INVALID_REQUEST,
      'Pages from this origin may not call this endpoint',
    );
  return undefined;
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

const REQUEST_MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params']);

const isRequestId = (id: unknown): id is JSONRPCRequest['id'] =>
  typeof id === 'string' || Number.isSafeInteger(id);

/** Whether a message is a valid request; its params are not checked. */
const isRequest = (message: unknown): message is JSONRPCRequest => {
  if (!isObject(message)) return false;
  const { jsonrpc, method, id, params } = message;
  for (const member in message) if (!REQUEST_MEMBERS.has(member)) return false;
  return (
    jsonrpc === '2.0' &&
    typeof method === 'string' &&
    isRequestId(id) &&
    (params === undefined || (typeof params === 'object' && params !== null))
  );
};

/** Parses the message in a body, or returns a JSON-RPC error. @throws {Problem} too_large */
async function readMessage(
  request: Request,
  maxBytes: number,
): Promise<{ message: unknown } | Response> {
  const bytes = await readBytes(request, maxBytes);
  let message: unknown;
  try {
    message = parseJsonWithAnyNumber(bytes);
    if (Array.isArray(message))
      return createRpcErrorResponse(
        400,
        INVALID_REQUEST,
        'Batches are not supported. Send one message per request',
      );
    checkNumbers(message);
    return { message };
  } catch (thrown) {
    const id = isObject(message) && isRequestId(message['id']) ? message['id'] : null;
    return createRpcErrorResponse(400, PARSE_ERROR, (thrown as Problem).message, id);
  }
}

const createProblemResponse = (problem: Problem, base: string) =>
  Response.json(problem.details(base), {
    status: problem.status,
    headers: { ...problem.headers, 'content-type': 'application/problem+json' },
  });

/**
 * Rejects a request before the SDK sees it, in a form that official clients show to a model: a
 * result for a tool call, an error for any other request. The status is 200 because the clients
 * throw a transport error for any other status.
 */
function createRejectionResponse(
  { id, method }: JSONRPCRequest,
  problem: Problem,
  base: string,
): Response {
  const answer =
    method === 'tools/call'
      ? { result: { ...createFaultResult(problem, base), resultType: 'complete' } }
      : {
          error: {
            code: SERVER_ERROR,
            message: problem.message,
            data: toProblemData(problem, base),
          },
        };
  return Response.json({ jsonrpc: '2.0', id, ...answer }, { headers: problem.headers });
}

/** Serves requests whose responses depend only on the request, most of them from a cache. */
function withResultCache(
  serve: (exchange: Exchange) => Promise<Response>,
): (exchange: Exchange, message: JSONRPCRequest) => Promise<Response> {
  const cache = new ResultCache();
  return async (exchange, message) => {
    const key = cache.keyOf(exchange.request, message);
    const body = key && cache.find(key, message.id);
    if (body) return new Response(body, { headers: { 'content-type': 'application/json' } });
    const response = await serve(exchange);
    if (
      !key ||
      response.status !== 200 ||
      !isJsonContentType(response.headers.get('content-type')) ||
      !cache.shouldCache(key)
    )
      return response;
    const text = await response.text();
    cache.store(key, text, message.id);
    return new Response(text, response);
  };
}

/** A wrong key counts against the address, so that keys cannot be guessed quickly. */
async function callerOf(
  request: Request,
  { address, checkRateLimit }: Client,
  authenticate: McpEndpointOptions['authenticate'],
): Promise<AuthInfo | undefined> {
  try {
    return await authenticate?.(request);
  } catch (thrown) {
    throw (await checkRateLimit({ address }, 'reads')).rejection ?? thrown;
  }
}

/**
 * Creates an MCP endpoint. It checks every request before the SDK sees it, in this order: Host and
 * Origin, method, media type, caller, size, JSON, batches, rate.
 */
export function createMcpEndpoint({
  base,
  factory,
  isReadOnly,
  isWrite,
  respondToSubscription = async (_, answer) => answer,
  authenticate,
  findKey,
  toProblem,
  maxBodyBytes = MAX_BODY_BYTES,
  onerror,
}: McpEndpointOptions): McpEndpointHandler {
  preloadSchemas();
  const { hostname } = new URL(base);
  const serve = createExchangeHandler(factory, onerror);
  const serveWithCache = withResultCache(serve);

  async function answer(request: Request, client: Client): Promise<Response> {
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: PREFLIGHT_HEADERS });
    if (request.method !== 'POST')
      throw new Problem(
        'method_not_allowed',
        'This endpoint accepts only POST, with one JSON-RPC message per request.',
        { headers: { allow: ALLOWED_METHODS } },
      );
    detectBodyKind(request.headers, false);
    const authInfo = await callerOf(request, client, authenticate);
    const key = await findKey?.(request);
    const count = async (kind: RequestKind) => {
      const { headers, rejection } = await client.checkRateLimit(
        { address: client.address, keyId: authInfo?.clientId ?? key?.id },
        kind,
      );
      if (rejection) throw rejection;
      return headers;
    };
    // A request without a valid message counts as a read, because only its message shows whether it
    // writes.
    const read = await readMessage(request, maxBodyBytes).catch(async (rejected: unknown) => {
      await count('reads');
      throw rejected;
    });
    if (read instanceof Response) return withHeaders(read, await count('reads'));
    const { message } = read;

    let headers: Readonly<Record<string, string>>;
    try {
      headers = await count(isWrite?.(message) ? 'writes' : 'reads');
    } catch (thrown) {
      if (!isRequest(message)) throw thrown;
      return createRejectionResponse(message, toProblem(thrown), base);
    }
    rememberCaller(request, { address: client.address, ...(key && { key }) });
    const exchange: Exchange = { request, message, ...(authInfo && { authInfo }) };
    const response =
      isRequest(message) && isReadOnly?.(message)
        ? await serveWithCache(exchange, message)
        : await serve(exchange);
    const call = {
      address: client.address,
      signal: request.signal,
      ...(authInfo && { authInfo }),
    };
    return withHeaders(await respondToSubscription(message, response, call), headers);
  }

  return async (request, client) => {
    const rejection = rejectForeignRequest(request, hostname, !authenticate);
    if (rejection) return rejection;
    const response = await answer(request, client).catch((thrown: unknown) =>
      createProblemResponse(toProblem(thrown), base),
    );
    const origin = authenticate ? request.headers.get('origin') : '*';
    if (authenticate) response.headers.set('vary', 'origin');
    if (origin)
      withHeaders(response, {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': EXPOSED_HEADERS,
      });
    return response;
  };
}
