import type { AstroGlobal } from 'astro';
import { type PageKind, requestLimits, requirePageMethod } from '../transports/index.ts';

/**
 * Lets a request to a page of somebody’s own in: nobody keeps a copy, no search engine lists it, and no other site learns
 * its address. Counts it against the limits.
 * @throws {Problem} method_not_allowed, rate_limited
 */
export async function admit({ request, response, locals }: AstroGlobal, kind: PageKind = 'form'): Promise<{ posted: boolean }> {
  response.headers.set('cache-control', 'no-store');
  response.headers.set('x-robots-tag', 'noindex');
  response.headers.set('referrer-policy', 'same-origin');
  requirePageMethod(request, kind);
  const posted = request.method === 'POST';
  const { refusal, headers } = await requestLimits()({ address: locals.clientAddress }, posted ? 'writes' : 'reads');
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  if (refusal) throw refusal;
  return { posted };
}
