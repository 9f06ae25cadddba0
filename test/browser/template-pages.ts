import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesOfSite, type SitePage } from '../../src/site/pages-of-site.ts';
import type { Site } from '../../src/site/site.ts';

/** The site that a build contains. */
export function readBuiltSite(outDir: string): Site {
  return JSON.parse(readFileSync(join(outDir, 'site.json'), 'utf8')) as Site;
}

/** Traits that make a page look different from other pages of its kind. */
function traitsOf(page: SitePage, site: Site): string[] {
  if (page.kind !== 'subsite')
    return page.kind === 'page'
      ? [
          page.page.items ? 'page with items' : 'page',
          ...(page.page.tool ? [`tool ${page.page.tool}`] : []),
        ]
      : [page.kind];
  const { subsite } = page;
  const catalog = site.registry.catalogs[subsite.name];
  const items = catalog?.items ?? [];
  return [
    `subsite ${subsite.status} ${subsite.category}`,
    ...(items.some(({ attributes = {} }) => attributes.length_ft && attributes.width_ft)
      ? ['drawn to scale']
      : []),
    ...(catalog
      ? [`catalog ${catalog.schemaType} ${catalog.route ? 'with pages' : 'in place'}`]
      : []),
    ...subsite.actions.map((action) => `action ${action.effect?.kind ?? 'plain'}`),
  ];
}

/**
 * A small set of pages that covers every kind of page and every trait, and therefore every
 * template.
 */
export function selectTemplatePages(outDir: string): SitePage[] {
  const site = readBuiltSite(outDir);
  const coveredTraits = new Set<string>();
  return pagesOfSite(site).filter((page) => {
    const newTraits = traitsOf(page, site).filter((trait) => !coveredTraits.has(trait));
    for (const trait of newTraits) coveredTraits.add(trait);
    return newTraits.length > 0;
  });
}
