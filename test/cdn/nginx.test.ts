import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { placements } from '../../src/artifacts/index.ts';
import { openArena } from '../../src/server/arena.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { ask, type Running, serveBuild } from '../server/serve-build.ts';
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
  let service: Running | undefined;
  let nginx: Awaited<ReturnType<typeof startNginx>> | undefined;
  const get = (path: string, options?: Parameters<typeof ask>[2]) => ask(nginx!.port, path, options);
  beforeAll(async () => {
    service = alone ? undefined : await serveBuild(outDir, 1);
    nginx = await startNginx(outDir, service?.port);
  });
  afterAll(async () => {
    await nginx?.stop();
    await service?.stop();
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
      for (const [name, value] of Object.entries(arena.get(path)!.policy.headers)) expect([path, name, page.headers[name]]).toEqual([path, name, value]);
      if (!arena.get(path)!.twin) continue;
      const twin = await get(path, { headers: { accept: 'text/markdown, */*' } });
      expect([path, twin.headers['content-type']?.split(';')[0]]).toEqual([path, 'text/markdown']);
      expect(twin.headers.vary, path).toContain('Accept');
    }
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
    await service!.stop();
    const away = await get('/api/nothing');
    expect([away.status, away.headers['content-type'], away.headers['retry-after'], JSON.parse(away.body.toString()).code]).toEqual([503, 'application/problem+json', '5', 'unavailable']);
    expect((await get('/api/agent-index')).status).toBe(200);
    service = undefined;
  });
});
