import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/fault.ts';
import { readRegistry } from '../../src/registry/read.ts';
import { createLinkCheck } from '../../src/registry/rules/link-check.ts';
import { classifyUnreadableRecords } from '../../src/registry/unreadable-records.ts';
import { listPlacements } from '../../src/artifacts/index.ts';
import { LINKABLE_SERVICE_PATHS } from '../../src/site/developer/service-paths.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import type { Context } from '../../src/operation/context.ts';
import { networks } from '../artifacts/networks.ts';
import { createTestApp } from '../transports/setup/send.ts';
import { type EditableRecord, createSampleFiles, toSources } from './sample-registry.ts';

/** Problems in the sample registry after adding a page that links to the paths. */
function findProblems(
  links: readonly string[],
  edit: (files: Record<string, EditableRecord>) => void = () => {},
): string[] {
  const files = createSampleFiles();
  files['pages/kites/terms.md']!.body = links.map((link) => `[Read](${link})`).join(' ');
  edit(files);
  try {
    readRegistry('registry', toSources(files));
  } catch (error) {
    return (error as RegistryError).faults.map(({ problem }) => problem);
  }
  return [];
}

describe('a link in prose', () => {
  it.each([
    '/',
    '/index.md',
    '/kites',
    '/kites.md',
    '/kites/delta#more',
    '/kites/delta.md',
    '/kites/terms.md',
    '/agents/api',
    '/agents/kites.help',
    '/agents/company.assist.md',
    '/find?q=kite',
    '/free-days/kites/delta',
    '/search-index.json',
    '/go/kites',
    '/llms.txt',
    '/problems/not_found',
    '/problems/not_found.md',
    '/api/agent-index',
    '/api/agent/lines',
    '/api/lines/public',
    '/.well-known/agent-skills/kites/SKILL.md',
  ])('may lead to %s, which is served', (link) => {
    expect(findProblems([link])).toEqual([]);
  });

  it.each([
    '/agents/nope',
    '/agents/lines.help',
    '/problems/nope',
    '/api/nope',
    '/api/agent/nope',
    '/api/agent-index/nope',
    '/llms.txt/nope',
    '/kites/nope.md',
    '/kites/feed.xml',
    '/free-days/kites/nope',
    '/free-days/lines/delta',
    '/.well-known/nope',
    '/find/nope',
    '/biz/nope',
  ])('must not lead to %s, which is not served', (link) => {
    expect(findProblems([link])).toEqual([
      expect.stringMatching(
        /^links to \S+, which has no page\. (?:Use the path of a page in this network\.|Did you mean \S+\?)$/,
      ),
    ]);
  });

  it.each([
    ['/kitess', '/kites'],
    ['/kitse/terms', '/kites/terms'],
    ['/kites/term?a=b#c', '/kites/terms'],
    ['/llm.txt', '/llms.txt'],
  ])('with a typo, %s, gets the path that is close: %s', (link, path) => {
    expect(
      findProblems([link], (files) => (files['links.yaml']![0].target = link)).toSorted(),
    ).toEqual([
      `has no page. Did you mean ${path}?`,
      `links to ${link}, which has no page. Did you mean ${path}?`,
    ]);
  });

  it.each([
    ['kites', 'has no page. Did you mean /kites?'],
    ['kite', 'has no page. Did you mean /kites?'],
    ['#more', 'has no page. Did you mean /?'],
    ['https://example.com/x', 'is not in this network. Use the path of one of its pages.'],
    ['/kites#nosuch', 'is not a section of that page. Link to /kites without an anchor.'],
    ['/kites#guid', 'is not a section of that page. Did you mean /kites#guide?'],
  ])('of links.yaml must not be %s', (target, problem) => {
    expect(findProblems([], (files) => (files['links.yaml']![0].target = target))).toEqual([
      problem,
    ]);
  });

  it.each(['/kites#guide', '/kites/terms?x=1', '/kites/terms#content'])(
    'of links.yaml may be %s',
    (target) => {
      expect(findProblems([], (files) => (files['links.yaml']![0].target = target))).toEqual([]);
    },
  );

  it.each([
    'https://example.com/a',
    'http://example.com',
    'HTTPS://example.com',
    'mailto:ada@example.com',
    'tel:+17275550142',
    'sms:+17275550142',
  ])('may lead to %s, outside the network', (link) => {
    expect(findProblems([link])).toEqual([]);
  });

  it.each(['javascript:alert(1)', 'htp://example.com', 'http:/x', 'mailto:ada', 'kites', '?q=x'])(
    'must not lead to %s, which is not an address',
    (link) => {
      expect(findProblems(['/kites', link])).toEqual([
        `links to ${link}, which is not an address. Use a path such as /terms, or an address with https://, mailto:, tel: or sms:.`,
      ]);
    },
  );

  it.each([
    ['#late-return', ''],
    ['/kites/terms#late-return', '/kites/terms'],
  ])('must not lead to the heading %s without the prefix of its anchor', (link, path) => {
    const write = (files: Record<string, EditableRecord>) =>
      (files['pages/kites/terms.md']!.body =
        `## Late return\n\n[a](${link}) [b](${path}#section-late-return) [c](/kites#guide)`);
    expect(findProblems([], write)).toEqual([
      `links to ${link}, which is not the anchor of that heading. Use ${path}#section-late-return.`,
    ]);
  });

  it.each([
    ['#nosuch', 'Known: #section-late-return, #section-price'],
    ['/kites/terms#nosuch', 'Known: #section-late-return, #section-price'],
    ['/kites/terms?x=1#section-prise', 'Did you mean /kites/terms#section-price?'],
    ['/kites/terms#items', 'Known: #section-late-return, #section-price'],
    ['/kites#nosuch', 'Link to /kites without an anchor'],
    ['/kites#guid', 'Did you mean /kites#guide?'],
    ['/kites#section-price', 'Link to /kites without an anchor'],
    ['/kites#delta', 'Link to /kites without an anchor'],
    ['/lines#book_kite', 'Link to /lines without an anchor'],
  ])('must not lead to %s, which is not a section of the page', (link, advice) => {
    const write = (files: Record<string, EditableRecord>) =>
      (files['pages/kites/terms.md']!.body = `## Late return\n\n## Price\n\n[a](${link})`);
    expect(findProblems([], write)).toEqual([
      `links to ${link}, which is not a section of that page. ${advice}${advice.endsWith('?') ? '' : '.'}`,
    ]);
  });

  it.each([
    '#content',
    '/kites#guide',
    '/kites#book_kite',
    '/kites#book_kite-form-fields-from',
    '/kites/terms#:~:text=kite',
    '/agents#anything',
    '/#anything',
    '/kites/delta#others',
    '/find#q',
  ])('may lead to %s, which is a part of a page or may be one', (link) => {
    expect(findProblems([link])).toEqual([]);
  });

  it('may lead to a heading whose anchor another heading has without the prefix', () => {
    const write = (files: Record<string, EditableRecord>) =>
      (files['pages/kites/terms.md']!.body = '## Foo\n\n## Section Foo\n\n[a](#section-foo)');
    expect(findProblems([], write)).toEqual([]);
  });

  it('is not recognized in code, where brackets have other meanings', () => {
    const write = (files: Record<string, EditableRecord>) =>
      (files['pages/kites/terms.md']!.body = 'Run `calls[0](event)`:\n\n```\ncalls[1](nope)\n```');
    expect(findProblems([], write)).toEqual([]);
  });

  it('is located at each of its occurrences', () => {
    const files = createSampleFiles();
    files['pages/kites/terms.md']!.body =
      'A\n[b](/kites/x) [c](/kites)\n[d](/kites/x) [e](<htp:x>)';
    expect(() => readRegistry('registry', toSources(files))).toThrow(
      /:7:5 links to \/kites\/x,.*\n.*:8:5 links to \/kites\/x,.*\n.*:8:20 links to htp:x,/,
    );
  });

  it('may lead to the feeds of articles', () => {
    const links = ['/kites/feed.xml', '/kites/feed.json'];
    const publish = (files: Record<string, EditableRecord>) =>
      (files['catalog/kites.yaml']!.schemaType = 'Article');
    expect(findProblems(links, publish)).toEqual([]);
  });

  it('must not lead to the skill of a subsite whose guide is not published', () => {
    const link = '/.well-known/agent-skills/kites/SKILL.md';
    for (const change of [{ status: 'auth' }, { guide: [] }])
      expect(
        findProblems([link], (files) => Object.assign(files['subsites/kites.yaml']!, change)),
      ).toContain(`links to ${link}, which has no page. Use the path of a page in this network.`);
  });

  it('may lead to paths that an unreadable record may have', () => {
    const links = ['/lines.md', '/lines/feed.xml', '/api/lines/public', '/agents/lines.help'];
    const breakRecord = (files: Record<string, EditableRecord>) =>
      (files['subsites/lines.yaml']!.category = 'nope');
    const problems = findProblems(links, breakRecord);
    expect(problems).toHaveLength(1);
    expect(problems[0]).not.toMatch(/has no page/);
  });
});

describe.each(networks)('the fixed paths of $name', ({ site }) => {
  const appRoutes = createTestApp({ context: { site } as Context }).routes;
  const staticFiles = globSync(['public/*', 'src/pages/*.*.ts']).map((file) =>
    file.replace(/^public|^src\/pages|\.ts$/g, ''),
  );
  const documents = listPlacements(site).flatMap(({ path, aliases }) => [path, ...aliases]);
  const pages = pagesOfSite(site).map(({ path }) => path);
  const servedPaths = [
    ...documents,
    ...pages,
    ...staticFiles.filter((path) => !path.includes('[')),
  ];

  it('may all be linked to', () => {
    const describeBrokenLink = createLinkCheck(site.registry, classifyUnreadableRecords([]));
    expect(servedPaths.flatMap((path) => describeBrokenLink(path) ?? [])).toEqual([]);
  });

  it('include each service path that records may link to', () => {
    const routes = appRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path);
    const isServed = (path: string) =>
      [path, path.replace(/\/sandbox$/, '/:')].some(
        (address) =>
          servedPaths.includes(address) ||
          routes.some((route) => route === address || route.replace(/:\w+$/, ':') === address),
      );
    expect(LINKABLE_SERVICE_PATHS.filter((path) => !isServed(path))).toEqual([]);
  });
});
