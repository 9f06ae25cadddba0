import type { Registry } from '../registry.ts';
import type { Breach, Rule } from './rule.ts';

/** Pages that the service makes of the whole registry rather than of one record. */
const generatedPages = ({ network }: Registry) => [network.agentArea, `${network.agentArea}/[id]`];

/** Paths that have a page: subsites, Markdown pages, item routes and generated pages. */
function pagedRoutes(registry: Registry): Set<string> {
  return new Set([
    ...registry.subsites.map((subsite) => subsite.url),
    ...registry.pages.map((page) => page.path),
    ...Object.values(registry.catalogs).flatMap((catalog) => catalog.route ?? []),
    ...generatedPages(registry),
  ]);
}

/** Whether a site-relative link leads to something that this network serves. */
function resolver(registry: Registry): (link: string) => boolean {
  const paged = pagedRoutes(registry);
  const items = new Set(Object.values(registry.catalogs).flatMap((catalog) => catalog.items.map((item) => catalog.route?.replace(/\[[a-z]+\]/, item.id))));
  const machine = registry.routes.filter((route) => route.audience === 'machine').map((route) => route.path);
  const goLinks = new Set(registry.links.map((link) => `/go/${link.slug}`));
  const area = `${registry.network.agentArea}/`;
  return (link) => {
    const path = link.replace(/[?#].*$/, '') || '/';
    return paged.has(path) || items.has(path) || machine.includes(path) || goLinks.has(path) || path.startsWith(area) || /^\/(?:problems|api|sitemap\.xml|robots\.txt|\.well-known|a2a)(?:\/|$)/.test(path);
  };
}

const LINK = /\]\((\/[^)\s]*)\)/g;

function* brokenLinks(markdown: string | undefined, resolves: (link: string) => boolean, record: string, path: Breach['path']): Generator<Breach> {
  for (const [, link] of markdown?.matchAll(LINK) ?? []) if (!resolves(link!)) yield { record, path, problem: `links to ${link}, which has no page. Correct the link.` };
}

/** Routes, pages and links agree: what is announced exists, and what is linked resolves. */
export const routeRules: Rule[] = [
  {
    name: 'route-has-page',
    description: 'Each public or supporting route has a page or a catalog behind it.',
    *check(registry, broken) {
      if (broken.size) return;
      const paged = pagedRoutes(registry);
      for (const [index, { path, audience }] of registry.routes.entries())
        if (audience !== 'machine' && !paged.has(path)) yield { record: 'routes/routes', path: [index, 'path'], problem: 'has no page. Add a page, a catalog with this route, or a subsite with this url.' };
    },
  },
  {
    name: 'unique-route',
    description: 'No route stands twice, and no page stands at another page’s address.',
    *check(registry) {
      for (const [index, { path }] of registry.routes.entries())
        if (registry.routes.findIndex((other) => other.path === path) < index) yield { record: 'routes/routes', path: [index, 'path'], problem: 'stands twice. Keep one.' };
      const urls = new Set(registry.subsites.map((subsite) => subsite.url));
      for (const page of registry.pages)
        if (urls.has(page.path)) yield { record: `pages${page.path === '/' ? '/index' : page.path}`, path: [], problem: 'stands at the url of a subsite. Write the text into the subsite’s intro and remove the page.' };
    },
  },
  {
    name: 'item-route',
    description: 'An item’s page does not stand at the address of another page.',
    *check(registry) {
      const taken = new Set([...registry.subsites.map((subsite) => subsite.url), ...registry.pages.map((page) => page.path)]);
      for (const [name, catalog] of Object.entries(registry.catalogs))
        for (const [index, item] of catalog.items.entries()) {
          const path = catalog.route?.replace(/\[[a-z]+\]/, item.id);
          if (path && taken.has(path)) yield { record: `catalog/${name}`, path: ['items', index, 'id'], problem: `puts the item at ${path}, where a page stands already. Rename it.` };
        }
    },
  },
  {
    name: 'page-items',
    description: 'A page lists items of a catalog that exists.',
    *check(registry, broken) {
      for (const page of registry.pages)
        if (page.items && !registry.catalogs[page.items.catalog] && !broken.has(`catalog/${page.items.catalog}`))
          yield { record: `pages${page.path === '/' ? '/index' : page.path}`, path: ['items', 'catalog'], problem: `has no catalog. Known: ${Object.keys(registry.catalogs).join(', ')}.` };
    },
  },
  {
    name: 'capability-route',
    description: 'A capability’s route and evidence have a page.',
    *check(registry, broken) {
      if (broken.size) return;
      const resolves = resolver(registry);
      for (const [index, { route, evidence }] of registry.capabilities.entries()) {
        if (!resolves(route)) yield { record: 'capabilities/capabilities', path: [index, 'route'], problem: 'has no page. Correct it.' };
        for (const [at, path] of evidence.entries()) if (!resolves(path)) yield { record: 'capabilities/capabilities', path: [index, 'evidence', at], problem: 'has no page. Correct it.' };
      }
    },
  },
  {
    name: 'links-resolve',
    description: 'Short links and links in prose lead to a page that exists.',
    *check(registry, broken) {
      if (broken.size) return;
      const resolves = resolver(registry);
      for (const [index, { target }] of registry.links.entries())
        if (!/^\/(?![/\\])/.test(target) || !resolves(target)) yield { record: 'links/links', path: [index, 'target'], problem: 'leads nowhere in this network. Write the path of a page.' };
      const { terms } = registry.network;
      if (terms !== undefined && !resolves(terms)) yield { record: 'network/network', path: ['terms'], problem: 'has no page. Correct the path.' };
      if (!resolves(registry.network.security.policy)) yield { record: 'network/network', path: ['security', 'policy'], problem: 'has no page. Correct the path.' };
      for (const { name, intro } of registry.subsites) yield* brokenLinks(intro, resolves, `subsites/${name}`, ['intro']);
      for (const page of registry.pages) yield* brokenLinks(page.body, resolves, `pages${page.path === '/' ? '/index' : page.path}`, []);
      for (const [name, { items }] of Object.entries(registry.catalogs))
        for (const [index, { body }] of items.entries()) yield* brokenLinks(body, resolves, `catalog/${name}`, ['items', index, 'body']);
    },
  },
];
