import { applyProviderReport } from '../capabilities/apply-provider-report.ts';
import { readBytes } from './body.ts';
import type { Endpoint, Dependencies } from './exchange.ts';

/** Maximum size of a callback in bytes: a report with its result. */
const CALLBACK_BYTES = 300 * 1024;

/**
 * Takes a provider’s callback about a task: 204 once it is processed, also when repeated. It sends
 * no key; its signature (Standard Webhooks) covers the raw body. A refused one counts against its
 * address as a write; a provider's own are limited by its jobs.
 */
export const takeProviderCallback =
  ({ context, limits }: Pick<Dependencies, 'context' | 'limits'>): Endpoint =>
  async ({ request, params, address }) => {
    try {
      const body = new TextDecoder().decode(await readBytes(request, CALLBACK_BYTES));
      await applyProviderReport(
        { task: params['id']!, body, headers: Object.fromEntries(request.headers) },
        context,
      );
    } catch (refused) {
      throw (await limits({ address }, 'writes')).refusal ?? refused;
    }
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  };
