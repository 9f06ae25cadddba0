import type { ServerContext } from '@modelcontextprotocol/server';
import type { ActiveKey } from '../operation/operation.ts';
import type { ToolCall } from './tool.ts';

type Caller = Pick<ToolCall, 'address' | 'key'>;

const callers = new WeakMap<Request, Caller>();

/**
 * Stores a request's caller for the tool that is called, because the SDK passes on only the
 * request.
 */
export const rememberCaller = (request: Request, caller: Caller): void =>
  void callers.set(request, caller);

/** The call to a tool or its task, from the SDK's request data. */
export function toolCallOf({ http, mcpReq }: ServerContext): ToolCall {
  const authorization = http?.req?.headers.get('authorization');
  const key = http?.authInfo?.extra?.['key'] as ActiveKey | undefined;
  return {
    ...(http?.req && callers.get(http.req)),
    ...(key && { key }),
    ...(http?.authInfo && { authInfo: http.authInfo }),
    ...(authorization && { authorization }),
    signal: mcpReq.signal,
  };
}
