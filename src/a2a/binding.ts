import { A2A_VERSION_HEADER } from '@a2a-js/sdk';
import { VersionNotSupportedError } from '@a2a-js/sdk/errors';
import { ServerCallContext, UnauthenticatedUser } from '@a2a-js/sdk/server';
import { isObject } from '../site/json-object.ts';
import type { RequestKind } from '../http/rate-limit.ts';

/** A patch number changes nothing about the protocol. */
const SPOKEN = /^(?:1\.0|0\.3)(?:\.\d+)?$/;

/**
 * @throws {VersionNotSupportedError} when a request names an unsupported version; without one, its
 * method decides
 */
export function checkVersion(request: Request): void {
  const version =
    request.headers.get(A2A_VERSION_HEADER) ||
    new URL(request.url).searchParams.get(A2A_VERSION_HEADER);
  if (version && !SPOKEN.test(version))
    throw new VersionNotSupportedError(
      'Versions 1.0 and 0.3 of A2A are spoken here. Send A2A-Version: 1.0.',
    );
}

/** Who sends a request. */
export interface Caller {
  /** IP address that it came from. */
  address: string;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
  /**
   * Reads the id of the key that the caller showed, which allows callbacks. @throws {Problem}
   * unauthorized, insufficient_scope
   */
  callbackKey: () => Promise<string>;
}

/** Supported versions of A2A. */
export type Version = '1.0' | '0.3';

/** Where a call keeps the IP address that it came from. */
const ADDRESS = 'address';

/** Where a call keeps the signal of its caller's disconnect. */
const SIGNAL = 'signal';

/** Where a call keeps how its key is read. */
const CALLBACK_KEY = 'callbackKey';

/** Where a call keeps its version. */
const VERSION = 'version';

/** A call by a caller without an account; operations that need a key ask for it. */
export function anonymousCall(
  { address, signal, callbackKey }: Caller,
  version: Version = '1.0',
): ServerCallContext {
  const call = new ServerCallContext({ user: new UnauthenticatedUser() });
  call.state.set(ADDRESS, address);
  call.state.set(SIGNAL, signal);
  call.state.set(CALLBACK_KEY, callbackKey);
  call.state.set(VERSION, version);
  return call;
}

/** How the key that the caller of a call showed is read. */
export const callbackKeyOf = (call: ServerCallContext): Caller['callbackKey'] =>
  call.state.get(CALLBACK_KEY) as Caller['callbackKey'];

/** The version in which a call was made. */
export const versionOf = (call: ServerCallContext): Version => call.state.get(VERSION) as Version;

/** The signal of the caller's disconnect. */
export const signalOf = (call: ServerCallContext): AbortSignal =>
  call.state.get(SIGNAL) as AbortSignal;

/** The IP address that a call came from. */
export const addressOf = (call: ServerCallContext): string => call.state.get(ADDRESS) as string;

/** Whether a message writes: it files something or goes to a task, while a question only reads. */
export function kindOfMessage(params: unknown): RequestKind {
  const message = isObject(params) && isObject(params['message']) ? params['message'] : {};
  const { parts, taskId, task_id: sameId } = message;
  const files = Array.isArray(parts) && parts.some((part) => isObject(part) && 'data' in part);
  return files || taskId || sameId ? 'writes' : 'reads';
}
