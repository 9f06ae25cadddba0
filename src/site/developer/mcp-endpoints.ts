/** MCP versions that every endpoint supports, newest first. */
export const MCP_PROTOCOL_VERSIONS: readonly string[] = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
];

export interface McpEndpoint {
  path: string;
  /** Last part of the server name, after the network's reverse domain name. */
  slug: string;
  title: string;
  /** What the endpoint offers, in at most 100 characters (the limit of SEP-2127). */
  description: string;
  requiresKey: boolean;
}

/** The MCP endpoints of every network, starting with the recommended endpoint. */
export const MCP_ENDPOINTS: readonly McpEndpoint[] = [
  {
    path: '/api/mcp',
    slug: 'network',
    title: 'Network',
    description:
      'Find subsites, read prices and facts, submit requests, track receipts and make share links.',
    requiresKey: false,
  },
  {
    path: '/api/v1/mcp',
    slug: 'catalog',
    title: 'Capability catalog',
    description:
      'Search the capability catalog, read one capability and query the published knowledge.',
    requiresKey: false,
  },
  {
    path: '/api/v1/agent-mcp',
    slug: 'agent',
    title: 'Capabilities with a key',
    description:
      'Get quotes for and run the capabilities that your bearer key allows, and follow their tasks.',
    requiresKey: true,
  },
];
