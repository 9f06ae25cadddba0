/** Account-only subsites. */
export const accountOnlySubsites = ['agents', 'client', 'food', 'hub', 'leads', 'scan', 'video'];

/** Required subsites. */
export const namedSubsites = [
  'about',
  'advertising',
  'agent',
  'agents',
  'animate',
  'billing',
  'blog',
  'circle',
  'cleanouts',
  'client',
  'crypto',
  'data-retention',
  'drive',
  'estate',
  'fit',
  'food',
  'game',
  'generator',
  'go',
  'gpu',
  'homes',
  'housing',
  'hub',
  'hvac',
  'junk',
  'kerplunk',
  'lastmile',
  'leads',
  'liquidation',
  'live',
  'markets',
  'moving',
  'picnic-table',
  'pools',
  'post',
  'privacy',
  'real-estate-agent',
  'realestateanimated',
  'rental',
  'rentals',
  'results',
  'sales',
  'scan',
  'security',
  'shop',
  'signup',
  'start',
  'tables',
  'terms',
  'tools',
  'trailer',
  'video',
  'water',
  'wd',
  'weddings',
];

/** Values of `schemaType`. */
export const schemaTypesInUse = [
  'Article',
  'ItemList',
  'LocalBusiness',
  'Organization',
  'Service',
  'SoftwareApplication',
  'WebPage',
];

/** Values of `leadEndpoint`. */
export const leadEndpointsInUse = [
  '/api/cleanouts/quote',
  '/api/email-capture',
  '/api/lead/action',
  '/api/realestateanimated/invite',
];

/** Values of `mcpTools`. */
export const toolsInUse = [
  'get_generator_info',
  'get_hvac_services',
  'get_lastmile_info',
  'get_moving_info',
  'get_real_estate_info',
  'get_subsite_info',
  'get_trailer_fleet',
  'get_wd_pricing',
  'list_subsites',
  'search_shop_items',
];

/** Public snapshots and the subsite behind each. */
export const snapshotPaths = [
  '/api/agents/public',
  '/api/circle/stats',
  '/api/client/public',
  '/api/food/public',
  '/api/housing/pulse',
  '/api/leads/public',
  '/api/scan/public',
  '/api/video/public',
];

/** Fields of a subsite record: required, then optional. */
export const recordFields = {
  required: [
    'name',
    'title',
    'purpose',
    'url',
    'schemaType',
    'jsonEndpoints',
    'leadEndpoint',
    'leadSource',
    'shareEndpoint',
    'mcpTools',
    'category',
    'status',
    'actions',
    'manifestUrl',
    'fullUrl',
  ],
  optional: ['skipJsonLd', 'skipSitemap', 'serviceArea', 'availability', 'keywords', 'pricing'],
  /** Fields that the specification does not have. */
  added: ['hours', 'closedDays', 'afterHours', 'phone', 'emergency', 'timeZone'],
};

/** Members of the agent index. */
export const indexFields = {
  top: ['name', 'base', 'generatedAt', 'stats', 'discovery', 'endpoints', 'subsites'],
  discovery: ['agentCard', 'llmsTxt', 'llmsFullTxt', 'sitemap', 'robots', 'mcp', 'openapi'],
  endpoints: ['leadCapture', 'share', 'shareResolver', 'manifest'],
  /** Endpoints that the specification does not have. */
  addedEndpoints: ['leads', 'find', 'freeDays'],
};

/** Endpoints: method, path and declared statuses. */
export const endpoints: readonly [method: string, path: string, statuses: readonly string[]][] = [
  ['get', '/.well-known/agent-card.json', ['200']],
  ['get', '/api/agent-index', ['200']],
  ['get', '/api/agent/{name}', ['200', '404']],
  ['post', '/api/share', ['200']],
  ['get', '/s/{token}', ['302', '404']],
  ['post', '/api/email-capture', ['200', '400']],
  ['post', '/api/mcp', ['200']],
  ...snapshotPaths.map((path): [string, string, string[]] => ['get', path, ['200']]),
  ['get', '/api/openapi.json', ['200']],
  ['get', '/api/v1/capabilities', ['200']],
  ['get', '/api/v1/knowledge', ['200']],
  ['post', '/api/v1/mcp', ['200']],
  ['post', '/api/v1/agent-mcp', ['200', '401']],
  ['get', '/llms.txt', ['200']],
  ['get', '/llms-full.txt', ['200']],
  ['get', '/sitemap.xml', ['200']],
  ['get', '/robots.txt', ['200']],
  ['post', '/api/lead/action', ['200', '400']],
  ['get', '/api/lead/{receipt}', ['200', '404']],
  ['post', '/api/cleanouts/quote', ['200', '400']],
  ['post', '/api/realestateanimated/invite', ['200', '400']],
];
