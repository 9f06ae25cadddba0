import type { CapabilityRecord } from '../../site/capability-record.ts';
import { type Registry, findSubsite } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import { MCP_ENDPOINTS, type McpEndpoint } from '../../site/mcp-endpoints.ts';

/** The placeholder key in samples. */
const KEY = '<API_KEY>';

const indented = (value: unknown): string => JSON.stringify(value, null, 2);

/** One argument of a shell command, in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A POST of JSON with curl. */
export function curlPost(url: string, body: unknown, headers: readonly string[] = []): string {
  const lines = [
    `curl ${quoted(url)}`,
    ...['Content-Type: application/json', ...headers].map((header) => `  -H ${quoted(header)}`),
    `  -d ${quoted(indented(body))}`,
  ];
  return lines.join(' \\\n');
}

/** The first example of a capability’s input. */
export const exampleInput = ({ inputSchema }: CapabilityRecord): unknown =>
  (Array.isArray(inputSchema['examples']) ? inputSchema['examples'][0] : undefined) ?? {};

const bearer = `Authorization: Bearer ${KEY}`;

/** curl for a quote of a capability. */
export const quoteSample = (base: string, capability: CapabilityRecord): string =>
  curlPost(
    `${base}/api/v1/quotes`,
    { capability: capability.id, input: exampleInput(capability) },
    [bearer],
  );

/** curl for a task that runs a capability; with its quote and the most that may be charged where it has a price. */
export function taskSample(base: string, capability: CapabilityRecord): string {
  const priced =
    capability.pricing.kind === 'quote'
      ? { quoteId: '<quoteId>', maxAmount: '<amount of the quote>' }
      : {};
  return curlPost(
    `${base}/api/v1/tasks`,
    { capability: capability.id, input: exampleInput(capability), ...priced },
    [bearer, 'Idempotency-Key: <a UUID of your own for this task>'],
  );
}

/** curl for the same action without a key, in the sandbox; undefined where the capability is no action. */
export function actionSample(
  { base, registry }: Site,
  capability: CapabilityRecord,
): string | undefined {
  const subsite =
    capability.action === undefined ? undefined : findSubsite(registry, capability.subsite ?? '');
  if (!subsite) return undefined;
  const { fields, contact } = exampleInput(capability) as Record<string, unknown>;
  return curlPost(`${base}${subsite.leadEndpoint}`, {
    subsite: subsite.name,
    action: capability.action,
    fields,
    contact,
    sandbox: true,
  });
}

/** The MCP call of a capability, as the arguments of run_capability. */
export const mcpSample = (capability: CapabilityRecord): string =>
  indented({
    method: 'tools/call',
    params: {
      name: 'run_capability',
      arguments: { capability: capability.id, input: exampleInput(capability) },
    },
  });

/** Name of an MCP server in a client’s configuration. */
const serverName = ({ network }: Registry, { slug }: McpEndpoint): string =>
  `${network.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${slug}`;

/** How to configure one client for the MCP endpoints. */
export interface ClientSetup {
  client: string;
  /** Where the text goes. */
  where: string;
  text: string;
}

/** Configurations of MCP clients, every endpoint in each. */
export function clientSetups({ base, registry }: Site): ClientSetup[] {
  const servers = MCP_ENDPOINTS.map((endpoint) => ({
    ...endpoint,
    name: serverName(registry, endpoint),
    url: `${base}${endpoint.path}`,
  }));
  const headers = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });
  return [
    {
      client: 'Claude Code',
      where: 'In a terminal',
      text: servers
        .map(
          ({ name, url, bearer: keyed }) =>
            `claude mcp add --transport http ${name} ${url}${keyed ? ` --header ${quoted(bearer)}` : ''}`,
        )
        .join('\n'),
    },
    {
      client: 'Claude',
      where: 'Settings, Connectors, Add custom connector: one address each',
      text: servers
        .filter((server) => !server.bearer)
        .map(({ url }) => url)
        .join('\n'),
    },
    {
      client: 'Cursor',
      where: '.cursor/mcp.json',
      text: indented({
        mcpServers: Object.fromEntries(
          servers.map(({ name, url, bearer: keyed }) => [
            name,
            { url, ...(keyed && headers(KEY)) },
          ]),
        ),
      }),
    },
    {
      client: 'VS Code',
      where: '.vscode/mcp.json',
      text: indented({
        inputs: [
          {
            type: 'promptString',
            id: 'api-key',
            description: `${registry.network.name} key`,
            password: true,
          },
        ],
        servers: Object.fromEntries(
          servers.map(({ name, url, bearer: keyed }) => [
            name,
            { type: 'http', url, ...(keyed && headers('${input:api-key}')) },
          ]),
        ),
      }),
    },
  ];
}
