import { type ActiveKey, authenticateKey, type Context, type Operation } from '../operations/index.ts';
import type { Incoming } from './body.ts';
import type { Allowance, RateLimits, RequestKind } from './rate-limit.ts';

/** Who may go on: the key of a bearer operation, and what the caller has left. */
export interface Admission extends Allowance {
  key?: ActiveKey;
}

interface Visitor {
  request: Pick<Incoming, 'header'>;
  context: Context;
  clientAddress: string;
  limits: RateLimits;
}

/**
 * Reads the key where one is needed and counts the request against it. A refused key counts against the address, so that
 * keys cannot be tried out fast.
 * @throws {Problem} unauthorized, with `WWW-Authenticate`
 */
export async function admit({ bearer }: Pick<Operation, 'bearer'>, { request, context, clientAddress: address, limits }: Visitor, kind: RequestKind): Promise<Admission> {
  if (!bearer) return limits({ address }, kind);
  const key = await authenticateKey(request.header('authorization'), context).catch(async (refused: unknown) => {
    throw (await limits({ address }, kind)).refusal ?? refused;
  });
  return { key, ...(await limits({ address, keyId: key.id }, kind)) };
}
