import type { APIRoute } from 'astro';
import { problemOf } from '../server/faults.ts';
import { requestLimits } from '../transports/index.ts';
import type { McpWorld } from '../transports/mcp/mounts.ts';
import type { McpEndpointHandler } from '../transports/mcp/index.ts';

/** The endpoint of an MCP server. */
export const mountServer =
  (endpoint: (world: McpWorld) => McpEndpointHandler): APIRoute =>
  ({ request, locals: { context, clientAddress: address } }) =>
    endpoint({ context, problemOf: (thrown) => problemOf(thrown, context) })(request, { address, limits: requestLimits() });
