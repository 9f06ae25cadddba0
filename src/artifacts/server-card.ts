import { z } from 'zod';
import {
  MCP_ENDPOINTS,
  MCP_PROTOCOL_VERSIONS,
  type McpEndpoint,
} from '../site/developer/mcp-endpoints.ts';
import { defineArtifact } from './artifact.ts';
import { absoluteUrlSchema, registerComponent } from './components.ts';

/** The media type of a server card, SEP-2127. */
export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';

/** Members that the server card and the MCP registry entry share. */
export const serverTextSchemas = {
  title: z.string().min(1).max(100).describe('Display name.'),
  description: z.string().min(1).max(100).describe('What the server does.'),
};
export const remoteAddressSchemas = {
  type: z.literal('streamable-http').describe('Transport.'),
  url: absoluteUrlSchema.describe('Endpoint URL.'),
};
export const remoteHeadersSchema = z
  .array(
    z.strictObject({
      name: z.string().describe('Header name.'),
      description: z.string().describe('The value to send in the header.'),
      isRequired: z.boolean().describe('True if the header is required.'),
      isSecret: z.boolean().describe('True if the value is secret.'),
    }),
  )
  .optional()
  .describe('Request headers.');

const serverCardSchema = registerComponent(
  'McpServerCard',
  z
    .strictObject({
      $schema: z
        .literal('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json')
        .describe('JSON Schema of the card.'),
      name: z
        .string()
        .max(200)
        .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
        .describe('Server name: reverse domain name, slash, name.'),
      version: z.string().max(255).describe('Server version.'),
      ...serverTextSchemas,
      websiteUrl: absoluteUrlSchema.describe('URL of the developer documentation.'),
      remotes: z
        .array(
          z.strictObject({
            ...remoteAddressSchemas,
            supportedProtocolVersions: z
              .array(z.string())
              .min(1)
              .describe('MCP revisions, newest first.'),
            headers: remoteHeadersSchema,
          }),
        )
        .length(1)
        .describe('Connections.'),
    })
    .describe('MCP server card.'),
);

/** Header for an endpoint that requires a key. */
export const keyHeader = {
  name: 'Authorization',
  description:
    'Bearer followed by a key. The operator issues keys by email; the agent services area has the address.',
  isRequired: true,
  isSecret: true,
};

/**
 * `{mcp url}/server-card`, SEP-2127: how to connect to an MCP server. The card lists no tools
 * because the server lists them.
 */
export const serverCards = defineArtifact<McpEndpoint>({
  name: 'server-card',
  description:
    'MCP server card: name, version, address and protocol revisions of one MCP endpoint.',
  mediaType: SERVER_CARD_TYPE,
  keys: ({ dynamic }) => (dynamic ? MCP_ENDPOINTS : []),
  paths: (endpoint) => [
    `${endpoint.path}/server-card`,
    ...(endpoint === MCP_ENDPOINTS[0]
      ? ['/.well-known/mcp/server-card.json', '/.well-known/mcp.json']
      : []),
  ],
  schema: serverCardSchema,
  operation: { id: 'readServerCard', tag: 'Discovery', summary: 'MCP server card' },
  render: (
    { path, slug, title, description, requiresKey: bearer },
    { registry: { network }, base },
  ): z.infer<typeof serverCardSchema> => ({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${network.namespace}/${slug}`,
    version: network.version,
    title: `${network.name}: ${title}`,
    description,
    websiteUrl: `${base}${network.agentArea}`,
    remotes: [
      {
        type: 'streamable-http',
        url: `${base}${path}`,
        supportedProtocolVersions: [...MCP_PROTOCOL_VERSIONS],
        ...(bearer && { headers: [keyHeader] }),
      },
    ],
  }),
});
