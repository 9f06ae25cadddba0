import { A2A_VERSION_HEADER } from '@a2a-js/sdk';
import { VersionNotSupportedError } from '@a2a-js/sdk/errors';
import { ServerCallContext, UnauthenticatedUser } from '@a2a-js/sdk/server';
import { createCallValue } from './call-value.ts';
import { isObject } from '../site/json-object.ts';
import type { ActiveKey } from '../operation/operation.ts';
import type { RequestKind } from '../http/rate-limit.ts';

/** A patch version changes nothing about the protocol. */
const SUPPORTED_VERSION_PATTERN = /^(?:1\.0|0\.3)(?:\.\d+)?$/;

/**
 * @throws {VersionNotSupportedError} when a request names an unsupported version. If the request
 * names no version, the method determines it.
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

/** The sender of a request to the endpoint. */
export interface Caller {
  /** The sender's IP address. */
  address: string;
  /** The sender's valid key, if any. */
  key?: ActiveKey;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
  /**
   * The ID of the caller's key, which must allow callbacks. @throws {Problem} unauthorized,
   * insufficient_scope
   */
  callbackKey: () => Promise<string>;
}

/** Supported versions of A2A. */
export type A2aVersion = '1.0' | '0.3';

const callers = createCallValue<Caller>('caller');
const versions = createCallValue<A2aVersion>('version');

/** An unauthenticated call; operations that need a key read it themselves. */
export function createAnonymousCall(
  caller: Caller,
  version: A2aVersion = '1.0',
): ServerCallContext {
  const call = new ServerCallContext({ user: new UnauthenticatedUser() });
  callers.set(call, caller);
  versions.set(call, version);
  return call;
}

/** The sender of a call. */
export const callerOf = (call: ServerCallContext): Caller => callers.get(call);

/** The protocol version of a call. */
export const versionOf = (call: ServerCallContext): A2aVersion => versions.get(call);

/** The kind of a message: a request and a message to a task are writes, a question is a read. */
export function kindOfMessage(params: unknown): RequestKind {
  const message = isObject(params) && isObject(params['message']) ? params['message'] : {};
  const { parts, taskId, task_id: taskIdAlias } = message;
  const hasData = Array.isArray(parts) && parts.some((part) => isObject(part) && 'data' in part);
  return hasData || taskId || taskIdAlias ? 'writes' : 'reads';
}
