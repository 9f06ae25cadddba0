import type { Context } from '../operation/context.ts';
import { MCP_ENDPOINTS } from '../site/developer/mcp-endpoints.ts';
import type { McpDefinition } from './definition.ts';
import { createDirectoryResource, createSubsiteTemplate } from './directory.ts';
import { createRecordTools } from './info-tools.ts';
import { createLeadTasks } from './lead-tasks.ts';
import { createNetworkTools } from './network-tools.ts';
import { createNetworkPrompts } from './prompts.ts';
import { createWriteTools } from './write-tools.ts';

/** What an endpoint's definition and its server card have in common. */
export function createServerIdentity(
  { site: { registry } }: Pick<Context, 'site'>,
  path: string,
): Pick<McpDefinition, 'name' | 'title' | 'version' | 'requiresKey'> {
  const { network } = registry;
  const endpoint = MCP_ENDPOINTS.find((other) => other.path === path)!;
  return {
    name: `${network.namespace}/${endpoint.slug}`,
    title: `${network.name}: ${endpoint.title}`,
    version: network.version,
    requiresKey: endpoint.requiresKey,
  };
}

/** What /api/mcp serves: the network's information tools and its write tools. */
export function createNetworkServer(context: Context): McpDefinition {
  const { site } = context;
  const { network } = site.registry;
  return {
    ...createServerIdentity(context, '/api/mcp'),
    instructions:
      `${network.description} Find a subsite with list_subsites (query takes plain words), read it with get_subsite_info, and ask for a quote, a visit or a booking with submit_action; try it with sandbox true first. ` +
      'Give the person the receiptUrl. get_lead_status returns the state and the allowed next actions; to answer a question or an offer, call reply_to_request with the members of body from calls. Each service tool returns the published prices, area and hours. A receipt is not a confirmed booking or payment. Retry with the same idempotencyKey. ' +
      'A result with isError contains a problem object as JSON text: errors lists each invalid argument and what it accepts. Lists come in pages; pass nextCursor as cursor.',
    tools: [
      ...createNetworkTools(context),
      ...createRecordTools(context),
      ...createWriteTools(context),
    ],
    tasks: createLeadTasks(context),
    resources: [createDirectoryResource(site)],
    templates: [createSubsiteTemplate(site)],
    prompts: createNetworkPrompts(site),
  };
}
