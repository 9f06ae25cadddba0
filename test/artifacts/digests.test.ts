import { describe, expect, it } from 'vitest';
import { type Placement, listPlacements, renderDocument } from '../../src/artifacts/index.ts';
import { computePageKey } from '../../src/components/page-key.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import type { Registry } from '../../src/site/registry.ts';
import type { Site } from '../../src/site/site.ts';
import { networks } from './networks.ts';

type Writable<Value> = Value extends object
  ? { -readonly [Name in keyof Value]: Writable<Value[Name]> }
  : Value;

/** Registry edits that operators may make. */
const edits: Record<string, (registry: Writable<Registry>) => unknown> = {
  'the purpose of a subsite': ({ subsites }) => (subsites[1]!.purpose = 'Another purpose.'),
  'the title of a subsite': ({ subsites }) => (subsites[1]!.title = 'Another title'),
  'the category of a subsite': ({ subsites }) => (subsites[1]!.category = 'misc'),
  'the facts of a subsite': ({ subsites }) => (subsites[2]!.facts = ['Another statement.']),
  'the title of an item': ({ catalogs }) =>
    (Object.values(catalogs)[0]!.items[0]!.title = 'Another item'),
  'a removed item': ({ catalogs }) => Object.values(catalogs)[0]!.items.pop(),
  'a removed subsite': ({ subsites }) => subsites.pop(),
  'the body of a page': ({ pages }) => (pages[1]!.body = 'Another text.'),
  'the title of a page': ({ pages }) => (pages[1]!.title = 'Another page'),
  'the title of a capability': ({ capabilities }) =>
    (capabilities[0]!.title = 'Another capability'),
  'the phone number of the organization': ({ network }) =>
    (network.organization.phone = '(727) 555-0199'),
  'the measured response times': ({ subsites, responsiveness }) =>
    (responsiveness[subsites[0]!.name] = {
      answered: 20,
      of: 30,
      medianMinutes: 9,
      since: '2026-01-01',
    }),
};

/** The site after an edit. */
function withEdit(
  { registry, ...rest }: Site,
  edit: (registry: Writable<Registry>) => unknown,
): Site {
  const copy: unknown = structuredClone(registry);
  edit(copy as Writable<Registry>);
  return { ...rest, registry: copy as Registry };
}

const digestOf = ({ artifact, key }: Placement, site: Site) => artifact.digest?.(key, site);
const byPath = (site: Site) =>
  new Map(listPlacements(site).map((placement) => [placement.path, placement]));

/** Paths of documents that changed although their digest did not. */
function findReusedPaths(siteBefore: Site, siteAfter: Site): string[] {
  const placementsAfter = byPath(siteAfter);
  return listPlacements(siteBefore)
    .filter((placement) => {
      const other = placementsAfter.get(placement.path);
      const digest = digestOf(placement, siteBefore);
      return other && digest !== undefined && digest === digestOf(other, siteAfter);
    })
    .map(({ path }) => path);
}

const bytesAt = (site: Site, paths: readonly string[]) => {
  const placementsByPath = byPath(site);
  return paths.map((path) => [
    path,
    renderDocument(placementsByPath.get(path)!.artifact, placementsByPath.get(path)!.key, site),
  ]);
};

describe.each(networks)('the digests of the documents of $name', ({ site }) => {
  it.each(Object.keys(edits))('never reuse a document that shows %s', (name) => {
    const editedSite = withEdit(site, edits[name]!);
    const paths = findReusedPaths(site, editedSite);
    expect(bytesAt(editedSite, paths)).toEqual(bytesAt(site, paths));
    expect(editedSite.registry).not.toEqual(site.registry);
  });

  it('reuse the documents of all other subsites when one subsite is edited', () => {
    const { name } = site.registry.subsites[1]!;
    const reused = findReusedPaths(site, withEdit(site, edits['the purpose of a subsite']!));
    const manifests = site.registry.subsites.map((subsite) => `/api/agent/${subsite.name}`);
    expect(manifests.filter((path) => !reused.includes(path))).toEqual([`/api/agent/${name}`]);
  });

  it('never reuse a document that contains the build time, the site URL, or a signing key', () => {
    const laterSite = { ...site, generatedAt: '2030-01-01T00:00:00.000Z' };
    const paths = findReusedPaths(site, laterSite);
    expect(paths.length).toBeGreaterThan(site.registry.subsites.length);
    expect(bytesAt(laterSite, paths)).toEqual(bytesAt(site, paths));
    expect(findReusedPaths(site, { ...site, base: 'https://elsewhere.example' })).toEqual([]);
    expect(findReusedPaths(site, { ...site, dynamic: false })).toEqual([]);
  });

  it('change for the items with a tag when the page that explains the tag changes', () => {
    const itemKeysOf = (current: Site) =>
      pagesOfSite(current)
        .filter((page) => page.kind === 'item' && page.subsite.name === name)
        .map((page) => computePageKey(current, page));
    const [name, { items }] = Object.entries(site.registry.catalogs).find(
      ([, { route }]) => route,
    )!;
    const path = '/explained';
    const siteWithTag = withEdit(site, ({ pages }) => {
      const list = { catalog: name, tag: items[0]!.tags?.[0] ?? 'small' };
      pages.push({ ...pages[0]!, path, items: list });
    });
    const siteWithoutTag = withEdit(siteWithTag, ({ pages }) => delete pages.at(-1)!.items!.tag);
    expect(itemKeysOf(siteWithTag)).not.toEqual(itemKeysOf(siteWithoutTag));
  });

  it('change with the day of the build for pages whose closed days depend on it', () => {
    const closingSite = withEdit(site, ({ subsites }) => {
      subsites[0]!.closedDays = [{ date: '12-25', name: 'Christmas Day' }];
      for (const subsite of subsites.slice(1)) delete subsite.closedDays;
    });
    const laterSite = { ...closingSite, generatedAt: '2029-01-05T00:00:00.000Z' };
    const changed = pagesOfSite(closingSite).filter(
      (page) =>
        page.kind === 'subsite' &&
        computePageKey(closingSite, page) !== computePageKey(laterSite, page),
    );
    expect(changed.map(({ path }) => path)).toEqual([closingSite.registry.subsites[0]!.url]);
  });

  it('change for items whose form lists the subsites when a subsite gets another title', () => {
    const { subsite } = pagesOfSite(site).find((page) => page.kind === 'item')!;
    const listingSite = withEdit(site, ({ subsites }) => {
      const { actions } = subsites.find(({ name }) => name === subsite.name)!;
      const field = { type: 'string', required: false, content: { kind: 'subsite' } } as const;
      for (const action of actions) action.fields['service'] = field;
    });
    const renamedSite = withEdit(listingSite, edits['the title of a subsite']!);
    const keysOf = (current: Site) =>
      pagesOfSite(current)
        .filter((page) => page.kind === 'item' && page.subsite.name === subsite.name)
        .map((page) => computePageKey(current, page));
    expect(keysOf(renamedSite)).not.toEqual(keysOf(listingSite));
  });

  it('are unique to each page, and are omitted for pages that list the network', () => {
    const keys = pagesOfSite(site).map((page) => [page.kind, computePageKey(site, page)] as const);
    expect(new Set(keys.filter(([, key]) => key === undefined).map(([kind]) => kind))).toEqual(
      new Set(['front', 'agentArea', 'apiReference']),
    );
    const definedKeys = keys.flatMap(([, key]) => key ?? []);
    expect(new Set(definedKeys).size).toBe(definedKeys.length);
  });
});
