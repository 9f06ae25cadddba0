import { applyProviderReport } from '../capabilities/apply-provider-report.ts';
import { readBytes } from './body.ts';
import type { Endpoint, Dependencies } from './exchange.ts';

/** Largest callback in bytes: a report, its result included. */
const CALLBACK_BYTES = 300 * 1024;

/**
 * Takes a provider’s callback about a task: 204 once it is taken, also the second time. It shows no key; its signature
 * (Standard Webhooks) is over the bytes of the body, so that they are read as they came. One that is refused counts against
 * its address as a write; those of a provider are as many as it has jobs.
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
