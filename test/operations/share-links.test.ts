import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createShareLink } from '../../src/links/create-share-link.ts';
import { resolveShareLink } from '../../src/links/resolve-share-link.ts';
import { resolveSharePath } from '../../src/links/share-path.ts';
import { feedPaths, hasFeed } from '../../src/site/feeds.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import { problemOf, errorsOf } from './setup/refusal.ts';
import { chooseCases, itWithFile, openFixture, sites } from './setup/fixture.ts';
import { createPropertyParameters } from '../setup/seeds.ts';

const BASE = 'https://network.example';
const call = { channel: 'json' } as const;

/** Paths that leave /shop, or do so in a client that parses them differently. */
const rejectedPaths = [
  '',
  '//evil.example',
  '///evil.example',
  '/shop//evil.example',
  '//shop',
  '/shop/..//evil.example',
  'https://evil.example',
  'HTTPS://evil.example',
  'https:evil.example',
  'https:/evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'mailto:a@b.co',
  'vbscript:x',
  'blob:https://network.example/x',
  'file:///etc/passwd',
  'x:y',
  'evil.example:443/x',
  '\\evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/shop\\..\\..\\x',
  '/shop/a\\b',
  'a\\b',
  '?a=\\b',
  '#\\',
  '/\t/evil.example',
  '/shop\n',
  '\n/shop',
  '/shop\r\nLocation: https://evil.example',
  '/shop\u0000',
  '\u0000/shop',
  ' /shop',
  '/shop ',
  '/sh\top',
  '/shop/\u007f',
  '/shop/\u0085',
  '/shop/\u2028',
  '/shop/\u200b',
  '/shop/\u202e',
  '/shop/\ufeff',
  '/shop/\ud800',
  '..',
  '../',
  '../other',
  '/shop/..',
  '/shop/../other',
  '/shop/../../other',
  '/shop/./../other',
  './../other',
  'a/../../other',
  '/shop/a/../../other',
  '/other/../shop/..',
  '/other/../shop',
  '/../shop/../other',
  '/shop/%2e%2e/other',
  '/shop/%2E%2E/other',
  '/shop/.%2e/other',
  '/shop/%2e./other',
  '%2e%2e/other',
  '%2e%2e',
  '/shop/%2e',
  '/shop/%252e%252e/other',
  '/shop/%25252e%25252e/other',
  '/shop/..%2fother',
  '/shop/%2fevil.example',
  '%2f%2fevil.example',
  '/shop/a%2Fb',
  '/shop/%252f%252fevil',
  '/shop%5c..%5cother',
  '/shop/%5C',
  '/shop/%255c',
  '/shop/%00',
  '/shop/%0d%0aX',
  '/shop/%0A',
  '/shop/%09',
  '/shop/%7f',
  '/shop/%2500',
  '/shop/%',
  '/shop/%zz',
  '/shop/%e0%80',
  '/shop/%ff',
  '/shop/%c0%ae%c0%ae/other',
  '%',
  '//user@evil.example',
  'https://network.example@evil.example',
  'https://network.example/shop',
  '//network.example/shop',
  '@evil.example',
  'user:pass@evil.example',
  '/shop@evil.example',
  '/shop:80',
  'user%40evil.example',
  '/',
  '/other',
  '/shopping',
  '/shop.evil',
  '/shop%',
  '/SHOP',
  '/%73hop',
  '/s',
  'x'.repeat(2001),
] as const;

/** Paths at or below /shop, with the paths that they resolve to. */
const acceptedPaths = {
  '/shop': '/shop',
  '/shop/': '/shop',
  '/shop/42': '/shop/42',
  '42': '/shop/42',
  './42': '/shop/42',
  'a/../42': '/shop/42',
  '/shop/a/../b': '/shop/b',
  '/shop/guides/best-gadgets': '/shop/guides/best-gadgets',
  '?utm_source=x&next=//y': '/shop?utm_source=x&next=//y',
  '/shop?to=https://else.example/': '/shop?to=https://else.example/',
  '#form': '/shop#form',
  '/shop/42?a=1#b': '/shop/42?a=1#b',
  '42#../..': '/shop/42#../..',
  '/shop/a:b@c': '/shop/a:b@c',
  '/shop/caf%C3%A9': '/shop/caf%C3%A9',
  '/shop/café': '/shop/caf%C3%A9',
  '/shop/a%20b': '/shop/a%20b',
  '...': '/shop/...',
} as const;

describe('a share link’s path', () => {
  it.each(rejectedPaths.map((path) => [JSON.stringify(path).slice(0, 60), path]))(
    '%s is rejected',
    (_, path) => {
      expect(resolveSharePath(path, '/shop', BASE)).toBeUndefined();
    },
  );

  it.each(Object.entries(acceptedPaths))('%s leads to %s', (path, target) => {
    expect(resolveSharePath(path, '/shop', BASE)).toBe(target);
  });

  it('never leaves the subsite, whatever characters it contains', () => {
    const segment = fc.constantFrom(
      '/',
      '//',
      '\\',
      '.',
      '..',
      '%2e',
      '%2E',
      '%2f',
      '%5c',
      '%25',
      '%',
      ':',
      '@',
      '?',
      '#',
      'shop',
      'evil.example',
      'https:',
      '\t',
      '\n',
      '\u0000',
      ' ',
      'a',
      '%0a',
      ';',
      '&',
      '／',
      '．',
      'ⓢhop',
      '\u202e',
    );
    let resolvedCount = 0;
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 9 }), fc.boolean(), (pieces, isAbsolute) => {
        const path = resolveSharePath(
          `${isAbsolute ? '/shop' : ''}${pieces.join('')}`,
          '/shop',
          BASE,
        );
        if (path === undefined) return;
        resolvedCount++;
        // Resolved as browsers do: appended to the origin, as a relative reference, and decoded
        // once more.
        for (const url of [new URL(`${BASE}${path}`), new URL(path, `${BASE}/elsewhere/`)]) {
          expect(url.origin).toBe(BASE);
          expect(url.username + url.password).toBe('');
          expect(url.pathname === '/shop' || url.pathname.startsWith('/shop/')).toBe(true);
          const decodedUrl = new URL(`${BASE}${decodeURIComponent(url.pathname)}`);
          expect(
            decodedUrl.origin === BASE &&
              (decodedUrl.pathname === '/shop' || decodedUrl.pathname.startsWith('/shop/')),
          ).toBe(true);
        }
        expect(path).not.toMatch(/[\u0000-\u0020\\\u007f]/);
      }),
      createPropertyParameters(20_000),
    );
    expect(resolvedCount).toBeGreaterThan(500);
  });

  it('resolves to itself if it is already resolved', () => {
    for (const target of Object.values(acceptedPaths))
      expect(resolveSharePath(target, '/shop', BASE)).toBe(target);
  });
});

describe.each(sites)('share links of $name', async ({ site }) => {
  const { context, rows, advanceHours } = await openFixture(site);
  const createLink = async (body: unknown) =>
    (await createShareLink.handle(createShareLink.parse(body, context), call, context)).output;

  it.each(chooseCases(site.registry.subsites))(
    'to $name lead to its page',
    async ({ name, url }) => {
      const link = await createLink({ subsite: name });
      expect(link).toMatchObject({
        subsite: name,
        path: url,
        target: `${site.base}${url}`,
        url: `${site.base}/s/${link.token}`,
      });
      const { output } = await resolveShareLink.handle(
        resolveShareLink.parse({ token: link.token }, context),
        call,
        context,
      );
      expect(output).toEqual({ location: `${site.base}${url}` });
    },
  );

  it('are identical for the same request in any notation, and differ for different requests', async () => {
    const [{ name, url }] = site.registry.subsites as unknown as [{ name: string; url: string }];
    const first = await createLink({
      subsite: name,
      path: `${url}?a=1`,
      title: 'T',
      meta: { b: 1, a: [2] },
    });
    advanceHours(1);
    expect(
      await createLink({ meta: { a: [2], b: 1 }, title: 'T', path: '?a=1', subsite: name }),
    ).toEqual(first);
    const differentRequests = [
      { path: '?a=2' },
      { title: 'U' },
      { meta: { a: [2], b: 2 } },
      { title: undefined },
    ];
    const tokens = await Promise.all(
      differentRequests.map(
        async (other) =>
          (
            await createLink({
              subsite: name,
              path: `${url}?a=1`,
              title: 'T',
              meta: { b: 1, a: [2] },
              ...other,
            })
          ).token,
      ),
    );
    expect(new Set([first.token, ...tokens]).size).toBe(5);
  });

  it('are created once when identical requests arrive in the same millisecond', async () => {
    const [{ name }] = site.registry.subsites as unknown as [{ name: string }];
    const linkCount = (await rows('share_links')).length;
    const now = context.now();
    const stoppedContext = { ...context, now: () => now };
    const request = createShareLink.parse({ subsite: name, title: 'at once' }, stoppedContext);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () => createShareLink.handle(request, call, stoppedContext)),
    );
    expect(new Set(outcomes.map(({ output }) => JSON.stringify(output))).size).toBe(1);
    expect(outcomes.filter(({ replayed }) => !replayed).length).toBe(1);
    expect((await rows('share_links')).length).toBe(linkCount + 1);
  });

  it('have tokens of eight unambiguous characters', async () => {
    for (const { token } of await rows('share_links'))
      expect(token).toMatch(/^[346789A-HJ-NP-Ra-kmnp-twxyzTUVWXY]{8}$/);
  });

  it('return 404 for unknown tokens, whatever they look like', async () => {
    for (const token of [
      '22222222',
      'kkkkkkkk',
      'short',
      '',
      "' or 1=1 --",
      '../x',
      'k'.repeat(3000),
    ]) {
      const problem = await problemOf(() =>
        resolveShareLink.handle(resolveShareLink.parse({ token }, context), call, context),
      );
      expect(problem.code).toBe('unknown_token');
    }
  });

  it('have expired once a release no longer has their subsite', async () => {
    const [{ name }] = site.registry.subsites as unknown as [{ name: string }];
    const { token } = await createLink({ subsite: name, title: 'Expires' });
    const { registry } = site;
    const subsites = registry.subsites.filter((subsite) => subsite.name !== name);
    const laterContext = { ...context, site: { ...site, registry: { ...registry, subsites } } };
    const problem = await problemOf(() =>
      resolveShareLink.handle(resolveShareLink.parse({ token }, laterContext), call, laterContext),
    );
    expect(problem).toMatchObject({ code: 'gone', message: expect.stringContaining('expired') });
  });

  itWithFile(
    'get a notice with the nearest existing pages if no page exists at the path',
    async () => {
      const pages = pagesOfSite(site).flatMap((page) =>
        page.kind === 'subsite' || page.kind === 'item' ? [page] : [],
      );
      for (const { subsite, path, kind } of pages) {
        const markdown = kind === 'item' ? [`${path}.md`] : [];
        for (const existing of [path, `${path}/`, `${path}?a=1#b`, ...markdown])
          expect(await createLink({ subsite: subsite.name, path: existing })).not.toHaveProperty(
            'notice',
          );
        const { notice } = await createLink({ subsite: subsite.name, path: `${path}/no-such%20x` });
        expect(notice).toContain(`Existing pages: ${subsite.url}`);
        if (kind === 'item') expect(notice).toContain(path);
      }
      for (const { url, name } of site.registry.subsites.filter((subsite) =>
        hasFeed(subsite, site.registry.catalogs[subsite.name]),
      ))
        for (const path of Object.values(feedPaths({ url })))
          expect(await createLink({ subsite: name, path })).not.toHaveProperty('notice');
    },
  );

  it.each(site.registry.subsites.filter(({ url }) => url === '/go'))(
    'recognize the curated links as pages of $name',
    async ({ name }) => {
      const { slug } = site.registry.links[0]!;
      expect(await createLink({ subsite: name, path: slug })).not.toHaveProperty('notice');
      const { notice } = await createLink({ subsite: name, path: `${slug}x` });
      expect(notice).toContain(`/go/${slug}`);
    },
  );

  it('report only the length of a path that is too long', async () => {
    const [{ name, url }] = site.registry.subsites as unknown as [{ name: string; url: string }];
    const path = `${url}/${'a'.repeat(2000)}`;
    expect(await errorsOf(() => createLink({ subsite: name, path }))).toEqual({
      '/path': { pointer: '/path', message: 'Enter a path of at most 2000 characters.' },
    });
  });

  it('report every error in a request at once', async () => {
    const errors = await errorsOf(() =>
      createLink({
        subsite: 'no such',
        title: '',
        meta: { big: 'x'.repeat(5000) },
        other: 1,
        path: 5,
      }),
    );
    expect(Object.keys(errors).sort()).toEqual(['/meta', '/other', '/path', '/subsite', '/title']);
    expect(errors['/subsite']!.allowed).toEqual(site.registry.subsites.map(({ name }) => name));
    for (const body of [[], 'x', 5, null])
      expect(Object.keys(await errorsOf(() => createLink(body)))).toContain('');
  });
});
