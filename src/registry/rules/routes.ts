import { duplicateViolations, sortOwnersFirst } from './duplicates.ts';
import { createLinkCheck } from './link-check.ts';
import { createAnchorLookup } from './page-anchors.ts';
import { describePathFault, findBrokenLinks } from './markdown-links.ts';
import { findRoutesWithPages } from './page-routes.ts';
import type { Violation, Rule } from './rule.ts';
import { recordOfPage } from '../../site/registry.ts';

/** Returns a check of a path in a record. */
const createPathCheck = (describeFault: ReturnType<typeof createLinkCheck>) =>
  function* checkPath(
    target: string | undefined,
    record: string,
    path: Violation['path'],
  ): Generator<Violation> {
    const problem = target === undefined ? undefined : describeFault(target);
    if (problem !== undefined) yield { record, path, problem };
  };

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
      const checkPath = createPathCheck(createLinkCheck(records, unreadable));
      const record = 'capabilities/capabilities';
      for (const [index, { route, evidence }] of records.capabilities.entries()) {
        yield* checkPath(route, record, [index, 'route']);
        for (const [position, path] of evidence.entries())
          yield* checkPath(path, record, [index, 'evidence', position]);
      }
    },
  },
  {
    name: 'links-resolve',
    description: 'Short links and links in prose lead to existing pages.',
    *check(records, unreadable) {
      const describeDeadLink = createLinkCheck(records, unreadable);
      const anchorsAt = createAnchorLookup(records, unreadable);
      const checkPath = createPathCheck((target) =>
        describePathFault(target, { describeDeadLink, anchorsOf: anchorsAt }),
      );
      for (const [index, { target }] of records.links.entries())
        yield* checkPath(target, 'links/links', [index, 'target']);
      const { terms, security } = records.network;
      yield* checkPath(terms, 'network/network', ['terms']);
      yield* checkPath(security?.policy, 'network/network', ['security', 'policy']);
      /** The broken links in the text of the page at `pagePath`. */
      const findBrokenLinksIn = (
        text: string | undefined,
        record: string,
        path: Violation['path'],
        pagePath = '',
      ) =>
        findBrokenLinks(
          text,
          { describeDeadLink, anchorsOf: (address) => anchorsAt(address || pagePath) },
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
