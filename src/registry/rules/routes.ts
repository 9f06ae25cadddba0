import { duplicateViolations, sortOwnersFirst } from './duplicates.ts';
import { createLinkCheck } from './link-check.ts';
import { createAnchorLookup } from './page-anchors.ts';
import { findBrokenLinks } from './markdown-links.ts';
import { findRoutesWithPages } from './page-routes.ts';
import type { Violation, Rule } from './rule.ts';
import { recordOfPage } from '../../site/registry.ts';

const createDeadPathViolation = (record: string, path: Violation['path']): Violation => ({
  record,
  path,
  problem: 'has no page. Use the path of a page in this network.',
});

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
      const anchorsAt = createAnchorLookup(records, unreadable);
      /** The broken links in the text of the page at `pagePath`. */
      const findBrokenLinksIn = (
        text: string | undefined,
        record: string,
        path: Violation['path'],
        pagePath = '',
      ) =>
        findBrokenLinks(
          text,
          { isResolvable, anchorsOf: (address) => anchorsAt(address || pagePath) },
          { record, path },
        );
      for (const { name, intro, url } of records.subsites)
        yield* findBrokenLinksIn(intro, `subsites/${name}`, ['intro'], url);
      for (const page of records.pages)
        yield* findBrokenLinksIn(page.body, recordOfPage(page), [], page.path);
      for (const [name, { items, purchaseTerms = [] }] of Object.entries(records.catalogs)) {
        for (const [index, term] of purchaseTerms.entries())
          yield* findBrokenLinksIn(term, `catalog/${name}`, ['purchaseTerms', index]);
        for (const [index, { body }] of items.entries())
          yield* findBrokenLinksIn(body, `catalog/${name}`, ['items', index, 'body']);
      }
    },
  },
];
