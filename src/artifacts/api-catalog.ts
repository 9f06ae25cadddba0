import { z } from 'zod';
import { MCP_ENDPOINTS } from '../site/developer/mcp-endpoints.ts';
import { defineDocument } from './artifact.ts';
import { absoluteUrlSchema, registerComponent } from './components.ts';
import { SERVER_CARD_TYPE } from './server-card.ts';

const targetSchema = z.strictObject({
  href: absoluteUrlSchema.describe('Target URL.'),
  type: z.string().optional().describe('Media type of the target.'),
  title: z.string().optional().describe('Title of the target.'),
});
const createTargetsSchema = (description: string) =>
  z.array(targetSchema).min(1).optional().describe(description);

const linksetSchema = registerComponent(
  'ApiCatalog',
  z
    .strictObject({
      linkset: z
        .array(
          z.strictObject({
            anchor: absoluteUrlSchema.describe('URL that the links describe.'),
            item: createTargetsSchema('The APIs in the catalog.'),
            'service-desc': createTargetsSchema('Machine-readable description.'),
            'service-doc': createTargetsSchema('Documentation.'),
            'service-meta': createTargetsSchema('Other machine-readable documents.'),
            status: createTargetsSchema('Health check.'),
          }),
        )
        .min(1)
        .describe('Link contexts.'),
    })
    .describe('API catalog as a link set (RFC 9264).'),
);

/** `/.well-known/api-catalog`, RFC 9727: the APIs as a link set (RFC 9264, RFC 8631). */
export const apiCatalog = defineDocument({
  name: 'api-catalog',
  description:
    'RFC 9727 API catalog: the HTTP interface and the MCP servers, with their descriptions and documentation.',
  mediaType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  paths: ['/.well-known/api-catalog'],
  schema: linksetSchema,
  operation: { id: 'readApiCatalog', tag: 'Discovery', summary: 'API catalog' },
  render({ registry: { network }, base, dynamic }): z.infer<typeof linksetSchema> {
    const servers = dynamic ? MCP_ENDPOINTS : [];
    const documentation = {
      href: `${base}${network.agentArea}`,
      type: 'text/html',
      title: 'Agent services area',
    };
    const openApi = {
      href: `${base}/api/openapi.json`,
      type: 'application/json',
      title: 'OpenAPI 3.1 description',
    };
    return {
      linkset: [
        {
          anchor: `${base}/.well-known/api-catalog`,
          item: [
            { href: `${base}/api/agent-index`, title: `${network.name} HTTP interface` },
            ...(dynamic
              ? [{ href: `${base}/api/find`, title: `${network.name} service search` }]
              : []),
            ...servers.map(({ path, title }) => ({
              href: `${base}${path}`,
              title: `${network.name}: ${title}`,
            })),
          ],
        },
        {
          anchor: `${base}/api/agent-index`,
          'service-desc': [openApi],
          'service-doc': [
            documentation,
            { href: `${base}/llms.txt`, type: 'text/plain', title: 'llms.txt' },
          ],
          'service-meta': [
            {
              href: `${base}/.well-known/agent-card.json`,
              type: 'application/json',
              title: 'A2A agent card',
            },
            {
              href: `${base}/.well-known/ard.json`,
              type: 'application/json',
              title: 'Agentic Resource Discovery catalog',
            },
            {
              href: `${base}/api/v1/capabilities`,
              type: 'application/json',
              title: 'Capability catalog',
            },
          ],
          ...(dynamic && {
            status: [{ href: `${base}/healthz`, type: 'application/json', title: 'Health' }],
          }),
        },
        ...(dynamic
          ? [
              {
                anchor: `${base}/api/find`,
                'service-desc': [openApi],
                'service-doc': [documentation],
              },
            ]
          : []),
        ...servers.map(({ path, title }) => ({
          anchor: `${base}${path}`,
          'service-desc': [
            {
              href: `${base}${path}/server-card`,
              type: SERVER_CARD_TYPE,
              title: `MCP server card: ${title}`,
            },
          ],
          'service-doc': [documentation],
        })),
      ],
    };
  },
});
