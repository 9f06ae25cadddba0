import type { APIRoute } from 'astro';
import { takeProviderCallback } from '../../../../../transports/provider-callback.ts';

export const prerender = false;

export const ALL: APIRoute = ({ request, params, locals: { context, answerFault } }) => takeProviderCallback(request, params['id']!, context).catch(answerFault);
