import { readSettings } from '../settings.ts';
import { FormKeys } from './form-keys.ts';
import { rateLimits, type RateLimits } from './rate-limit.ts';

export { BODY_BYTES, brokenOff, type Incoming } from './body.ts';
export { answer, type Exchange, type Reply, replyWith } from './http.ts';
export type { FormFault } from './form.ts';
export { type PageKind, readPagePost, requirePageMethod, wantsProblem } from './page-post.ts';
export type { Caller, RateLimits, RequestKind } from './rate-limit.ts';

interface OfProcess {
  limits?: RateLimits;
  keys?: FormKeys;
}

// The server and the site’s bundle carry a copy of this module each, and a caller’s allowance is one for both.
const PLACE = Symbol.for('frontage.transports');
const ofProcess = ((globalThis as Record<symbol, unknown>)[PLACE] ??= {}) as OfProcess;

/** The rate limits of this process, by its settings; every endpoint shares them. */
export function requestLimits(): RateLimits {
  if (!ofProcess.limits) {
    const { rateLimitReads, rateLimitWrites } = readSettings();
    ofProcess.limits = rateLimits({ reads: rateLimitReads, writes: rateLimitWrites });
  }
  return ofProcess.limits;
}

/** The keys of this process for forms that came without one. */
export const formKeys = (): FormKeys => (ofProcess.keys ??= new FormKeys());
