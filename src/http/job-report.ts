import { applyJobReport } from '../capabilities/apply-job-report.ts';
import { readBytes } from './body.ts';
import type { Endpoint, Dependencies } from './exchange.ts';

/** Maximum size of a callback, which is a report with its result, in bytes. */
const MAX_CALLBACK_BYTES = 300 * 1024;

/**
 * Processes a provider's callback about a task and returns 204, even for repeats. The signature
 * (Standard Webhooks) of the raw body replaces a key. Only rejected callbacks count toward the rate
 * limit of the address; a provider's jobs limit how many valid callbacks it sends.
 */
export const handleJobReport =
  ({ context, checkRateLimit }: Pick<Dependencies, 'context' | 'checkRateLimit'>): Endpoint =>
  async ({ request, params, address }) => {
    try {
      const body = new TextDecoder().decode(await readBytes(request, MAX_CALLBACK_BYTES));
      await applyJobReport(
        { task: params['id']!, body, headers: Object.fromEntries(request.headers) },
        context,
      );
    } catch (rejected) {
      throw (await checkRateLimit({ address }, 'writes')).rejection ?? rejected;
    }
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  };
