import type { Context } from '../operation/context.ts';
import { createAgentTools } from './agent-tools.ts';
import { createCapabilityTasks } from './capability-tasks.ts';
import type { McpDefinition } from './definition.ts';
import { createServerIdentity } from './network-server.ts';

/** What /api/v1/agent-mcp serves: the capabilities that a key allows. */
export function createAgentServer(context: Context): McpDefinition {
  const { network } = context.site.registry;
  return {
    ...createServerIdentity(context, '/api/v1/agent-mcp'),
    instructions:
      `Runs the capabilities of ${network.name} that your key allows. search_capabilities finds them, and get_capability shows the input schema. run_capability runs one; if it has a price, call request_quote first and pass its quoteId. ` +
      'Ask the person for missing values and for consent to a price; do not invent them. A lead receipt in a result is not a confirmed booking or payment. A result with isError contains a problem object as JSON text: its errors list each invalid argument and what it accepts.',
    tools: createAgentTools(context),
    tasks: createCapabilityTasks(context),
    resources: [],
    templates: [],
    prompts: [],
  };
}
