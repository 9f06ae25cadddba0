import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import {
  chooseImageGranularity,
  listSocialImages,
} from '../../src/components/social-image/choice.ts';
import { itemPath, type Registry } from '../../src/site/registry.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { readBuiltHtml } from './built-html.ts';

const findContent = (html: string, property: string) =>
  new RegExp(`<meta property="${property}" content="([^"]*)"`).exec(html)?.[1];

describe.each(['mainBuild', 'fourBuild'] as const)('the social images of %s', (build) => {
  const outDir = inject(build);
  const { registry, base } = readBuiltSite(outDir);
  const pages = readBuiltHtml(outDir);

  it('exist for each page that names an image, with the stated size and text', () => {
    const missingImages = pages.flatMap(({ path, html }) => {
      const image = findContent(html, 'og:image');
      if (image === undefined) return [];
      const file = join(outDir, 'client', image.slice(base.length));
      if (!existsSync(file)) return [path];
      const png = readFileSync(file);
      expect([png.readUInt32BE(16), png.readUInt32BE(20)], path).toEqual([1200, 630]);
      expect(findContent(html, 'og:image:alt')?.length, path).toBeGreaterThan(10);
      return [];
    });
    expect(missingImages).toEqual([]);
  });

  it('show the item and its title on an item page', () => {
    for (const { name } of registry.subsites) {
      const catalog = registry.catalogs[name];
      for (const item of catalog?.items ?? []) {
        const path = itemPath(catalog!, item);
        if (!path) continue;
        const { html } = pages.find((page) => page.path === path)!;
        expect(findContent(html, 'og:image')).toBe(`${base}/og/item-${name}-${item.id}.png`);
      }
    }
  });
});

describe('the social images of a network', () => {
  const { registry } = readBuiltSite(inject('mainBuild'));
  const [subsite] = registry.subsites;
  const createRegistryOfSize = (count: number): Registry => ({
    ...registry,
    catalogs: {},
    subsites: Array.from({ length: count }, (_, index) => ({ ...subsite!, name: `s${index}` })),
  });

  it('have unique names', () => {
    const names = listSocialImages(registry).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('are fewer if drawing them would take most of the build time', () => {
    const listedCatalog = Object.values(registry.catalogs).find(({ route }) => route)!;
    const largeCatalog = {
      ...listedCatalog,
      items: Array.from({ length: 240 }, () => listedCatalog.items[0]!),
    };
    expect(chooseImageGranularity(registry)).toBe('items');
    expect(
      chooseImageGranularity({ ...registry, catalogs: { [subsite!.name]: largeCatalog } }),
    ).toBe('subsites');
    expect(chooseImageGranularity(createRegistryOfSize(121))).toBe('categories');
    expect(listSocialImages(createRegistryOfSize(121)).length).toBeLessThan(20);
  });
});
