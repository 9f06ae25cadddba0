import { applyProviderReport, type Context, Problem } from '../operations/index.ts';
import { readBytes } from './body.ts';
import type { RateLimits } from './rate-limit.ts';

/** Largest callback in bytes: a report, its result included. */
const CALLBACK_BYTES = 300 * 1024;

/** Where a callback came from, and how often strangers may try. */
export interface CallbackVisitor {
  address: string;
  limits: RateLimits;
}

/**
 * Takes a provider’s callback about a task: 204 once it is taken, also the second time. It shows no key; its signature
 * (Standard Webhooks) is over the bytes of the body, so that they are read as they came. One that is refused counts against
 * its address as a write; those of a provider are as many as it has jobs.
 * @throws {Problem}
 */
export async function takeProviderCallback(request: Request, task: string, context: Context, { address, limits }: CallbackVisitor): Promise<Response> {
  if (request.method !== 'POST') throw new Problem('method_not_allowed', 'This address takes POST.', { headers: { allow: 'POST' } });
  try {
    const body = new TextDecoder().decode(await readBytes(request, CALLBACK_BYTES));
    await applyProviderReport({ task, body, headers: Object.fromEntries(request.headers) }, context);
  } catch (refused) {
    throw (await limits({ address }, 'writes')).refusal ?? refused;
  }
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
}
