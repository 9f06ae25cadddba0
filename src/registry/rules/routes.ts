import { duplicateViolations, sortOwnersFirst } from './duplicates.ts';
import { createLinkCheck } from './link-check.ts';
import { createAnchorLookup } from './page-anchors.ts';
import { describePathFault, findBrokenLinks } from './markdown-links.ts';
import { findRoutesWithPages } from './page-routes.ts';
import type { Violation, Rule } from './rule.ts';
import { entriesIn, memberOf } from '../../site/json-object.ts';
import { recordOfPage } from '../../site/registry.ts';
import type { RecordPath } from '../fault.ts';
import type { UnreadableRecord } from '../unreadable-records.ts';

/** Creates a check of a path in a record. */
const createPathCheck = (describeFault: ReturnType<typeof createLinkCheck>) =>
  function* checkPath(
    target: string | undefined,
    record: string,
    path: Violation['path'],
  ): Generator<Violation> {
    const problem = target === undefined ? undefined : describeFault(target);
    if (problem !== undefined) yield { record, path, problem };
  };

/** Yields the Markdown texts in a record, which may have faults, and the body of a page. */
function* listTexts(data: unknown, body?: string): Generator<[path: RecordPath, text: string]> {
  if (body) yield [[], body];
  const texts: [path: RecordPath, text: unknown][] = [
    [['intro'], memberOf(data, 'intro')],
    ...entriesIn(memberOf(data, 'purchaseTerms')).map((term, index): [RecordPath, unknown] => [
      ['purchaseTerms', index],
      term,
    ]),
    ...entriesIn(memberOf(data, 'items')).map((item, index): [RecordPath, unknown] => [
      ['items', index, 'body'],
      memberOf(item, 'body'),
    ]),
  ];
  for (const [path, text] of texts) if (typeof text === 'string') yield [path, text];
}

export const routeRules: Rule[] = [
  {
    name: 'route-has-page',
    description: 'Each public or supporting route has a page or a catalog behind it.',
    *check(records, unreadable) {
      if (records.network.agentArea === undefined) return;
      const pageRoutes = findRoutesWithPages(records);
      for (const [index, { path, audience }] of records.routes.entries())
        if (audience !== 'machine' && !pageRoutes.has(path) && !unreadable.mayDefinePath(path))
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
                  // Routes that differ only in the name of the parameter match the same pages.
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
    description: 'A capability’s route and evidence are paths of existing pages.',
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
      const describeBrokenLink = createLinkCheck(records, unreadable);
      const anchorsAt = createAnchorLookup(records, unreadable);
      const checkPath = createPathCheck((target) =>
        describePathFault(target, { describeBrokenLink, anchorsOf: anchorsAt }),
      );
      const { terms, security } = records.network;
      yield* checkPath(terms, 'network/network', ['terms']);
      yield* checkPath(security?.policy, 'network/network', ['security', 'policy']);
      /**
       * Finds the broken links in a record; a link that is only an anchor refers to the page at
       * `pagePath`.
       */
      function* findBrokenLinksIn(
        record: string,
        { data, body }: Pick<UnreadableRecord, 'data' | 'body'>,
        pagePath = '',
      ): Generator<Violation> {
        const anchorsOf = (address: string) => anchorsAt(address || pagePath);
        for (const [path, text] of listTexts(data, body))
          yield* findBrokenLinks(text, { describeBrokenLink, anchorsOf }, { record, path });
        if (record === 'links/links')
          for (const [index, link] of entriesIn(data).entries()) {
            const target = memberOf(link, 'target');
            if (typeof target === 'string') yield* checkPath(target, record, [index, 'target']);
          }
      }
      yield* findBrokenLinksIn('links/links', { data: records.links });
      for (const subsite of records.subsites)
        yield* findBrokenLinksIn(`subsites/${subsite.name}`, { data: subsite }, subsite.url);
      for (const page of records.pages)
        yield* findBrokenLinksIn(recordOfPage(page), { data: page, body: page.body }, page.path);
      for (const [name, catalog] of Object.entries(records.catalogs))
        yield* findBrokenLinksIn(`catalog/${name}`, { data: catalog });
      for (const { kind, key, data, body } of unreadable.parsedRecords)
        yield* findBrokenLinksIn(`${kind}/${key}`, { data, ...(body !== undefined && { body }) });
    },
  },
];
