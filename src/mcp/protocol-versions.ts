import { createRpcErrorResponse, SERVER_ERROR } from './fault.ts';
import { memberOf } from '../site/json-object.ts';
import { MCP_PROTOCOL_VERSIONS } from '../site/developer/mcp-endpoints.ts';
import {
  type AuthInfo,
  classifyInboundRequest,
  createMcpHandler,
  type InboundLegacyRouteReason,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type McpServerFactory,
  PerRequestHTTPServerTransport,
  SdkError,
  SdkErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';

/** A parsed message that is not a batch, with its request. */
export interface Exchange {
  request: Request;
  message: unknown;
  authInfo?: AuthInfo;
}

export type ExchangeHandler = (exchange: Exchange) => Promise<Response>;

/** Maximum number of open subscription streams for an endpoint. */
const MAX_SUBSCRIPTIONS = 16;
/** Status logged for a client that disconnected. */
const CLIENT_CLOSED_REQUEST = 499;
const header = (request: Request, name: string) => request.headers.get(name) ?? undefined;

/** Why a message belongs to an older protocol version; undefined for 2026-07-28. */
function findLegacyReason({ request, message }: Exchange): InboundLegacyRouteReason | undefined {
  const outcome = classifyInboundRequest({
    httpMethod: request.method,
    protocolVersionHeader: header(request, 'mcp-protocol-version'),
    mcpMethodHeader: header(request, 'mcp-method'),
    mcpNameHeader: header(request, 'mcp-name'),
    body: message,
  });
  return outcome.kind === 'legacy' ? outcome.reason : undefined;
}

function checkVersion(request: Request, message: unknown): Response | undefined {
  const version = header(request, 'mcp-protocol-version');
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return undefined;
  return createRpcErrorResponse(
    400,
    SERVER_ERROR,
    `Unsupported protocol version. Supported: ${MCP_PROTOCOL_VERSIONS.join(', ')}`,
    memberOf(message, 'id'),
  );
}

/**
 * Serves both protocol versions from one factory: 2026-07-28 with the SDK's handler, 2025-11-25 and
 * earlier with its single-exchange transport. The SDK's own handler for the older version always
 * answers with server-sent events and rejects clients that do not accept both types; this one
 * answers with JSON, whatever a client accepts, unless a method sends messages before its result to
 * a client that can read a stream. Each request has its own server and transport, which are
 * never reused.
 */
export function createExchangeHandler(
  factory: McpServerFactory,
  onerror: (error: Error) => void,
): ExchangeHandler {
  const modernHandler = createMcpHandler(factory, {
    legacy: 'reject',
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror,
  });

  async function serveLegacy(
    { request, message, authInfo }: Exchange,
    reason: InboundLegacyRouteReason,
  ): Promise<Response> {
    // A handshake negotiates versions in its body.
    const rejected = reason === 'initialize' ? undefined : checkVersion(request, message);
    if (rejected) return rejected;
    // A stateless server sends no requests, so it expects no responses.
    if (reason === 'response') return new Response(null, { status: 202 });
    const auth = authInfo && { authInfo };
    const server = await factory({ era: 'legacy', ...auth, requestInfo: request });
    const acceptsStream = header(request, 'accept')?.includes('text/event-stream');
    const transport = new PerRequestHTTPServerTransport({
      classification: { era: 'legacy' },
      responseMode: acceptsStream ? 'auto' : 'json',
    });
    await server.connect(transport);
    try {
      const response = await transport.handleMessage(
        message as JSONRPCRequest | JSONRPCNotification,
        { request, ...auth },
      );
      if (reason === 'notification') await server.close();
      // The newer version maps some JSON-RPC errors to HTTP statuses; clients of the older version
      // expect 200.
      return response.ok
        ? response
        : new Response(response.body, { status: 200, headers: response.headers });
    } catch (error) {
      await server.close();
      if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed)
        return new Response(null, { status: CLIENT_CLOSED_REQUEST });
      throw error;
    }
  }

  return async (exchange) => {
    const reason = findLegacyReason(exchange);
    if (reason) return serveLegacy(exchange, reason);
    const { request, message: parsedBody, authInfo } = exchange;
    return modernHandler.fetch(request, { parsedBody, ...(authInfo && { authInfo }) });
  };
}
