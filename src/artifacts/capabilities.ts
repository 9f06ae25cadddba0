import { z } from 'zod';
import { capabilityAdapters, capabilityModes } from '../site/capability-kinds.ts';
import { capabilitiesOf } from '../site/capability-record.ts';
import { MCP_ENDPOINTS } from '../site/developer/mcp-endpoints.ts';
import { defineArtifact, once } from './artifact.ts';
import { absoluteUrl, component, contractMember, sitePath } from './components.ts';

const inputSchema = z
  .record(z.string(), z.unknown())
  .refine((schema) => schema.type === 'object' && schema.additionalProperties === false);

/** One capability as the catalog lists it. */
const capabilitySchema = component(
  'Capability',
  z
    .strictObject({
      id: z
        .string()
        .describe('Capability id: `<subsite>.<name>`, `guide.<subsite>` or `company.<name>`.'),
      version: z.literal('1').describe('Version of the capability.'),
      title: z.string().describe('Title.'),
      description: z.string().describe('What it does.'),
      route: sitePath.describe('Page that it belongs to.'),
      mode: z.enum(capabilityModes).describe('What kind of capability it is.'),
      adapter: z.enum(capabilityAdapters).describe('What runs it.'),
      authentication: z.literal('bearer').describe('How a caller proves who it is.'),
      subsite: z.string().optional().describe('Subsite that it belongs to.'),
      action: z
        .string()
        .optional()
        .describe('Verb of the action; present where the adapter is inquiry.'),
      contract: contractMember.optional(),
      inputSchema: inputSchema.describe(
        'JSON Schema (2020-12) of the input; unknown properties are refused at every level.',
      ),
      pricing: z
        .strictObject({
          kind: z
            .enum(['free', 'quote'])
            .describe('free, or quote where a price is made for each input.'),
          description: z.string().describe('How the price is made.'),
        })
        .describe('Price.'),
      evidence: z.array(absoluteUrl).describe('Pages and documents that back the description.'),
      limitations: z.array(z.string()).describe('Limits, a sentence each.'),
    })
    .refine(
      (capability) => (capability.adapter === 'inquiry') === (capability.action !== undefined),
    )
    .describe('A capability of the network.'),
);

const capabilityDocumentSchema = component(
  'CapabilityDocument',
  z
    .strictObject({
      version: z.literal('1').describe('Version of this document and of its route list.'),
      publicRoutes: z
        .array(
          z.strictObject({
            path: sitePath.describe('Route; bracketed segments are parameters.'),
            audience: z.enum(['machine', 'public', 'supporting']).describe('Who reads it.'),
          }),
        )
        .describe('The public routes.'),
      capabilities: z.array(capabilitySchema).describe('Every capability.'),
      dynamicAvailable: z
        .boolean()
        .describe('Whether the endpoints that write and run are served.'),
      documentation: sitePath.describe('The agent services area.'),
      quoteEndpoint: sitePath.describe('Where a quote is asked for.'),
      taskEndpoint: sitePath.describe('Where a capability is run as a task.'),
      mcpEndpoint: sitePath.describe('MCP endpoint for callers with a key.'),
      authentication: z.string().describe('How to get a key.'),
    })
    .describe('The capability catalog.'),
);

/** `/api/v1/capabilities`. */
export const capabilities = defineArtifact<null>({
  name: 'capabilities',
  description:
    'Every capability with the JSON Schema of its input, its price and its limits, and the list of public routes.',
  mediaType: 'application/json',
  keys: once,
  paths: () => ['/api/v1/capabilities'],
  schema: capabilityDocumentSchema,
  operation: { id: 'readCapabilities', tag: 'Catalog', summary: 'The capability catalog' },
  render: (_, { registry, base, dynamic }): z.infer<typeof capabilityDocumentSchema> => ({
    version: '1',
    publicRoutes: registry.routes
      .filter(({ path }) => dynamic || !MCP_ENDPOINTS.some((endpoint) => endpoint.path === path))
      .map(({ path, audience }) => ({ path, audience })),
    capabilities: capabilitiesOf(registry, base),
    dynamicAvailable: dynamic,
    documentation: registry.network.agentArea,
    quoteEndpoint: '/api/v1/quotes',
    taskEndpoint: '/api/v1/tasks',
    mcpEndpoint: '/api/v1/agent-mcp',
    authentication:
      'An explicitly scoped bearer key, configured in the agent services area, is sent as Authorization: Bearer <API_KEY>. The operator issues it by email; there is no self-service page.',
  }),
});
