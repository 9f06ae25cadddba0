import { MCP_ENDPOINTS, type McpEndpoint } from './mcp-endpoints.ts';
import type { Registry } from '../registry.ts';
import {
  createJsonSample,
  SAMPLE_AUTH_HEADERS,
  type Sample,
  quoteForShell,
} from './request-samples.ts';
import type { Site } from '../site.ts';

/** The name of an MCP server in a client’s configuration. */
const formatServerName = ({ network }: Registry, { slug }: McpEndpoint): string =>
  `${network.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${slug}`;

/** Configurations for MCP clients, each with every endpoint that the client can use. */
export function createMcpClientSamples({ base, registry }: Site): Sample[] {
  const servers = MCP_ENDPOINTS.map((endpoint) => ({
    requiresKey: endpoint.requiresKey,
    name: formatServerName(registry, endpoint),
    url: `${base}${endpoint.path}`,
  }));
  const openServers = servers.filter(({ requiresKey }) => !requiresKey);
  /** Creates entries by server name, with an Authorization header if the endpoint needs a key. */
  const createServersByName = (
    entry: (url: string) => object,
    headers: object = SAMPLE_AUTH_HEADERS,
  ) =>
    Object.fromEntries(
      servers.map(({ name, url, requiresKey }) => [
        name,
        { ...entry(url), ...(requiresKey && { headers }) },
      ]),
    );
  const urls = openServers.map(({ url }) => url).join('\n');
  const keyHeader = quoteForShell(`Authorization: ${SAMPLE_AUTH_HEADERS.Authorization}`);
  return [
    {
      title: 'Claude Code · in a terminal',
      language: 'sh',
      text: servers
        .map(
          ({ name, url, requiresKey }) =>
            `claude mcp add --transport http ${name} ${url}${requiresKey ? ` --header ${keyHeader}` : ''}`,
        )
        .join('\n'),
    },
    {
      title: 'Claude · Settings, Connectors, Add custom connector (one for each URL)',
      language: 'text',
      text: urls,
    },
    {
      title: 'ChatGPT · Settings, Apps & Connectors, Developer mode (one connector for each URL)',
      language: 'text',
      text: urls,
    },
    {
      title: 'Codex · ~/.codex/config.toml',
      language: 'toml',
      text: servers
        .map(
          ({ name, url, requiresKey }) =>
            `[mcp_servers.${name}]\nurl = "${url}"${requiresKey ? '\nbearer_token_env_var = "API_KEY"' : ''}`,
        )
        .join('\n\n'),
    },
    createJsonSample('Cursor · .cursor/mcp.json', {
      mcpServers: createServersByName((url) => ({ url })),
    }),
    createJsonSample('Gemini CLI · ~/.gemini/settings.json', {
      mcpServers: createServersByName((httpUrl) => ({ httpUrl })),
    }),
    createJsonSample('VS Code · .vscode/mcp.json', {
      inputs: [
        {
          type: 'promptString',
          id: 'api-key',
          description: `${registry.network.name} key`,
          password: true,
        },
      ],
      servers: createServersByName((url) => ({ type: 'http', url }), {
        Authorization: 'Bearer ${input:api-key}',
      }),
    }),
  ];
}
