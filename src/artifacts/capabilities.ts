import { z } from 'zod';
import { capabilityAdapters, capabilityModes } from '../site/capability-kinds.ts';
import { capabilitiesOf } from '../site/capability-record.ts';
import { MCP_ENDPOINTS } from '../site/developer/mcp-endpoints.ts';
import { defineDocument } from './artifact.ts';
import {
  absoluteUrlSchema,
  registerComponent,
  contractDigestSchema,
  sitePathSchema,
} from './components.ts';

const inputSchema = z
  .record(z.string(), z.unknown())
  .refine((schema) => schema.type === 'object' && schema.additionalProperties === false);

const capabilitySchema = registerComponent(
  'Capability',
  z
    .strictObject({
      id: z
        .string()
        .describe('Capability ID: `<subsite>.<name>`, `guide.<subsite>` or `company.<name>`.'),
      version: z.literal('1').describe('Capability version.'),
      title: z.string().describe('Title.'),
      description: z.string().describe('What the capability does.'),
      route: sitePathSchema.describe('URL of the capability’s page.'),
      mode: z.enum(capabilityModes).describe('Kind of capability.'),
      adapter: z.enum(capabilityAdapters).describe('Adapter that runs the capability.'),
      authentication: z.literal('bearer').describe('Authentication method.'),
      subsite: z.string().optional().describe('Subsite that offers the capability.'),
      action: z
        .string()
        .optional()
        .describe('Verb of the action; present if the adapter is inquiry.'),
      contract: contractDigestSchema.optional(),
      inputSchema: inputSchema.describe(
        'JSON Schema (2020-12) of the input; unknown properties are rejected at every level.',
      ),
      pricing: z
        .strictObject({
          kind: z
            .enum(['free', 'quote'])
            .describe('free, or quote if the price depends on the input.'),
          description: z.string().describe('How the price is calculated.'),
        })
        .describe('Price.'),
      evidence: z.array(absoluteUrlSchema).describe('Sources of the description.'),
      limitations: z.array(z.string()).describe('The limits, one sentence each.'),
    })
    .refine(
      (capability) => (capability.adapter === 'inquiry') === (capability.action !== undefined),
    )
    .describe('A capability of the network.'),
);

const capabilityDocumentSchema = registerComponent(
  'CapabilityDocument',
  z
    .strictObject({
      version: z.literal('1').describe('Version of this document and its route list.'),
      publicRoutes: z
        .array(
          z.strictObject({
            path: sitePathSchema.describe('A route; segments in brackets are parameters.'),
            audience: z
              .enum(['machine', 'public', 'supporting'])
              .describe('Audience of the route.'),
          }),
        )
        .describe('The public routes.'),
      capabilities: z.array(capabilitySchema).describe('Every capability.'),
      dynamicAvailable: z
        .boolean()
        .describe('True if the site serves the endpoints that create quotes and run tasks.'),
      documentation: sitePathSchema.describe('URL of the developer documentation.'),
      quoteEndpoint: sitePathSchema.describe('Endpoint for quotes.'),
      taskEndpoint: sitePathSchema.describe('Endpoint for tasks.'),
      mcpEndpoint: sitePathSchema.describe('MCP endpoint for callers with a key.'),
      authentication: z.string().describe('How to get a key.'),
    })
    .describe('The capability catalog.'),
);

/** `/api/v1/capabilities`: the capability catalog. */
export const capabilities = defineDocument({
  name: 'capabilities',
  description: 'Every capability, with its input schema, price and limits, and all public routes.',
  mediaType: 'application/json',
  paths: ['/api/v1/capabilities'],
  schema: capabilityDocumentSchema,
  operation: { id: 'readCapabilities', tag: 'Catalog', summary: 'The capability catalog' },
  render: ({ registry, base, dynamic }): z.infer<typeof capabilityDocumentSchema> => ({
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
      'Send an explicitly scoped bearer key as Authorization: Bearer <API_KEY>; keys are configured in the agent services area. The operator issues keys by email; there is no self-service page.',
  }),
});
