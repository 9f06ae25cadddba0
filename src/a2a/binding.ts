import { A2A_VERSION_HEADER } from '@a2a-js/sdk';
import { VersionNotSupportedError } from '@a2a-js/sdk/errors';
import { ServerCallContext, UnauthenticatedUser } from '@a2a-js/sdk/server';
import { isObject } from '../site/json-object.ts';
import type { ActiveKey } from '../operation/operation.ts';
import type { Problem } from '../operation/problem.ts';
import type { RequestKind } from '../http/rate-limit.ts';
import type { MessageContent } from './message-content.ts';

/** Patch versions do not change the protocol. */
const SUPPORTED_VERSION_PATTERN = /^(?:1\.0|0\.3)(?:\.\d+)?$/;

/**
 * Checks the protocol version that a request names. A request without one uses the version of its
 * method.
 * @throws {VersionNotSupportedError}
 */
export function checkVersion(request: Request): void {
  const version =
    request.headers.get(A2A_VERSION_HEADER) ||
    new URL(request.url).searchParams.get(A2A_VERSION_HEADER);
  if (version && !SUPPORTED_VERSION_PATTERN.test(version))
    throw new VersionNotSupportedError(
      'This endpoint supports A2A versions 1.0 and 0.3. Send A2A-Version: 1.0.',
    );
}

export interface Caller {
  address: string;
  key?: ActiveKey;
  signal: AbortSignal;
  /**
   * The ID of the caller's key, which must allow callbacks. @throws {Problem} unauthorized,
   * insufficient_scope
   */
  getCallbackKey: () => Promise<string>;
}

export type A2aVersion = '1.0' | '0.3';

/** Data that this service stores in a call. */
interface CallState {
  readonly caller: Caller;
  readonly version: A2aVersion;
  /**
   * The content of the message. The SDK stores messages, so it receives them without their content.
   */
  content?: MessageContent;
  /** The problem that ended the call, kept here because an SDK error cannot carry it. */
  problem?: Problem;
  /**
   * Why the text submitted with a stored request was not sent. The lead does not record the reason,
   * so the handler adds it to the task that it builds from the lead.
   */
  unsentTextReason?: string;
}

const STATE_NAME = 'network';

/** The data stored in a call, which the SDK passes along untyped. */
export const stateOf = ({ state }: ServerCallContext): CallState =>
  state.get(STATE_NAME) as CallState;

/** An unauthenticated call; operations that need a key read it themselves. */
export function createAnonymousCall(
  caller: Caller,
  version: A2aVersion = '1.0',
): ServerCallContext {
  const call = new ServerCallContext({ user: new UnauthenticatedUser() });
  call.state.set(STATE_NAME, { caller, version } satisfies CallState);
  return call;
}

/**
 * The kind of a message for rate limits: requests and messages to a task are writes; questions are
 * reads.
 */
export function kindOfMessage(params: unknown): RequestKind {
  const message = isObject(params) && isObject(params['message']) ? params['message'] : {};
  const { parts, taskId, task_id: taskIdAlias } = message;
  const hasData = Array.isArray(parts) && parts.some((part) => isObject(part) && 'data' in part);
  return hasData || taskId || taskIdAlias ? 'writes' : 'reads';
}
