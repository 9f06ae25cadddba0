import { duplicateViolations, sortOwnersFirst } from './duplicates.ts';
import { createLinkCheck } from './link-check.ts';
import { findRoutesWithPages } from './page-routes.ts';
import type { Violation, Rule } from './rule.ts';
import { recordOfPage } from '../../site/registry.ts';

const createDeadPathViolation = (record: string, path: Violation['path']): Violation => ({
  record,
  path,
  problem: 'has no page. Use the path of a page in this network.',
});

const LINK_PATTERN = /(?<=\]\()\/[^)\s]*/g;

function* findBrokenLinks(
  markdown: string | undefined,
  isResolvable: (link: string) => boolean,
  record: string,
  path: Violation['path'],
): Generator<Violation> {
  for (const [match, [link]] of [...(markdown?.matchAll(LINK_PATTERN) ?? [])].entries())
    if (!isResolvable(link))
      yield {
        record,
        path,
        problem: `links to ${link}, which has no page. Link to a page in this network.`,
        location: { pattern: LINK_PATTERN, match },
      };
}

export const routeRules: Rule[] = [
  {
    name: 'route-has-page',
    description: 'Each public or supporting route has a page or a catalog behind it.',
    *check(records, unreadable) {
      if (records.network.agentArea === undefined) return;
      const pageRoutes = findRoutesWithPages(records);
      for (const [index, { path, audience }] of records.routes.entries())
        if (audience !== 'machine' && !pageRoutes.has(path) && !unreadable.mayServe(path))
          yield {
            record: 'routes/routes',
            path: [index, 'path'],
            problem:
              'has no page. Add a page, a catalog with this route, or a subsite with this url.',
          };
    },
  },
  {
    name: 'unique-route',
    description: 'Routes are unique.',
    check: ({ routes }) =>
      duplicateViolations(
        routes.map(({ path }, index) => ({
          record: 'routes/routes',
          path: [index, 'path'],
          value: path,
        })),
        () => 'is repeated. Remove the duplicate.',
      ),
  },
  {
    name: 'unique-catalog-route',
    description: 'Each catalog has its own route.',
    check: ({ catalogs }) =>
      duplicateViolations(
        sortOwnersFirst(Object.entries(catalogs), ([name, { route }]) =>
          Boolean(route?.startsWith(`/${name}/`)),
        ).flatMap(([name, { route }]) =>
          route === undefined
            ? []
            : [
                {
                  record: `catalog/${name}`,
                  path: ['route'],
                  // Routes that differ only in the name of the parameter contain the same pages.
                  value: route.replace(/\[[a-z]+\]/, '[]'),
                },
              ],
        ),
        (first) => `is already the route of ${first.record}. Use another route.`,
      ),
  },
  {
    name: 'page-items',
    description: 'A page lists items from an existing catalog.',
    *check(records, unreadable) {
      for (const page of records.pages)
        if (
          page.items &&
          !records.catalogs[page.items.catalog] &&
          !unreadable.hasRecord(`catalog/${page.items.catalog}`)
        )
          yield {
            record: recordOfPage(page),
            path: ['items', 'catalog'],
            problem: `has no catalog. Known: ${Object.keys(records.catalogs).join(', ')}.`,
          };
    },
  },
  {
    name: 'capability-route',
    description: 'A capability’s route and evidence have pages.',
    *check(records, unreadable) {
      const isResolvable = createLinkCheck(records, unreadable);
      const record = 'capabilities/capabilities';
      for (const [index, { route, evidence }] of records.capabilities.entries()) {
        if (!isResolvable(route)) yield createDeadPathViolation(record, [index, 'route']);
        for (const [position, path] of evidence.entries())
          if (!isResolvable(path))
            yield createDeadPathViolation(record, [index, 'evidence', position]);
      }
    },
  },
  {
    name: 'links-resolve',
    description: 'Short links and links in prose lead to existing pages.',
    *check(records, unreadable) {
      const isResolvable = createLinkCheck(records, unreadable);
      for (const [index, { target }] of records.links.entries())
        if (!/^\/(?![/\\])/.test(target) || !isResolvable(target))
          yield createDeadPathViolation('links/links', [index, 'target']);
      const { terms, security } = records.network;
      if (terms !== undefined && !isResolvable(terms))
        yield createDeadPathViolation('network/network', ['terms']);
      if (security && !isResolvable(security.policy))
        yield createDeadPathViolation('network/network', ['security', 'policy']);
      for (const { name, intro } of records.subsites)
        yield* findBrokenLinks(intro, isResolvable, `subsites/${name}`, ['intro']);
      for (const page of records.pages)
        yield* findBrokenLinks(page.body, isResolvable, recordOfPage(page), []);
      for (const [name, { items, purchaseTerms = [] }] of Object.entries(records.catalogs)) {
        for (const [index, term] of purchaseTerms.entries())
          yield* findBrokenLinks(term, isResolvable, `catalog/${name}`, ['purchaseTerms', index]);
        for (const [index, { body }] of items.entries())
          yield* findBrokenLinks(body, isResolvable, `catalog/${name}`, ['items', index, 'body']);
      }
    },
  },
];
