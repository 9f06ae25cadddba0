import { applyProviderReport } from '../capabilities/apply-provider-report.ts';
import { readBytes } from './body.ts';
import type { Endpoint, Dependencies } from './exchange.ts';

/** Maximum size of a callback in bytes: a report with its result. */
const CALLBACK_BYTES = 300 * 1024;

/**
 * Processes a provider’s callback about a task and returns 204, also for a repeat. It needs no key:
 * the signature (Standard Webhooks) covers the raw body. Only a refused callback counts against the
 * rate limit of its address, because valid ones are limited by the provider’s jobs.
 */
export const handleProviderCallback =
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
