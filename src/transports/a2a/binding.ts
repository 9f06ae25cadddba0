import { A2A_VERSION_HEADER } from '@a2a-js/sdk';
import { VersionNotSupportedError } from '@a2a-js/sdk/errors';
import { ServerCallContext, UnauthenticatedUser } from '@a2a-js/sdk/server';
import { isObject } from '../../operations/validate.ts';
import type { RequestKind } from '../rate-limit.ts';

/** A patch number changes nothing about the protocol. */
const SPOKEN = /^(?:1\.0|0\.3)(?:\.\d+)?$/;

/** @throws {VersionNotSupportedError} when a request names a version that is not spoken here; without one, its method tells */
export function checkVersion(request: Request): void {
  const version = request.headers.get(A2A_VERSION_HEADER) || new URL(request.url).searchParams.get(A2A_VERSION_HEADER);
  if (version && !SPOKEN.test(version)) throw new VersionNotSupportedError('Versions 1.0 and 0.3 of A2A are spoken here. Send A2A-Version: 1.0.');
}

/** A call of nobody in particular: there are no accounts at this door. */
export const anonymousCall = (): ServerCallContext => new ServerCallContext({ user: new UnauthenticatedUser() });

/** Whether the params of a message file something; a question only reads. */
export function kindOfMessage(params: unknown): RequestKind {
  const message = isObject(params) ? params['message'] : undefined;
  const parts = isObject(message) ? message['parts'] : undefined;
  return Array.isArray(parts) && parts.some((part) => isObject(part) && 'data' in part) ? 'writes' : 'reads';
}
