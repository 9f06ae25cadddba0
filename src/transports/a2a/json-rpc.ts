import { isLegacyJsonRpcMethod } from '@a2a-js/sdk/compat/v0_3';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { type A2ARequestHandler, JsonRpcTransportHandler, type ServerCallContext } from '@a2a-js/sdk/server';
import { isObject } from '../../operations/validate.ts';
import type { RequestKind } from '../rate-limit.ts';
import { anonymousCall, kindOfMessage } from './binding.ts';
import { noStreaming, problemIn, rpcProblem } from './faults.ts';

const STREAMING = new Set<unknown>(['SendStreamingMessage', 'SubscribeToTask', 'message/stream', 'tasks/resubscribe']);
const SENDING = new Set<unknown>(['SendMessage', 'message/send']);
const CANCELLING = new Set<unknown>(['CancelTask', 'tasks/cancel']);

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;

/** What kind of request a JSON-RPC message is, for the rate limit. */
export function kindOfRpc(message: unknown): RequestKind {
  const { method, params } = isObject(message) ? message : {};
  return SENDING.has(method) ? kindOfMessage(params) : CANCELLING.has(method) ? 'writes' : 'reads';
}

/** The id under which a message is answered; null where it has none. */
export const rpcId = (message: unknown): string | number | null => {
  const id = isObject(message) ? message['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

/** A JSON-RPC error with status 200, as the SDK’s own server sends them. */
export const rpcError = (id: unknown, error: { code: number; message: string }): Response => Response.json({ jsonrpc: '2.0', id, error });

/** An error of the protocol as a JSON-RPC error. */
export const rpcFault = (id: unknown, error: unknown): Response => rpcError(id, JsonRpcTransportHandler.mapToJSONRPCError(error));

/** The kinds of a part in 0.3, which 1.0 tells by the part's own member. */
const PART_KINDS: readonly unknown[] = ['text', 'data', 'file'];

/** What is wrong with the first part of a 0.3 message that has no kind; the SDK's own words would repeat what was sent. */
function faultOfKind(params: unknown): string | undefined {
  const { message } = isObject(params) ? params : {};
  const { parts } = isObject(message) ? message : {};
  const at = Array.isArray(parts) ? parts.findIndex((part) => isObject(part) && !PART_KINDS.includes(part['kind'])) : -1;
  return at < 0 ? undefined : `message.parts[${at}].kind is not one of text, data and file. In A2A 0.3 each part says its kind.`;
}

interface RpcResponse {
  id: string | number | null;
  error?: unknown;
}

/** Answers one JSON-RPC message: the method names of 1.0, and those of 0.3 through the SDK’s own translation. */
export function rpcBinding(handler: A2ARequestHandler, base: string): (message: unknown) => Promise<Response> {
  const current = new JsonRpcTransportHandler(handler);
  const legacy = new LegacyJsonRpcTransportHandler(handler);

  function settle(response: RpcResponse, call: ServerCallContext): Response {
    const problem = problemIn(call);
    if (problem) return rpcProblem(problem, response.id, base);
    const { code } = isObject(response.error) ? response.error : {};
    // Whatever fails on our side is a problem by now; what remains is a value that the SDK could not read.
    if (code === INTERNAL) return rpcError(response.id, { code: INVALID_PARAMS, message: 'The params do not have the shape that A2A gives them for this method.' });
    return Response.json(response);
  }

  return async (message) => {
    if (Array.isArray(message)) return rpcError(null, { code: INVALID_REQUEST, message: 'Batches are not taken. Send one message in each request.' });
    if (!isObject(message) || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string') return rpcError(rpcId(message), { code: INVALID_REQUEST, message: 'This is no JSON-RPC request. Send an object with jsonrpc "2.0", id, method and params.' });
    if (STREAMING.has(message['method'])) return rpcFault(rpcId(message), noStreaming());
    const call = anonymousCall();
    const isLegacy = isLegacyJsonRpcMethod(message['method']);
    const fault = isLegacy ? faultOfKind(message['params']) : undefined;
    if (fault) return rpcError(rpcId(message), { code: INVALID_PARAMS, message: fault });
    return settle((await (isLegacy ? legacy : current).handle(message, call)) as RpcResponse, call);
  };
}
