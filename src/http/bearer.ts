import { DatabaseUnavailableError } from '../../db/unavailable.ts';
import { authenticateKey } from '../keys/authenticate-key.ts';
import type { ActiveKey } from '../operation/operation.ts';
import { Problem } from '../operation/problem.ts';
import type { Context } from '../operation/context.ts';
import type { Operation } from '../operation/operation.ts';
import type { Allowance, Client, RequestKind } from './rate-limit.ts';

/** An admitted caller: the key, if a valid one was sent, and the remaining quota. */
export interface Admission extends Allowance {
  key?: ActiveKey;
}

interface Caller extends Client {
  authorization: string | null;
  context: Context;
}

/** Adds the caller's rate limit headers to a rejection. */
const withRateHeaders = (
  { code, message, headers }: Problem,
  rateHeaders: Allowance['headers'],
): Problem => new Problem(code, message, { headers: { ...headers, ...rateHeaders } });

/**
 * The valid key that a request counts against, on every endpoint; undefined without a valid key,
 * because an endpoint that needs no key ignores an invalid one.
 */
export async function findKey(
  authorization: string | null,
  context: Context,
): Promise<ActiveKey | undefined> {
  if (authorization === null) return undefined;
  try {
    return await authenticateKey(authorization, context);
  } catch (thrown) {
    // A request that needs no key is answered even while the database is down.
    if (thrown instanceof DatabaseUnavailableError) return undefined;
    if (thrown instanceof Problem && thrown.code === 'unauthorized') return undefined;
    throw thrown;
  }
}

/**
 * Verifies the key and counts the request against it. A request with an invalid key counts against
 * the address, so that keys cannot be guessed quickly.
 * @throws {Problem} unauthorized, with `WWW-Authenticate`, if the operation requires a key
 */
export async function authenticateAndCount(
  { requiresKey }: Pick<Operation, 'requiresKey'>,
  { authorization, context, address, checkRateLimit }: Caller,
  kind: RequestKind,
): Promise<Admission> {
  if (!requiresKey) {
    const sentKey = await findKey(authorization, context);
    const allowance = await checkRateLimit({ address, keyId: sentKey?.id }, kind);
    return { ...allowance, ...(sentKey && { key: sentKey }) };
  }
  const key = await authenticateKey(authorization, context).catch(async (rejected: unknown) => {
    const { headers, rejection } = await checkRateLimit({ address }, kind);
    throw (
      rejection ?? (rejected instanceof Problem ? withRateHeaders(rejected, headers) : rejected)
    );
  });
  return { key, ...(await checkRateLimit({ address, keyId: key.id }, kind)) };
}
