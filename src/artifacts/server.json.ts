import { isIP } from 'node:net';
import { z } from 'zod';
import { MCP_ENDPOINTS, type McpEndpoint } from '../site/developer/mcp-endpoints.ts';
import { defineArtifact } from './artifact.ts';
import { absoluteUrlSchema, registerComponent } from './components.ts';
import {
  keyHeader,
  remoteAddressSchemas,
  remoteHeadersSchema,
  serverTextSchemas,
} from './server-card.ts';

const SCHEMA_URL = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** An entry in the MCP registry, server.json 2025-12-11, with the members used here. */
export const serverJsonSchema = registerComponent(
  'McpServerJson',
  z
    .strictObject({
      $schema: z.literal(SCHEMA_URL).describe('JSON Schema of the entry.'),
      name: z
        .string()
        .min(3)
        .max(200)
        .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
        .describe('Server name: reverse domain name, slash, name.'),
      ...serverTextSchemas,
      version: z
        .string()
        .max(255)
        .regex(/^\d+\.\d+\.\d+/)
        .describe('Server version, not a range.'),
      websiteUrl: absoluteUrlSchema.describe('URL of the developer documentation.'),
      remotes: z
        .array(z.strictObject({ ...remoteAddressSchemas, headers: remoteHeadersSchema }))
        .length(1)
        .describe('Connections.'),
    })
    .describe('Entry for an MCP server in the MCP registry.'),
);

export type ServerJson = z.infer<typeof serverJsonSchema>;

/** `{mcp url}/server.json`: the entry that `npm run server-json` checks. */
export const serverJson = defineArtifact<McpEndpoint>({
  name: 'server-json',
  description: 'Entry for the MCP registry: name, version and address of one MCP endpoint.',
  mediaType: 'application/json',
  keys: ({ dynamic }) => (dynamic ? MCP_ENDPOINTS : []),
  paths: ({ path }) => [`${path}/server.json`],
  schema: serverJsonSchema,
  operation: { id: 'readServerJson', tag: 'Discovery', summary: 'MCP registry entry' },
  render: (
    { path, slug, title, description, requiresKey: bearer },
    { registry: { network }, base },
  ): ServerJson => ({
    $schema: SCHEMA_URL,
    name: `${network.namespace}/${slug}`,
    title: `${network.name}: ${title}`,
    description,
    version: network.version,
    websiteUrl: `${base}${network.agentArea}`,
    remotes: [
      { type: 'streamable-http', url: `${base}${path}`, ...(bearer && { headers: [keyHeader] }) },
    ],
  }),
});

/** Why a host is not publicly reachable or has no owner; undefined for a public domain. */
function findUnreachableReason(hostname: string): string | undefined {
  if (/(?:^|\.)localhost$/.test(hostname)) return 'is on this machine';
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? 'is an IP address, not a domain name' : undefined;
}

/** Checks the rules of the MCP registry that go beyond its schema. */
export function findRegistryFaults({
  name,
  remotes,
}: Pick<ServerJson, 'name' | 'remotes'>): string[] {
  const domain = name.split('/')[0]!.split('.').reverse().join('.');
  return remotes.flatMap(({ url }) => {
    const { protocol, hostname } = new URL(url);
    const unreachableReason = findUnreachableReason(hostname);
    return [
      ...(protocol === 'https:'
        ? []
        : ['remotes[0].url: is not https. Set SITE_URL to the public https origin.']),
      ...(unreachableReason
        ? [`remotes[0].url: ${unreachableReason}. Set SITE_URL to the public https origin.`]
        : []),
      ...(unreachableReason || hostname === domain || hostname.endsWith(`.${domain}`)
        ? []
        : [
            `remotes[0].url: is not on ${domain}, the domain in name. Set namespace in network.yaml to the domain of SITE_URL in reverse order.`,
          ]),
    ];
  });
}
