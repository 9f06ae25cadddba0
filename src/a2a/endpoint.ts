import { A2AError } from '@a2a-js/sdk/errors';
import { Problem } from '../operation/problem.ts';
import { findKey } from '../http/bearer.ts';
import { readCallbackKey } from '../keys/authenticate-key.ts';
import {
  checkNumbers,
  MAX_BODY_BYTES,
  detectBodyKind,
  parseJsonWithAnyNumber,
  readBytes,
} from '../http/body.ts';
import type { Dependencies } from '../http/exchange.ts';
import { corsHeaders, createPreflightResponse } from '../http/origin.ts';
import type { Allowance, Client, RequestKind } from '../http/rate-limit.ts';
import { type Caller, checkVersion, kindOfMessage } from './binding.ts';
import {
  createRestErrorResponse,
  createRestProblemResponse,
  createRpcProblemResponse,
} from './faults.ts';
import { kindOfRpcRequest, createRpcBinding, toRpcErrorResponse, rpcIdOf } from './json-rpc.ts';
import { A2aRequestHandler } from './request-handler.ts';
import { createRestBinding } from './rest.ts';

/**
 * A web-standard A2A endpoint. `path` is the rest of the URL path: empty for JSON-RPC, otherwise
 * HTTP+JSON. Never rejects.
 */
export type A2aEndpoint = (request: Request, path: string, client: Client) => Promise<Response>;

const ALLOWED_METHODS = 'GET, HEAD, POST, DELETE, OPTIONS';

/**
 * The JSON body, whose numbers are not checked yet; undefined if it is empty, for example when a
 * task is canceled. @throws {Problem} too_large, unsupported_media_type, malformed_body
 */
async function readBody(request: Request): Promise<unknown> {
  const bytes = await readBytes(request, MAX_BODY_BYTES);
  if (!bytes.length) return undefined;
  detectBodyKind(request.headers, false);
  return parseJsonWithAnyNumber(bytes);
}

function kindOfRestRequest(method: string, path: string, body: unknown): RequestKind {
  if (path === '/message:send' || path === '/message:stream') return kindOfMessage(body);
  return method === 'GET' || path.endsWith(':subscribe') ? 'reads' : 'writes';
}

/** A2A 1.0 as JSON-RPC and HTTP+JSON, and the 0.3 method names, at one URL. */
export function createA2aEndpoint({
  context,
  toProblem,
}: Pick<Dependencies, 'context' | 'toProblem'>): A2aEndpoint {
  const { base } = context.site;
  const handler = new A2aRequestHandler(context, toProblem);
  const rpc = createRpcBinding(handler, base);
  const rest = createRestBinding(handler, base);

  /**
   * Counts a request toward the rate limit and returns its sender. @throws {Problem} rate_limited
   */
  async function authenticateAndCount(
    request: Request,
    { address, checkRateLimit }: Client,
    kind: RequestKind,
    allowance: Allowance,
  ): Promise<Caller> {
    const authorization = request.headers.get('authorization');
    const key = await findKey(authorization, context);
    const { headers, rejection } = await checkRateLimit({ address, keyId: key?.id }, kind);
    Object.assign(allowance, { headers });
    if (rejection) throw rejection;
    return {
      address,
      ...(key && { key }),
      signal: request.signal,
      getCallbackKey: () => readCallbackKey(authorization, context),
    };
  }

  /**
   * Reads the body of a request. An unreadable request counts as a read, because only the body
   * shows whether it writes.
   */
  const readBodyOrCountRequest = (
    request: Request,
    client: Client,
    allowance: Allowance,
  ): Promise<unknown> =>
    readBody(request).catch(async (thrown: unknown) => {
      await authenticateAndCount(request, client, 'reads', allowance);
      throw thrown;
    });

  async function answerRpc(
    request: Request,
    client: Client,
    allowance: Allowance,
  ): Promise<Response> {
    if (request.method !== 'POST')
      throw new Problem(
        'method_not_allowed',
        'This endpoint accepts only POST, with one JSON-RPC message per request.',
        { headers: { allow: 'POST, OPTIONS' } },
      );
    let message: unknown;
    try {
      message = await readBodyOrCountRequest(request, client, allowance);
      const caller = await authenticateAndCount(
        request,
        client,
        kindOfRpcRequest(message),
        allowance,
      );
      checkNumbers(message);
      checkVersion(request);
      return await rpc(message, caller);
    } catch (thrown) {
      return thrown instanceof A2AError
        ? toRpcErrorResponse(rpcIdOf(message), thrown)
        : createRpcProblemResponse(toProblem(thrown), rpcIdOf(message), base);
    }
  }

  async function answerRest(
    request: Request,
    rawPath: string,
    client: Client,
    allowance: Allowance,
  ): Promise<Response> {
    // Some clients percent-encode the colon in a method name, which RFC 3986 allows.
    const path = rawPath.replace(/%3a/gi, ':');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const body = await readBodyOrCountRequest(request, client, allowance);
    const kind = kindOfRestRequest(method, path, body);
    const caller = await authenticateAndCount(request, client, kind, allowance);
    checkNumbers(body);
    checkVersion(request);
    const { searchParams: query } = new URL(request.url);
    const response = await rest({ ...caller, method, path, query, body });
    if (method === request.method) return response;
    // The response to HEAD has no body. Canceling the body also ends an event stream.
    await response.body?.cancel();
    return new Response(null, response);
  }

  return async (request, path, client) => {
    if (request.method === 'OPTIONS')
      return createPreflightResponse(
        path ? ALLOWED_METHODS : 'POST, OPTIONS',
        'a2a-version, a2a-extensions',
      );
    const allowance: Allowance = { headers: {} };
    const response = await (
      path ? answerRest(request, path, client, allowance) : answerRpc(request, client, allowance)
    ).catch((thrown: unknown) =>
      thrown instanceof A2AError
        ? createRestErrorResponse(thrown)
        : createRestProblemResponse(toProblem(thrown), base),
    );
    for (const [name, value] of Object.entries({
      ...corsHeaders,
      ...allowance.headers,
      'cache-control': 'no-store',
    }))
      response.headers.set(name, value);
    return response;
  };
}
