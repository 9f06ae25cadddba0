import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { CAPABILITY_BODY_BYTES } from '../../src/operations/body-limits.ts';
import { placements } from '../../src/artifacts/index.ts';
import { openArena } from '../../src/server/arena.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { prefersMarkdown } from '../../src/server/negotiate.ts';
import { ask, type Running, serveBuild } from '../server/serve-build.ts';
import { linkRelations, linksOf } from '../spec/link-relations.ts';
import { findProgram } from '../setup/programs.ts';
import { startNginx } from './nginx.ts';

const outDir = inject('mainBuild');
const site = readBuiltSite(outDir);
const arena = openArena(outDir);
const listed = placements(site).flatMap(({ path, aliases, artifact }) => [path, ...aliases].map((at) => ({ path: at, mediaType: artifact.mediaType })));
const pages = [...arena.paths()].filter((path) => arena.get(path)!.policy.kind === 'page' && path !== '/404');

// Where nginx cannot be had, the closing line of the run names it.
describe.runIf(findProgram('nginx')).each(['in front of the server', 'with documents alone'])('nginx %s', (arrangement) => {
  const alone = arrangement === 'with documents alone';
  let service: Running;
  let nginx: Awaited<ReturnType<typeof startNginx>> | undefined;
  const get = (path: string, options?: Parameters<typeof ask>[2]) => ask(nginx!.port, path, options);
  beforeAll(async () => {
    service = await serveBuild(outDir, 1);
    nginx = await startNginx(outDir, alone ? undefined : service.port);
  });
  afterAll(async () => {
    await nginx?.stop();
    await service.stop();
  });

  it('serves every document of the list with its type, its bytes, an ETag and 304', async () => {
    for (const { path, mediaType } of listed) {
      const { status, headers, body } = await get(path);
      expect([path, status, headers['content-type'], headers['access-control-allow-origin']]).toEqual([path, 200, mediaType, '*']);
      expect(body.equals(readFileSync(join(outDir, 'client', path))), path).toBe(true);
      expect(headers.etag, path).toMatch(/^"[^"]+"$/);
      const again = await get(path, { headers: { 'if-none-match': headers.etag! } });
      expect([path, again.status]).toEqual([path, 304]);
    }
  });

  it('serves them compressed as they were compressed at build', async () => {
    for (const { path } of listed) {
      const length = arena.get(path)!.length('gzip');
      const { headers, body } = await get(path, { headers: { 'accept-encoding': 'gzip' } });
      expect([path, headers['content-encoding'], body.length]).toEqual([path, length === undefined ? undefined : 'gzip', length ?? arena.get(path)!.length('identity')]);
      if (length !== undefined) expect(gunzipSync(body).equals(readFileSync(join(outDir, 'client', path))), path).toBe(true);
    }
  });

  it('answers ?include= as the server does', async () => {
    const including = listed.filter(({ path }) => arena.includes(path).length);
    expect(including.length).toBe(site.registry.subsites.length);
    for (const { path } of including) {
      for (const value of arena.includes(path)) {
        const { headers, body } = await get(`${path}?include=${value}`);
        expect([path, headers['content-type']]).toEqual([path, arena.get(path)!.policy.mediaType]);
        expect(body.equals(readFileSync(join(outDir, 'client', `${path}.${value}`))), path).toBe(true);
      }
      const refused = await get(`${path}?include=other`);
      expect([path, refused.status, refused.headers['content-type'], JSON.parse(refused.body.toString()).code]).toEqual([path, 400, 'application/problem+json', 'invalid_input']);
    }
  });

  it('does not find them under a name that goes on: a problem in the interface, a page elsewhere', async () => {
    for (const { path } of listed) {
      const { status, headers } = await get(`${path}-and-more`);
      expect([path, status, headers['content-type']]).toEqual([path, 404, path.startsWith('/api/') ? 'application/problem+json' : 'text/html; charset=utf-8']);
    }
    for (const path of ['/_headers', '/_redirects', '/404.html', '/404', '/llms.txt.gz']) expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect(JSON.parse((await get('/api/agent/nobody')).body.toString()).code).toBe('unknown_subsite');
  });

  it('takes no other method at a document, names those it takes, and answers OPTIONS', async () => {
    for (const { path } of listed) {
      const post = await get(path, { method: 'POST', body: '{}' });
      expect([path, post.status, post.headers.allow, post.headers['content-type']]).toEqual([path, 405, 'GET, HEAD, OPTIONS', 'application/problem+json']);
      const options = await get(path, { method: 'OPTIONS' });
      expect([path, options.status, options.headers.allow]).toEqual([path, 204, 'GET, HEAD, OPTIONS']);
    }
  });

  it('serves pages under their bare addresses, and their Markdown twins on request, with the headers of the server', async () => {
    for (const path of pages) {
      const page = await get(path);
      expect([path, page.status, page.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
      const { link: _, ...headers } = arena.get(path)!.policy.headers;
      for (const [name, value] of Object.entries(headers)) expect([path, name, page.headers[name]]).toEqual([path, name, value]);
      const { alternate, ...links } = linksOf(page.headers.link as string);
      expect([path, links]).toEqual([path, linkRelations(site)]);
      expect([path, alternate]).toEqual([path, arena.get(path)!.twin && `${site.base}${arena.get(path)!.twin}`]);
      if (!arena.get(path)!.twin) continue;
      const twin = await get(path, { headers: { accept: 'text/markdown, */*' } });
      expect([path, twin.headers['content-type']?.split(';')[0]]).toEqual([path, 'text/markdown']);
      expect(twin.headers.vary, path).toContain('Accept');
      expect([path, linksOf(twin.headers.link as string).canonical]).toEqual([path, `${site.base}${path}`]);
    }
  });

  it('links the list of everything and the API catalog as the server does', async () => {
    for (const path of ['/api/agent-index', '/.well-known/api-catalog']) expect([path, linksOf((await get(path, { method: 'HEAD' })).headers.link as string)]).toEqual([path, linkRelations(site)]);
  });

  it('chooses by Accept what the server chooses, at any weights', async () => {
    const weights = ['', ';q=0', ';q=0.0', ';q=0.1', '; q=0.45', ';q=0.5', ';Q=0.50', ';q=0.501', ';charset=utf-8;q=0.9', ';q=1', ';q=1.000'];
    const of = (type: string) => weights.map((weight) => `${type}${weight}`);
    const pairs = of('text/markdown').flatMap((markdown) => ['', '*/*', 'text/*;q=0.5', 'TEXT/HTML;level=1', ...of('text/html')].flatMap((html) => [`${markdown}, ${html}`, `application/json,${html} ,${markdown},*/*;q=0.2`]));
    const [path] = pages.filter((at) => arena.get(at)!.twin);
    for (const accept of ['', '*/*', 'text/*', 'text/markdownish, */*', 'x-text/markdown', ',text/markdown,', 'text/markdown;q=2', ...pairs]) {
      const { headers } = await get(path!, { headers: { accept } });
      expect([accept, headers['content-type']?.split(';')[0]]).toEqual([accept, prefersMarkdown(accept) ? 'text/markdown' : 'text/html']);
    }
  });

  it('answers at every kind of address as the server does', async () => {
    const same = async (path: string, accept: string) => {
      const [one, other] = [await get(path, { headers: { accept } }), await service.ask(path, { headers: { accept } })];
      expect([path, accept, one.status, one.headers['content-type']]).toEqual([path, accept, other.status, other.headers['content-type']]);
      const varies = /\baccept\b(?!-)/i;
      if (varies.test(other.headers.vary ?? '')) expect([path, accept, one.headers.vary]).toEqual([path, accept, expect.stringMatching(varies)]);
    };
    for (const path of ['/', '/index', '/404', '/nothing/here', '/problems/gone', '/favicon.ico', ...pages.filter((at) => arena.get(at)!.twin).slice(1, 2)]) for (const accept of ['text/html', 'text/html, text/markdown;q=0.1', 'text/markdown', '*/*']) await same(path, accept);
    for (const path of [...arena.paths()].filter((at) => arena.get(at)!.policy.kind === 'file')) await same(path, '*/*');
  });

  it('refuses a body that is larger than any the server takes with a problem', async () => {
    const { status, headers, body } = await get('/api/lead/action', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ' '.repeat(CAPABILITY_BODY_BYTES + 1) });
    expect([status, headers['content-type'], JSON.parse(body.toString()).code]).toEqual([413, 'application/problem+json', 'too_large']);
  });

  it('leads short links on, and a slash at the end away', async () => {
    for (const { slug, target } of site.registry.links) {
      const { status, headers } = await get(`/go/${slug}`);
      expect([slug, status, headers.location]).toEqual([slug, 302, `${site.base}${target}`]);
    }
    const slashed = await get('/api/agent-index/?a=1');
    expect([slashed.status, slashed.headers.location]).toEqual([308, '/api/agent-index?a=1']);
  });

  if (alone) return;

  it('hands everything else to the server, once with its headers, and says so when it is away', async () => {
    const unknown = await get('/api/nothing', { method: 'POST', body: '{}' });
    expect([unknown.status, unknown.headers['x-content-type-options']]).toEqual([404, 'nosniff']);
    expect((await get('/healthz')).body.toString()).toBe('{"status":"ok"}');
    await service.stop();
    const away = await get('/api/nothing');
    expect([away.status, away.headers['content-type'], away.headers['retry-after'], JSON.parse(away.body.toString()).code]).toEqual([503, 'application/problem+json', '5', 'unavailable']);
    expect((await get('/api/agent-index')).status).toBe(200);
  });
});
