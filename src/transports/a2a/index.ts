import type { Context } from '../../operations/index.ts';
import { a2aEndpoint, type A2aEndpoint, type A2aWorld } from './endpoint.ts';

export type { A2aVisitor, A2aWorld } from './endpoint.ts';

const made = new WeakMap<Context, A2aEndpoint>();

/** The A2A endpoint of a context, made at its first request: it keeps requests about one task in turn. */
export function networkA2a(world: A2aWorld): A2aEndpoint {
  let endpoint = made.get(world.context);
  if (!endpoint) made.set(world.context, (endpoint = a2aEndpoint(world)));
  return endpoint;
}
