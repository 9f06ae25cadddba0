import type { APIRoute } from 'astro';
import { problemOf } from '../../../server/faults.ts';
import { networkA2a } from '../../../transports/a2a/index.ts';
import { requestLimits } from '../../../transports/index.ts';

export const prerender = false;

/** JSON-RPC at the address itself, HTTP+JSON beneath it. */
export const ALL: APIRoute = ({ request, params: { path }, locals: { context, clientAddress: address } }) =>
  networkA2a({ context, problemOf: (thrown) => problemOf(thrown, context) })(request, path ? `/${path}` : '', { address, limits: requestLimits() });
