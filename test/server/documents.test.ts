import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { listPlacements } from '../../src/artifacts/index.ts';
import { toMarkdownPath } from '../../src/site/site.ts';
import { openArena } from '../../src/server/arena.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { createLinkRelations, linksOf } from '../spec/link-relations.ts';
import { listRedirects } from '../../src/build/redirects.ts';
import { type RunningService, serveBuild } from './serve-build.ts';

const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const;

describe.each(['mainBuild', 'fourBuild'] as const)('the documents of %s', (build) => {
  const outDir = inject(build);
  const site = readBuiltSite(outDir);
  const arena = openArena(outDir);
  const listedDocuments = listPlacements(site).flatMap(({ path, aliases, artifact }) =>
    [path, ...aliases].map((documentPath) => ({
      path: documentPath,
      mediaType: artifact.mediaType,
    })),
  );
  const fileOf = (path: string) =>
    arena.get(path)!.policy.kind === 'page'
      ? path === '/'
        ? '/index.html'
        : `${path}.html`
      : path;
  const addresses = [...arena.paths()].filter((path) => !path.startsWith('/404'));
  const agent = new Agent({ keepAlive: true });
  let service: RunningService;
  beforeAll(async () => {
    const running = await serveBuild(outDir);
    // Thousands of sequential requests.
    service = { ...running, ask: (target, options) => running.ask(target, { agent, ...options }) };
  });
  afterAll(async () => {
    agent.destroy();
    await service.stop();
  });

  it('match the artifact list exactly', () => {
    const servedPaths = [...arena.paths()].filter(
      (path) => arena.get(path)!.policy.kind === 'document',
    );
    expect(servedPaths.sort()).toEqual(listedDocuments.map(({ path }) => path).sort());
  });

  it('have the media type of their artifact and allow every origin', async () => {
    for (const { path, mediaType } of listedDocuments) {
      const { status, headers } = await service.ask(path);
      expect([
        path,
        status,
        headers['content-type'],
        headers['access-control-allow-origin'],
      ]).toEqual([path, 200, mediaType, '*']);
    }
  });

  it('and all other files have exactly the built bytes, in each coding', async () => {
    for (const path of addresses) {
      const builtBytes = readFileSync(join(outDir, 'client', fileOf(path)));
      const plainResponse = await service.ask(path);
      expect([path, plainResponse.status, plainResponse.headers['content-encoding']]).toEqual([
        path,
        200,
        undefined,
      ]);
      expect(plainResponse.body.equals(builtBytes), path).toBe(true);
      for (const coding of ['br', 'gzip'] as const) {
        if (arena.get(path)!.length(coding) === undefined) continue;
        const encodedResponse = await service.ask(path, { headers: { 'accept-encoding': coding } });
        expect([
          path,
          encodedResponse.headers['content-encoding'],
          Number(encodedResponse.headers['content-length']),
        ]).toEqual([path, coding, encodedResponse.body.length]);
        expect(decoders[coding](encodedResponse.body).equals(builtBytes), path).toBe(true);
        expect(encodedResponse.headers.vary?.toLowerCase()).toContain('accept-encoding');
        expect(encodedResponse.headers.etag).not.toBe(plainResponse.headers.etag);
      }
    }
  });

  it('reject unknown query parameters if they belong to the API', async () => {
    for (const path of addresses.filter((address) => address.startsWith('/api/'))) {
      const { status, body } = await service.ask(`${path}?q=open&include=x`);
      const { code, errors } = JSON.parse(body.toString()) as {
        code: string;
        errors: { pointer: string; message: string; allowed: string[] }[];
      };
      expect([path, status, code]).toEqual([path, 400, 'invalid_input']);
      const allowedParameters = arena.includes(path).length ? ['include'] : [];
      expect(errors).toContainEqual(
        expect.objectContaining({ pointer: '/q', allowed: allowedParameters }),
      );
      expect(errors[0]!.message).toContain(allowedParameters[0] ?? 'accepts no query parameters');
    }
    const [page, text] = [await service.ask('/?utm_source=x'), await service.ask('/llms.txt?v=1')];
    expect([page.status, text.status]).toEqual([200, 200]);
  });

  it('have a strong ETag that returns 304, and HEAD returns the headers of GET without a body', async () => {
    for (const path of addresses) {
      const response = await service.ask(path);
      expect(response.headers.etag, path).toMatch(/^"[\w-]{22}"$/);
      expect(response.headers['cache-control'], path).toMatch(/max-age=\d+/);
      const notModifiedResponse = await service.ask(path, {
        headers: { 'if-none-match': `W/"other", ${response.headers.etag}` },
      });
      expect([
        path,
        notModifiedResponse.status,
        notModifiedResponse.body.length,
        notModifiedResponse.headers.etag,
      ]).toEqual([path, 304, 0, response.headers.etag]);
      const headResponse = await service.ask(path, { method: 'HEAD' });
      expect({ ...headResponse.headers, date: '' }, path).toEqual({
        ...response.headers,
        date: '',
      });
      expect(headResponse.body.length, path).toBe(0);
    }
  });

  it('are read-only, list the allowed methods, and answer OPTIONS', async () => {
    for (const path of addresses) {
      const options = await service.ask(path, { method: 'OPTIONS' });
      expect([path, options.status, options.headers.allow]).toEqual([
        path,
        204,
        'GET, HEAD, OPTIONS',
      ]);
      const postResponse = await service.ask(path, { method: 'POST', body: '{}' });
      expect([
        path,
        postResponse.status,
        postResponse.headers.allow,
        postResponse.headers['content-type'],
      ]).toEqual([path, 405, 'GET, HEAD, OPTIONS', 'application/problem+json']);
    }
  });

  it('are not found at an address with extra characters', async () => {
    for (const { path } of listedDocuments) {
      const { status, headers } = await service.ask(`${path}-and-more`);
      expect([path, status]).toEqual([path, 404]);
      expect(headers['content-type'], path).toBe(
        /^\/(?:api|a2a|\.well-known)\//.test(path)
          ? 'application/problem+json'
          : 'text/html; charset=utf-8',
      );
    }
  });

  it('contain more data with a supported include, and reject any other include', async () => {
    const documentsWithIncludes = listedDocuments.filter(({ path }) => arena.includes(path).length);
    expect(documentsWithIncludes.length).toBe(site.registry.subsites.length);
    for (const { path } of documentsWithIncludes) {
      for (const value of arena.includes(path)) {
        const { body } = await service.ask(`${path}?include=${value}`);
        expect(body.equals(readFileSync(join(outDir, 'client', `${path}.${value}`))), path).toBe(
          true,
        );
      }
      for (const query of ['include=other', 'include=', 'include=data&include=data']) {
        const refused = await service.ask(`${path}?${query}`);
        expect([path, refused.status, JSON.parse(refused.body.toString()).code]).toEqual([
          path,
          400,
          'invalid_input',
        ]);
      }
    }
  });

  it('are linked from every page, and a page and its Markdown version link to each other', async () => {
    const pages = addresses.filter((path) => arena.get(path)!.policy.kind === 'page');
    expect(pages.length).toBeGreaterThan(0);
    for (const path of pages) {
      const page = await service.ask(path);
      const { alternate, ...links } = linksOf(page.headers.link as string);
      expect([path, links]).toEqual([path, createLinkRelations(site)]);
      expect([path, alternate]).toEqual([
        path,
        arena.get(path)!.markdownPath && `${site.base}${toMarkdownPath(path)}`,
      ]);
      if (!arena.get(path)!.markdownPath) continue;
      const markdown = await service.ask(path, {
        headers: { accept: 'text/markdown, text/html;q=0.9' },
      });
      expect([path, markdown.headers['content-type']?.split(';')[0]]).toEqual([
        path,
        'text/markdown',
      ]);
      expect(markdown.headers.vary?.toLowerCase().split(', '), path).toContain('accept');
      expect(markdown.headers.link, path).toContain(`<${site.base}${path}>; rel="canonical"`);
    }
  });

  it('are linked from the full index and from the API catalog, which links to itself in responses to HEAD (RFC 9727)', async () => {
    for (const path of ['/api/agent-index', '/.well-known/api-catalog'])
      for (const method of ['GET', 'HEAD'])
        expect([
          path,
          linksOf((await service.ask(path, { method })).headers.link as string),
        ]).toEqual([path, createLinkRelations(site)]);
  });

  it('and all other files have a known media type', async () => {
    for (const path of addresses)
      expect([path, (await service.ask(path, { method: 'HEAD' })).headers['content-type']]).toEqual(
        [path, expect.not.stringContaining('octet-stream')],
      );
  });

  it('and short links lead to the targets in the registry, and /contact to the contact form', async () => {
    const redirects = listRedirects(site.registry);
    expect(redirects.some(([path]) => path === '/contact')).toBe(build === 'mainBuild');
    for (const [path, target] of redirects) {
      const { status, headers } = await service.ask(path);
      expect([path, status, headers.location]).toEqual([path, 302, `${site.base}${target}`]);
    }
  });
});
