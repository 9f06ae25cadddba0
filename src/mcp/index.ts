import { memberOf } from '../site/json-object.ts';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { findKey } from '../http/bearer.ts';
import type { Dependencies } from '../http/exchange.ts';
import { authenticateKey } from '../keys/authenticate-key.ts';
import { MAX_CAPABILITY_BODY_BYTES } from '../operation/body-limits.ts';
import type { Context } from '../operation/context.ts';
import { createAgentServer } from './agent-server.ts';
import { toAuthInfo } from './agent-tools.ts';
import { createCatalogServer } from './catalog-server.ts';
import type { McpDefinition } from './definition.ts';
import { createMcpEndpoint, type McpEndpointHandler } from './endpoint.ts';
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

/** Methods of the tasks extension that write data. */
const TASK_WRITE_METHODS = new Set<unknown>(['tasks/update', 'tasks/cancel']);

const calledToolOf = (message: unknown): unknown => {
  const isToolCall = memberOf(message, 'method') === 'tools/call';
  return isToolCall ? memberOf(memberOf(message, 'params'), 'name') : undefined;
};

type McpDependencies = Pick<Dependencies, 'context' | 'toProblem'>;

/** Responses of endpoints that require a key are not cached, because they may depend on the key. */
export function createEndpointHandler(
  definition: McpDefinition,
  { context, toProblem }: McpDependencies,
): McpEndpointHandler {
  const pure = new Set<unknown>(
    definition.tools.filter((tool) => tool.pure).map((tool) => tool.name),
  );
  const readToolNames = new Set<unknown>(
    definition.tools.filter((tool) => tool.annotations.readOnlyHint).map((tool) => tool.name),
  );
  const { tasks } = definition;
  return createMcpEndpoint({
    base: context.site.base,
    factory: createServerFactory(definition, context.site.base, toProblem),
    ...(definition.requiresKey
      ? {
          authenticate: async (request: Request) =>
            toAuthInfo(await authenticateKey(request.headers.get('authorization'), context)),
          maxBodyBytes: MAX_CAPABILITY_BODY_BYTES,
        }
      : {
          findKey: (request: Request) => findKey(request.headers.get('authorization'), context),
          isReadOnly: (message: JSONRPCRequest) =>
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
    onerror: (error) => context.log.info({ fault: error.name }, 'an MCP message was rejected'),
  });
}

/** What each endpoint serves, by path. */
const definitionFactories: Readonly<Record<string, (context: Context) => McpDefinition>> = {
  '/api/mcp': createNetworkServer,
  '/api/v1/mcp': createCatalogServer,
  '/api/v1/agent-mcp': createAgentServer,
};

/** Creates the endpoint at a path of MCP_ENDPOINTS. */
export const createMcpHandler = (path: string, dependencies: McpDependencies): McpEndpointHandler =>
  createEndpointHandler(definitionFactories[path]!(dependencies.context), dependencies);
