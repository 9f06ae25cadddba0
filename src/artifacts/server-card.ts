import { z } from 'zod';
import {
  MCP_ENDPOINTS,
  MCP_PROTOCOL_VERSIONS,
  type McpEndpoint,
} from '../site/developer/mcp-endpoints.ts';
import { defineArtifact } from './artifact.ts';
import { absoluteUrl, component } from './components.ts';

/** The media type of a server card, SEP-2127. */
export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';

/** Members that the card shares with the entry of the MCP registry. */
export const serverTexts = {
  title: z.string().min(1).max(100).describe('Name that people read.'),
  description: z.string().min(1).max(100).describe('What the server does.'),
};
export const remoteAddress = {
  type: z.literal('streamable-http').describe('Transport.'),
  url: absoluteUrl.describe('Where it listens.'),
};
export const remoteHeaders = z
  .array(
    z.strictObject({
      name: z.string().describe('Header name.'),
      description: z.string().describe('What to send.'),
      isRequired: z.boolean().describe('Whether it must be sent.'),
      isSecret: z.boolean().describe('Whether it is secret.'),
    }),
  )
  .optional()
  .describe('Headers to send.');

const serverCardSchema = component(
  'McpServerCard',
  z
    .strictObject({
      $schema: z
        .literal('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json')
        .describe('Schema of the card.'),
      name: z
        .string()
        .max(200)
        .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
        .describe('Server name: reverse domain name, slash, name.'),
      version: z.string().max(255).describe('Version of the server.'),
      ...serverTexts,
      websiteUrl: absoluteUrl.describe('The agent services area.'),
      remotes: z
        .array(
          z.strictObject({
            ...remoteAddress,
            supportedProtocolVersions: z
              .array(z.string())
              .min(1)
              .describe('MCP revisions, newest first.'),
            headers: remoteHeaders,
          }),
        )
        .length(1)
        .describe('How to connect.'),
    })
    .describe('MCP server card.'),
);

/** The header that an endpoint behind a key needs. */
export const keyHeader = {
  name: 'Authorization',
  description:
    'Bearer and a key. The operator issues keys, by mail; the agent services area has the address.',
  isRequired: true,
  isSecret: true,
};

/**
 * `{mcp url}/server-card`, SEP-2127: how to reach each MCP server. Tools are listed by the server
 * itself, never here.
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
    { path, slug, title, description, bearer },
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
