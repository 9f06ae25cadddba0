import type { Context } from '../../operations/index.ts';
import { catalogServer, type McpEndpointHandler, type McpSurroundings, networkServer, serveDefinition } from './index.ts';

/** What a page hands on: the world, and how something thrown is answered and logged. */
export type McpWorld = Pick<McpSurroundings, 'context' | 'problemOf'>;

/** An endpoint that is made at its first request and kept for as long as its context lives. */
export function mountMcp(make: (world: McpWorld) => McpEndpointHandler): (world: McpWorld) => McpEndpointHandler {
  const made = new WeakMap<Context, McpEndpointHandler>();
  return (world) => {
    let handler = made.get(world.context);
    if (!handler) made.set(world.context, (handler = make(world)));
    return handler;
  };
}

/** /api/mcp */
export const networkMcp = mountMcp((world) => serveDefinition(networkServer(world.context), world));
/** /api/v1/mcp */
export const catalogMcp = mountMcp((world) => serveDefinition(catalogServer(world.context), world));
