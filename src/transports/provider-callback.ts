import { applyProviderReport, type Context, Problem } from '../operations/index.ts';
import { CAPABILITY_BODY_BYTES } from '../operations/capability-request.ts';
import { readBytes } from './body.ts';

/**
 * Takes a provider’s callback about a task: 204 once it is taken, also the second time. It shows no key; its signature
 * (Standard Webhooks) is over the bytes of the body, so that they are read as they came.
 * @throws {Problem}
 */
export async function takeProviderCallback(request: Request, task: string, context: Context): Promise<Response> {
  if (request.method !== 'POST') throw new Problem('method_not_allowed', 'This address takes POST.', { headers: { allow: 'POST' } });
  const body = new TextDecoder().decode(await readBytes(request, CAPABILITY_BODY_BYTES));
  await applyProviderReport({ task, body, headers: Object.fromEntries(request.headers) }, context);
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
}
