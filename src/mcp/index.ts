import { memberOf } from '../site/json-object.ts';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { findKey } from '../http/bearer.ts';
import type { Context } from '../operation/context.ts';
import { createCatalogServer } from './catalog-server.ts';
import type { McpDefinition } from './definition.ts';
import { mcpEndpoint, type McpEndpointHandler, type McpEndpointOptions } from './endpoint.ts';
import { createNetworkServer } from './network-server.ts';
import { createServerFactory } from './server.ts';
import { subscribeToTasks } from './task-notifications.ts';

/** Methods whose responses depend only on the registry; `tools/call` depends on the tool. */
const PURE_METHODS = new Set([
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]);

/** Methods of the tasks extension that write. */
const TASK_WRITE_METHODS = new Set<unknown>(['tasks/update', 'tasks/cancel']);

const calledToolOf = (message: unknown): unknown => {
  const isToolCall = memberOf(message, 'method') === 'tools/call';
  return isToolCall ? memberOf(memberOf(message, 'params'), 'name') : undefined;
};

/** Dependencies of an endpoint other than its definition. */
export interface McpDependencies extends Pick<
  McpEndpointOptions,
  'authenticate' | 'toProblem' | 'maxBodyBytes'
> {
  context: Context;
}

/** Responses that need a key are not cached, because they may depend on it. */
export function createEndpointHandler(
  definition: McpDefinition,
  { context, toProblem, authenticate, maxBodyBytes }: McpDependencies,
): McpEndpointHandler {
  const pure = new Set<unknown>(
    definition.tools.filter((tool) => tool.pure).map((tool) => tool.name),
  );
  const readToolNames = new Set<unknown>(
    definition.tools.filter((tool) => tool.annotations.readOnlyHint).map((tool) => tool.name),
  );
  const { tasks } = definition;
  return mcpEndpoint({
    base: context.site.base,
    factory: createServerFactory(definition, context.site.base, toProblem),
    ...(authenticate
      ? { authenticate }
      : {
          findKey: (request: Request) => findKey(request.headers.get('authorization'), context),
          isPure: (message: JSONRPCRequest) =>
            PURE_METHODS.has(message.method) || pure.has(calledToolOf(message)),
        }),
    ...(tasks && {
      respondToSubscription: (message, answer, call) =>
        subscribeToTasks(tasks, message, answer, call),
    }),
    isWrite(message) {
      const tool = calledToolOf(message);
      if (tool !== undefined) return !readToolNames.has(tool);
      return TASK_WRITE_METHODS.has(memberOf(message, 'method'));
    },
    toProblem,
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
    onerror: (error) => context.log.info({ fault: error.name }, 'an MCP message was rejected'),
  });
}

export const createNetworkMcpHandler = (dependencies: McpDependencies): McpEndpointHandler =>
  createEndpointHandler(createNetworkServer(dependencies.context), dependencies);

export const createCatalogMcpHandler = (dependencies: McpDependencies): McpEndpointHandler =>
  createEndpointHandler(createCatalogServer(dependencies.context), dependencies);
