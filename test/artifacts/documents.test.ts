import { describe, expect, it } from 'vitest';
import {
  ArtifactError,
  artifacts,
  listDocuments,
  listPlacements,
  renderDocument,
} from '../../src/artifacts/index.ts';
import { problemCodes } from '../../src/site/problem-codes.ts';
import { toMarkdownPath } from '../../src/site/site.ts';
import { createServerAddressPatterns } from '../spec/server-addresses.ts';
import { networks, readSite } from './networks.ts';

/** Required documents with their aliases and media types. */
const FIXED_DOCUMENTS: Record<string, string> = {
  '/.well-known/agent-card.json': 'application/json',
  '/.well-known/agent-skills/index.json': 'application/json',
  '/.well-known/ai-catalog.json': 'application/json',
  '/.well-known/api-catalog':
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  '/.well-known/jwks.json': 'application/jwk-set+json',
  '/.well-known/ard.json': 'application/json',
  '/.well-known/mcp.json': 'application/mcp-server-card+json',
  '/.well-known/mcp/server-card.json': 'application/mcp-server-card+json',
  '/.well-known/security.txt': 'text/plain; charset=utf-8',
  '/api/agent-index': 'application/json',
  '/api/mcp/server-card': 'application/mcp-server-card+json',
  '/api/mcp/server.json': 'application/json',
  '/api/openapi.json': 'application/json',
  '/api/v1/agent-mcp/server-card': 'application/mcp-server-card+json',
  '/api/v1/agent-mcp/server.json': 'application/json',
  '/api/v1/capabilities': 'application/json',
  '/api/v1/knowledge': 'application/json',
  '/api/v1/mcp/server-card': 'application/mcp-server-card+json',
  '/api/v1/mcp/server.json': 'application/json',
  '/llms-full.txt': 'text/plain; charset=utf-8',
  '/llms.txt': 'text/plain; charset=utf-8',
  '/openapi.json': 'application/json',
  '/robots.txt': 'text/plain; charset=utf-8',
  '/sitemap.md': 'text/markdown; charset=utf-8',
  '/sitemap.xml': 'application/xml; charset=utf-8',
};

const ALIASES: readonly [string, string][] = [
  ['/api/openapi.json', '/openapi.json'],
  ['/.well-known/ard.json', '/.well-known/ai-catalog.json'],
  ['/api/mcp/server-card', '/.well-known/mcp/server-card.json'],
  ['/api/mcp/server-card', '/.well-known/mcp.json'],
];

/** Pages rendered on request. */
const ON_REQUEST_PATTERNS = [/^\/receipt\/[^/]+$/, /^\/biz\/[^/]+$/];

const markdown = 'text/markdown; charset=utf-8';

describe.each(networks)(
  'the documents of $name',
  ({ site, path: folder, documents: all, pages, json, text }) => {
    const { registry, base } = site;

    it('match the list exactly, each with its media type', () => {
      const expected: Record<string, string> = {
        ...FIXED_DOCUMENTS,
        ...Object.fromEntries(
          registry.subsites.flatMap(({ name }) => [
            [`/api/agent/${name}`, 'application/json'],
            [`/api/agent/${name}.data`, 'application/json'],
          ]),
        ),
        ...Object.fromEntries(
          registry.subsites.flatMap((subsite) =>
            subsite.jsonEndpoints.map((path) => [path, 'application/json']),
          ),
        ),
        ...Object.fromEntries(
          [
            ...registry.network.skills,
            ...registry.subsites.filter(({ status, guide }) => status === 'public' && guide),
          ].map(({ name }) => [`/.well-known/agent-skills/${name}/SKILL.md`, markdown]),
        ),
        ...Object.fromEntries(registry.subsites.map((subsite) => [`${subsite.url}.md`, markdown])),
        ...Object.fromEntries(
          registry.pages.map((page) => [
            page.path === '/' ? '/index.md' : `${page.path}.md`,
            markdown,
          ]),
        ),
        ...Object.fromEntries(
          Object.values(registry.catalogs).flatMap((catalog) =>
            catalog.route
              ? catalog.items.map((item) => [
                  `${catalog.route!.replace(/\[\w+\]/, item.id)}.md`,
                  markdown,
                ])
              : [],
          ),
        ),
        ...Object.fromEntries(
          registry.subsites
            .filter(
              ({ name, status }) =>
                status === 'public' && registry.catalogs[name]?.schemaType === 'Article',
            )
            .flatMap(({ url }) => [
              [`${url}/feed.xml`, 'application/rss+xml; charset=utf-8'],
              [`${url}/feed.json`, 'application/feed+json'],
            ]),
        ),
        '/index.md': markdown,
        [`${registry.network.agentArea}.md`]: markdown,
        [`${registry.network.agentArea}/api.md`]: markdown,
        ...Object.fromEntries(
          ['callbacks', 'connect', 'providers', 'sandbox', 'verify'].map((guide) => [
            `${registry.network.agentArea}/${guide}.md`,
            markdown,
          ]),
        ),
        ...Object.fromEntries(
          json('/api/v1/capabilities').capabilities.map(({ id }: any) => [
            `${registry.network.agentArea}/${id}.md`,
            markdown,
          ]),
        ),
        ...Object.fromEntries(
          Object.keys(problemCodes).map((code) => [`/problems/${code}.md`, markdown]),
        ),
      };
      expect(
        Object.fromEntries([...all.values()].map(({ path, mediaType }) => [path, mediaType])),
      ).toEqual(expected);
    });

    it('have exactly one path each', () => {
      const paths = listPlacements(site).flatMap(({ path, aliases }) => [path, ...aliases]);
      expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
    });

    it('never have a path below another document’s path, so that each can be a file', () => {
      const files = new Set(all.keys());
      const folders = [...files].flatMap((path) =>
        path
          .split('/')
          .slice(2)
          .map((_, depth, parts) =>
            path
              .split('/')
              .slice(0, path.split('/').length - parts.length + depth)
              .join('/'),
          ),
      );
      expect(folders.filter((path) => files.has(path))).toEqual([]);
    });

    it('are identical at their aliases', () => {
      for (const [path, alias] of ALIASES) expect(text(alias), alias).toBe(text(path));
    });

    it('are identical when rendered again', () => {
      expect(listDocuments(readSite(folder))).toEqual([...all.values()]);
    });

    it('contain no time except the build time', () => {
      expect(json('/api/agent-index').generatedAt).toBe(site.generatedAt);
      expect(json('/api/v1/knowledge').generatedAt).toBe(site.generatedAt);
      for (const path of registry.subsites.flatMap((subsite) => subsite.jsonEndpoints))
        expect(json(path).generatedAt).toBe(site.generatedAt);
    });

    it('have no broken links', () => {
      const declaredPatterns = Object.keys(json('/api/openapi.json').paths).map(
        (path) =>
          new RegExp(`^${path.replaceAll(/[.+]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      );
      const existingPaths = new Set([
        ...all.keys(),
        ...pages.map((page) => page.path),
        ...registry.links.map((link) => `/go/${link.slug}`),
      ]);
      const isResolvable = (path: string) =>
        existingPaths.has(path) ||
        [...declaredPatterns, ...ON_REQUEST_PATTERNS].some((pattern) => pattern.test(path));
      const brokenLinks = new Set<string>();
      let linkCount = 0;
      for (const { path, body } of all.values()) {
        const absoluteLinks = body
          .split(base)
          .slice(1)
          .map((rest) => /^[^\s"'`)<>\\*]*/.exec(rest)![0].replace(/[.,;:]$/, ''));
        const relativeLinks =
          path.endsWith('.md') || path.endsWith('.txt')
            ? [...body.matchAll(/\]\((\/[^)\s]*)\)/g)].map((match) => match[1]!)
            : [];
        for (const link of [...absoluteLinks, ...relativeLinks]) {
          const target = link.replace(/[?#].*$/, '') || '/';
          linkCount++;
          if (!isResolvable(decodeURI(target))) brokenLinks.add(`${path} → ${target}`);
        }
      }
      expect([...brokenLinks]).toEqual([]);
      expect(linkCount).toBeGreaterThan(all.size);
    });

    it('contain no origin except the site’s, and no unfilled placeholder', () => {
      for (const { path, body } of all.values())
        expect([
          path,
          /\blocalhost\b|127\.0\.0\.1|\[::1\]|\{base\}|\{base_url\}/.exec(body)?.[0],
        ]).toEqual([path, undefined]);
      const samples = json('/api/agent-index').subsites.flatMap(({ actions }: any) =>
        actions.flatMap(({ resultExample }: any) =>
          resultExample ? [JSON.parse(resultExample)] : [],
        ),
      );
      expect(samples.length).toBe(
        registry.subsites
          .flatMap(({ actions }) => actions)
          .filter(({ resultExample }) => resultExample).length,
      );
      for (const { statusUrl, receiptToken } of samples)
        expect(statusUrl).toBe(`${base}/api/lead/${receiptToken}`);
    });

    it('name only existing paths in their path fields', () => {
      const openapi = json('/api/openapi.json');
      const existingPaths = new Set([
        ...all.keys(),
        ...pages.map((page) => page.path),
        ...Object.keys(openapi.paths),
      ]);
      const catalog = json('/api/v1/capabilities');
      const referencedPaths = [
        ...json('/api/agent-index').subsites.flatMap((record: any) => [
          record.url,
          record.leadEndpoint,
          record.shareEndpoint,
          ...record.jsonEndpoints,
        ]),
        ...catalog.capabilities.map((capability: any) => capability.route),
        catalog.documentation,
        catalog.mcpEndpoint,
        catalog.quoteEndpoint,
        catalog.taskEndpoint,
        ...json('/.well-known/agent-skills/index.json').skills.map((skill: any) => skill.url),
      ];
      expect(referencedPaths.filter((path) => !existingPaths.has(path))).toEqual([]);
    });

    it('have the same record for each subsite as the index', () => {
      for (const record of json('/api/agent-index').subsites)
        expect(json(`/api/agent/${record.name}`)).toEqual(record);
    });

    it('add only the subsite’s data to its record', () => {
      for (const subsite of registry.subsites) {
        const { data, ...record } = json(`/api/agent/${subsite.name}.data`);
        expect(record).toEqual(json(`/api/agent/${subsite.name}`));
        expect(Object.keys(data.snapshots)).toEqual(subsite.jsonEndpoints);
        for (const path of subsite.jsonEndpoints) expect(data.snapshots[path]).toEqual(json(path));
        expect(data.facts).toEqual(subsite.facts ?? []);
        expect(data.capabilities.toSorted()).toEqual(
          json('/api/v1/capabilities')
            .capabilities.filter((capability: any) => capability.subsite === subsite.name)
            .map((capability: any) => capability.id)
            .sort(),
        );
        expect(data.responsiveness).toEqual(registry.responsiveness[subsite.name]);
      }
    });

    it('publish facts and guides for exactly the subsites that have them', () => {
      const expected = registry.subsites
        .filter(({ facts, guide }) => facts || guide)
        .map(({ name, facts = [], guide = [] }) => ({ subsite: name, facts, guide }));
      expect(
        json('/api/v1/knowledge').entries.map(({ subsite, facts, guide }: any) => ({
          subsite,
          facts,
          guide,
        })),
      ).toEqual(expected);
    });

    describe('when only documents are served', () => {
      // The operator’s own text may mention anything.
      const registryWithoutProse = {
        ...registry,
        pages: registry.pages.map((page) => ({ ...page, body: page.title })),
        subsites: registry.subsites.map(
          ({ facts: _, guide: __, intro: ___, ...subsite }) => subsite,
        ),
      };
      const staticDocuments = new Map(
        listDocuments({ ...site, registry: registryWithoutProse, dynamic: false }).map(
          (document) => [document.path, document.body],
        ),
      );
      const value = (path: string) => JSON.parse(staticDocuments.get(path)!);

      it('report that there is no server, and describe only reads', () => {
        expect(value('/api/v1/capabilities').dynamicAvailable).toBe(false);
        expect(value('/.well-known/agent-card.json').supportedInterfaces).toEqual([]);
        expect(value('/api/agent-index').endpoints).toEqual({
          manifest: `${base}/api/agent/{name}`,
        });
        expect(staticDocuments.has('/api/mcp/server-card')).toBe(false);
        const methods = Object.values<object>(value('/api/openapi.json').paths).flatMap((item) =>
          Object.keys(item),
        );
        expect(new Set(methods)).toEqual(new Set(['get']));
      });

      it('contain no address that needs the server, and no POST endpoint', () => {
        // These members are required in every record and in the catalog, which also has
        // dynamicAvailable.
        const required = new Set([
          'leadEndpoint',
          'shareEndpoint',
          'quoteEndpoint',
          'taskEndpoint',
          'mcpEndpoint',
        ]);
        const found: string[] = [];
        for (const [path, body] of staticDocuments) {
          // A problem page describes server responses.
          if (path.startsWith('/problems/')) continue;
          // Sample results belong to the record, and disallowed paths in robots.txt do not offer
          // anything.
          const text = body.startsWith('{')
            ? JSON.stringify(JSON.parse(body), (name, inner) =>
                required.has(name) || name === 'resultExample' ? undefined : inner,
              )
            : body;
          for (const pattern of [...createServerAddressPatterns(site), /\bPOST\b/, /"sandbox"/])
            if (pattern.test(text.replaceAll(/Disallow: [^\n\\]*/g, '')))
              found.push(`${path}: ${pattern}`);
        }
        expect(found).toEqual([]);
      });

      it('include no skill that needs the server', () => {
        const dynamicSkillPaths = registry.network.skills
          .filter(({ dynamic }) => dynamic)
          .map(({ name }) => `/.well-known/agent-skills/${name}/SKILL.md`);
        expect(
          dynamicSkillPaths.filter((path) => staticDocuments.has(path) || !all.has(path)),
        ).toEqual([]);
        for (const path of dynamicSkillPaths)
          expect(staticDocuments.get('/.well-known/ard.json')).not.toContain(path);
      });
    });

    it('include a Markdown version with front matter for every page', () => {
      for (const page of pages) {
        const markdownPage = text(toMarkdownPath(page.path));
        const [, frontMatter, body] = /^---\n([\s\S]*?)\n---\n\n([\s\S]+)$/.exec(markdownPage)!;
        const read = Object.fromEntries(
          frontMatter!
            .split('\n')
            .map((line) => [
              line.slice(0, line.indexOf(':')),
              JSON.parse(line.slice(line.indexOf(':') + 1)),
            ]),
        );
        expect(read).toEqual({
          title: page.title,
          description: page.description,
          canonical_url: `${base}${page.path}`,
          last_updated: page.lastmod,
        });
        expect(body!.match(/^# .+/m)?.[0], page.path).toBe(`# ${page.title}`);
        expect(body!.split('\n')[0], page.path).toContain(`${base}/llms.txt`);
        expect(body, page.path).not.toMatch(/\]\(\//);
      }
    });
  },
);

describe('an artifact', () => {
  it('rejects a value that its own schema rejects', () => {
    const index = artifacts.find((artifact) => artifact.name === 'agent-index')!;
    const brokenArtifact = { ...index, render: () => ({ name: 'Half an index' }) };
    expect(() => renderDocument(brokenArtifact, null, networks[0]!.site)).toThrow(ArtifactError);
    expect(() => renderDocument(brokenArtifact, null, networks[0]!.site)).toThrow(
      '/api/agent-index does not satisfy the schema of agent-index',
    );
  });
});
