import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../operation/network-of-address.ts';
import { Problem } from '../operation/problem.ts';
import { formatQuantity } from '../site/words/quantity.ts';

export type RequestKind = 'reads' | 'writes';

export interface Caller {
  address: string;
  /**
   * ID of a verified key. Its requests count against the key, not against the address, which
   * several callers may share.
   */
  keyId?: string | undefined;
}

/** The headers with the remaining quota, and the rejection if it is exhausted. */
export interface Allowance {
  headers: Readonly<Record<string, string>>;
  rejection?: Problem;
}

export type CheckRateLimit = (caller: Caller, kind: RequestKind) => Promise<Allowance>;

/** The client of a protocol endpoint: its IP address, and its rate limit check. */
export interface Client {
  address: string;
  checkRateLimit: CheckRateLimit;
}

const WINDOW_SECONDS = 60;

async function consume(
  limiter: RateLimiterMemory,
  name: string,
): Promise<RateLimiterRes & { rejected: boolean }> {
  try {
    return Object.assign(await limiter.consume(name), { rejected: false });
  } catch (thrown) {
    if (!(thrown instanceof RateLimiterRes)) throw thrown;
    return Object.assign(thrown, { rejected: true });
  }
}

/**
 * Limits the requests per minute from each client address and each key, in this process; 0 disables
 * the limit. A request with a key counts against the key, any other request against the address.
 * The headers follow draft-ietf-httpapi-ratelimit-headers: `RateLimit-Policy` has the limit, and
 * `RateLimit` the remaining quota.
 */
export function createRateLimitCheck(
  limitsPerMinute: Readonly<Record<RequestKind, number>>,
): CheckRateLimit {
  const limiters = {
    reads: createLimiter('reads', limitsPerMinute.reads),
    writes: createLimiter('writes', limitsPerMinute.writes),
  };
  return async ({ address, keyId }, kind) => {
    const limiter = limiters[kind];
    if (!limiter) return { headers: {} };
    const { remainingPoints, msBeforeNext, rejected } = await consume(
      limiter,
      keyId === undefined ? `address ${networkOf(address)}` : `key ${keyId}`,
    );
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    const headers = {
      'ratelimit-policy': `"${kind}";q=${limitsPerMinute[kind]};w=${WINDOW_SECONDS}`,
      ratelimit: `"${kind}";r=${remainingPoints};t=${seconds}`,
    };
    if (!rejected) return { headers };
    const rejection = new Problem(
      'rate_limited',
      `Each ${keyId === undefined ? 'IP address' : 'key'} may send at most ${limitsPerMinute[kind]} ${kind} a minute. Wait ${formatQuantity(seconds, 'second')}.`,
      { headers: { ...headers, 'retry-after': String(seconds) } },
    );
    return { headers, rejection };
  };
}

const createLimiter = (kind: RequestKind, points: number): RateLimiterMemory | undefined =>
  points > 0
    ? new RateLimiterMemory({ keyPrefix: kind, points, duration: WINDOW_SECONDS })
    : undefined;
