import type { ServerContext } from '@modelcontextprotocol/server';
import type { ToolCall } from './tool.ts';

const addresses = new WeakMap<Request, string>();

/** Keeps a request's IP address for the called tool, because the SDK passes on only the request. */
export const rememberAddress = (request: Request, address: string): void =>
  void addresses.set(request, address);

/** The call to a tool or its task, from the SDK's request data. */
export function toolCallOf({ http, mcpReq }: ServerContext): ToolCall {
  const address = http?.req && addresses.get(http.req);
  const authorization = http?.req?.headers.get('authorization');
  return {
    ...(address !== undefined && { address }),
    ...(http?.authInfo && { authInfo: http.authInfo }),
    ...(authorization && { authorization }),
    signal: mcpReq.signal,
  };
}
