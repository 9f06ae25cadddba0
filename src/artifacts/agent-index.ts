import { z } from 'zod';
import { figuresOf } from '../site/figures.ts';
import { FREE_DAYS_PATH, findHoldAction } from '../site/hold-action.ts';
import { EMAIL_ENDPOINT, SHARED_LEAD_ENDPOINTS, type Registry } from '../site/registry.ts';
import { defineDocument } from './artifact.ts';
import { absoluteUrlSchema, registerComponent } from './components.ts';
import { toSubsiteRecord, subsiteRecordSchema } from './subsite-record.ts';

const countSchema = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const agentIndexSchema = registerComponent(
  'AgentIndex',
  z
    .strictObject({
      name: z.string().describe('Index name.'),
      base: absoluteUrlSchema.describe('Base URL of the service.'),
      generatedAt: z.iso.datetime().describe('Build time, ISO 8601.'),
      stats: z
        .strictObject({
          total: countSchema.describe('All subsites.'),
          public: countSchema.describe('Number of public subsites.'),
          auth: countSchema.describe('Number of subsites that require an account.'),
        })
        .refine((stats) => stats.total === stats.public + stats.auth)
        .describe('Numbers of subsites; total is public plus auth.'),
      discovery: z
        .strictObject({
          agentCard: absoluteUrlSchema.describe('A2A agent card.'),
          llmsTxt: absoluteUrlSchema.describe('llms.txt.'),
          llmsFullTxt: absoluteUrlSchema.describe('llms-full.txt.'),
          sitemap: absoluteUrlSchema.describe('Sitemap.'),
          robots: absoluteUrlSchema.describe('robots.txt.'),
          mcp: absoluteUrlSchema
            .optional()
            .describe('MCP endpoint; absent if the site serves only documents.'),
          openapi: absoluteUrlSchema.describe('OpenAPI document.'),
        })
        .describe('URLs of the other discovery documents.'),
      endpoints: z
        .strictObject({
          leadCapture: absoluteUrlSchema
            .optional()
            .describe('Endpoint that captures email addresses.'),
          leads: z
            .array(absoluteUrlSchema)
            .optional()
            .describe('Every endpoint for leads; each subsite’s record names the one it uses.'),
          find: z
            .string()
            .regex(/\{need\}/)
            .optional()
            .describe(
              'URL template for finding the services that meet a need stated in plain words.',
            ),
          freeDays: z
            .string()
            .regex(/\{item\}/)
            .optional()
            .describe(
              'URL template for the available days of an item; absent if no action holds items.',
            ),
          share: absoluteUrlSchema.optional().describe('Endpoint that creates share links.'),
          shareResolver: z
            .string()
            .regex(/\{token\}/)
            .optional()
            .describe('URL template for a share link.'),
          manifest: z
            .string()
            .regex(/\{name\}/)
            .describe('URL template for a subsite’s record.'),
        })
        .describe(
          'Endpoint URLs and URL templates; only `manifest` is present if the site serves only documents.',
        ),
      subsites: z.array(subsiteRecordSchema).describe('Every subsite, by name.'),
    })
    .describe('Every subsite of the network.'),
);

/** The shared endpoints for leads, then the dedicated ones. */
const listLeadEndpoints = ({ subsites }: Registry): string[] => [
  ...new Set([...SHARED_LEAD_ENDPOINTS, ...subsites.map(({ leadEndpoint }) => leadEndpoint)]),
];

/** `/api/agent-index`: every subsite of the network with its record. */
export const agentIndex = defineDocument({
  name: 'agent-index',
  description: 'The full record of every subsite, and links to the other discovery documents.',
  mediaType: 'application/json',
  paths: ['/api/agent-index'],
  schema: agentIndexSchema,
  operation: { id: 'readAgentIndex', tag: 'Discovery', summary: 'Every subsite of the network' },
  render(site): z.infer<typeof agentIndexSchema> {
    const { registry, base, generatedAt, dynamic } = site;
    const { subsites: total, publicSubsites, accountSubsites } = figuresOf(registry);
    return {
      name: `${registry.network.name} agent index`,
      base,
      generatedAt,
      stats: { total, public: publicSubsites, auth: accountSubsites },
      discovery: {
        agentCard: `${base}/.well-known/agent-card.json`,
        llmsTxt: `${base}/llms.txt`,
        llmsFullTxt: `${base}/llms-full.txt`,
        sitemap: `${base}/sitemap.xml`,
        robots: `${base}/robots.txt`,
        ...(dynamic && { mcp: `${base}/api/mcp` }),
        openapi: `${base}/api/openapi.json`,
      },
      endpoints: {
        ...(dynamic && {
          leadCapture: `${base}${EMAIL_ENDPOINT}`,
          leads: listLeadEndpoints(registry).map((path) => `${base}${path}`),
          find: `${base}/api/find?q={need}`,
          ...(registry.subsites.some(findHoldAction) && {
            freeDays: `${base}${FREE_DAYS_PATH}?subsite={subsite}&item={item}`,
          }),
          share: `${base}/api/share`,
          shareResolver: `${base}/s/{token}`,
        }),
        manifest: `${base}/api/agent/{name}`,
      },
      subsites: registry.subsites.map((subsite) => toSubsiteRecord(subsite, site)),
    };
  },
});
