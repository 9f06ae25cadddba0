import type { APIRoute } from 'astro';
import { requestLimits } from '../../../../../transports/index.ts';
import { takeProviderCallback } from '../../../../../transports/provider-callback.ts';

export const prerender = false;

export const ALL: APIRoute = ({ request, params, locals: { context, clientAddress: address, answerFault } }) =>
  takeProviderCallback(request, params['id']!, context, { address, limits: requestLimits() }).catch(answerFault);
