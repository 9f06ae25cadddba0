import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { createAnchorLookup } from '../../src/registry/rules/page-anchors.ts';
import { classifyUnreadableRecords } from '../../src/registry/unreadable-records.ts';
import { toSectionAnchor } from '../../src/site/heading-anchor.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { findAttributeValues, readBuiltHtml } from './built-html.ts';

/** URL paths that have a route but no file. */
const ON_REQUEST_PATHS = ['/find', '/api/lead/action', '/api/email-capture', '/api/share'];

describe.each(['mainBuild', 'fourBuild'] as const)('the links of %s', (build) => {
  const outDir = inject(build);
  const { base, registry } = readBuiltSite(outDir);
  const pages = readBuiltHtml(outDir);
  const anchors = new Map(
    pages.map(({ path, html }) => [path, new Set(findAttributeValues(html, 'id'))]),
  );
  const shortLinks = new Set(registry.links.map(({ slug }) => `/go/${slug}`));
  const dynamicPaths = new Set([
    ...ON_REQUEST_PATHS,
    ...registry.subsites.map(({ leadEndpoint }) => leadEndpoint),
  ]);
  const exists = (path: string) =>
    anchors.has(path) ||
    shortLinks.has(path) ||
    dynamicPaths.has(path) ||
    path.startsWith('/free-days/') ||
    existsSync(join(outDir, 'client', decodeURIComponent(path)));

  it.each(pages)('lead on $path only to existing pages and anchors', ({ path, html }) => {
    const broken: string[] = [];
    for (const target of [
      ...findAttributeValues(html, 'href'),
      ...findAttributeValues(html, 'src'),
      ...findAttributeValues(html, 'action'),
    ]) {
      if (!URL.canParse(target, `${base}${path}`)) {
        broken.push(target);
        continue;
      }
      const url = new URL(target, `${base}${path}`);
      if (url.origin !== base) continue;
      const pageAnchors = anchors.get(url.pathname);
      if (!exists(url.pathname)) broken.push(target);
      else if (url.hash && pageAnchors && !pageAnchors.has(url.hash.slice(1))) broken.push(target);
    }
    expect(broken).toEqual([]);
  });

  it('may lead, in an operator’s text, to every part of a page that the check knows', () => {
    const anchorsAt = createAnchorLookup(registry, classifyUnreadableRecords([]));
    const refusedAnchors = [...anchors].flatMap(([path, ids]) => {
      const page = anchorsAt(path);
      const sections = page?.headings.map(toSectionAnchor);
      return [...ids]
        .filter((id) => page && !page.mayHave(id) && !sections?.includes(id))
        .map((id) => `${path}#${id}`);
    });
    expect(refusedAnchors).toEqual([]);
  });

  it('never lead to another origin without TLS', () => {
    const insecureLinks = pages
      .flatMap(({ html }) => findAttributeValues(html, 'href'))
      .filter((target) => target.startsWith('http:') && !target.startsWith(base));
    expect(insecureLinks).toEqual([]);
  });

  it('lead to every page from some other page', () => {
    const linkedPaths = new Set(
      pages.flatMap(({ html, path }) =>
        findAttributeValues(html, 'href')
          .filter((target) => target.startsWith('/'))
          .map((target) => new URL(target, base).pathname)
          .filter((target) => target !== path),
      ),
    );
    const unlinkedPages = pages
      .map(({ path }) => path)
      .filter((path) => !linkedPaths.has(path) && path !== '/404');
    expect(unlinkedPages).toEqual([]);
  });
});
