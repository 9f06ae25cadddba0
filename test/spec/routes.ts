const under = (root: string, ...leaves: string[]) => [root, ...leaves.map((leaf) => `${root}/${leaf}`)];

/** spec.md "Public route paths", by audience. */
export const specRoutes: Readonly<Record<'machine' | 'supporting' | 'public', readonly string[]>> = {
  machine: ['/.well-known/agent-card.json', '/api/agent-index', '/api/openapi.json', '/api/v1/capabilities', '/api/v1/knowledge', '/api/v1/mcp', '/llms.txt', '/llms-full.txt'],
  supporting: ['/advertising', '/leads/pricing', '/pools', '/pools/[sku]'],
  public: [
    '/', '/about', '/agent', '/animate/demo', '/animate/privacy', '/animate/terms',
    ...under('/blog', '[slug]'), ...under('/cleanouts', 'privacy', 'terms'), '/crazybins', '/data-retention',
    ...under('/estate', 'our-work', 'privacy', 'terms', 'sales/[slug]'), ...under('/fit', '[code]'), ...under('/game', 'classic'),
    '/generator', '/homes', '/housing', '/hvac', ...under('/live', 'reselling', 'sell'), '/markets', '/post', '/privacy', '/real-estate-agent/[slug]', '/realestateanimated',
    ...under('/rental', 'terms'), ...under('/sales', 'terms'), '/security', ...under('/services', 'agent', 'agent/[id]'),
    ...under('/shop', '[id]', 'disclosure', 'guides/best-kitchen-gadgets-under-50', 'haul', 'picks', 'reviews', 'sold'),
    '/start', '/terms', ...under('/tools', 'digital-presence-audit', 'lead-follow-up-audit', 'missed-call-calculator', 'phone-presence-audit'),
    ...under('/trailer', 'privacy', 'terms'), ...under('/wd', 'privacy', 'terms'),
  ],
};
