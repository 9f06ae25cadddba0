import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openArena } from '../../src/server/arena.ts';
import { ask } from '../server/serve-build.ts';
import { findProgram } from '../setup/programs.ts';
import { createBuildSettings, startServer, type StartedServer } from '../setup/started-server.ts';
import { startNginx } from './nginx.ts';

describe('the documented proxy configuration', () => {
  it('has at most 40 lines', () => {
    const [, text] = /```nginx\n([\s\S]*?)```/.exec(readFileSync('.github/OPERATING.md', 'utf8'))!;
    expect(text!.split('\n').length).toBeLessThanOrEqual(40);
  });
});

describe.runIf(findProgram('nginx'))('the network behind the documented nginx', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontage-behind-nginx-'));
  let arena: ReturnType<typeof openArena>;
  const brotliHeaders = { 'accept-encoding': 'br' };
  let service: StartedServer;
  let nginx: Awaited<ReturnType<typeof startNginx>>;

  beforeAll(async () => {
    service = startServer({
      ...createBuildSettings(inject('fourBuild'), 'test/fixtures/network-of-four'),
      DATABASE_URL: `file:${folder}/network.db`,
      TRUST_PROXY: '1',
    });
    const { port } = new URL(await service.origin());
    // The server may have built a new release for these settings when it started.
    arena = openArena(inject('fourBuild'));
    nginx = await startNginx(Number(port));
  });
  afterAll(async () => {
    await service.end('SIGKILL');
    await nginx.stop();
    rmSync(folder, { recursive: true });
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    ask(nginx.port, path, { headers: { host: 'example.com', ...headers } });

  it.each([
    '/foo%0dSet-Cookie:a=b/',
    '/foo%0d%0aSet-Cookie:%20a=b/',
    '/%5Cexample.org/',
    '/%5C%5Cexample.org/%2e%2e',
    '//example.org/',
    '/%2f%2fexample.org/',
    '/.%2e/.%2e/etc/passwd',
    '/%00',
    '/go/%0d%0aX:%20y',
  ])('rejects %s and adds no header from it', async (path) => {
    const { status, headers } = await get(path);
    expect([path, status >= 400 && status < 500]).toEqual([path, true]);
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:set-cookie|x|location)$/)]),
    );
  });

  it('caches each encoding of a document and each format of a page separately', async () => {
    const document = arena.get('/api/agent-index')!;
    const plain = await get(document.path);
    const compressedResponse = await get(document.path, brotliHeaders);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body.equals(document.body('identity'))).toBe(true);
    expect(compressedResponse.headers['content-encoding']).toBe('br');
    expect(compressedResponse.body.equals(document.body('br'))).toBe(true);
    expect((await get(document.path)).body.equals(plain.body)).toBe(true);
    const types = [];
    for (const accept of ['text/html', 'text/markdown', 'text/html', 'text/markdown'])
      types.push((await get('/bus', { accept })).headers['content-type']);
    expect(types.map((type) => type!.split(';')[0])).toEqual([
      'text/html',
      'text/markdown',
      'text/html',
      'text/markdown',
    ]);
  });

  it('returns 304 for a matching ETag, and caches each query string separately', async () => {
    const { headers, body } = await get('/api/agent/bus');
    const unchanged = await get('/api/agent/bus', { 'if-none-match': headers.etag! });
    expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
    const recordWithData = JSON.parse(
      (await get('/api/agent/bus?include=data')).body.toString(),
    ) as object;
    expect(recordWithData).toMatchObject({ data: { capabilities: expect.any(Array) } });
    expect(JSON.parse(body.toString())).not.toHaveProperty('data');
    expect((await get('/api/agent/bus?include=other')).status).toBe(400);
  });

  it('forwards writes and does not cache their responses', async () => {
    const post = () =>
      ask(nginx.port, '/api/share', {
        method: 'POST',
        headers: { host: 'example.com', 'content-type': 'application/json' },
        body: JSON.stringify({ subsite: 'bus' }),
      });
    const { token } = JSON.parse((await post()).body.toString()) as { token: string };
    expect((await post()).status).toBe(200);
    const redirectResponse = await get(`/s/${token}`);
    expect([redirectResponse.status, redirectResponse.headers['cache-control']]).toEqual([
      302,
      'no-store',
    ]);
    expect((await get('/api/lead/nothing')).status).toBe(404);
  });

  it('lets a client long-poll the status of its request', async () => {
    const submitted = await ask(nginx.port, '/api/email-capture', {
      method: 'POST',
      headers: { host: 'example.com', 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'dana@example.com', source: 'bus' }),
    });
    const { receiptToken } = JSON.parse(submitted.body.toString()) as { receiptToken: string };
    const path = `/api/lead/${receiptToken}`;
    const { etag } = (await get(path)).headers;
    const ifNoneMatch = { 'if-none-match': etag! };
    expect((await get(`${path}?wait=1`, ifNoneMatch)).status).toBe(304);
    const pendingPoll = get(`${path}?wait=60`, ifNoneMatch);
    const reply = await ask(nginx.port, `${path}/messages`, {
      method: 'POST',
      headers: { host: 'example.com', 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'The gate is six feet wide.' }),
    });
    expect(reply.status).toBe(200);
    expect((await pendingPoll).status).toBe(200);
  });

  it('streams each event as it is sent', async () => {
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${nginx.port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const submitted = await post('/api/email-capture', {
      email: 'dana@example.com',
      source: 'bus',
    });
    const { receiptToken } = (await submitted.json()) as { receiptToken: string };
    const method = 'subscriptions/listen';
    const version = '2026-07-28';
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientCapabilities': {
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
    };
    const stream = await post(
      '/api/mcp',
      {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { notifications: { taskIds: [receiptToken] }, _meta },
      },
      { 'mcp-protocol-version': version, 'mcp-method': method },
    );
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const readUntil = async (words: string) => {
      for (let chunk; !text.includes(words); text += chunk.value) {
        chunk = await reader.read();
        expect([words, chunk.done]).toEqual([words, false]);
      }
    };
    await readUntil('notifications/subscriptions/acknowledged');
    await readUntil('notifications/tasks');
    expect(text).not.toContain('cancelled');
    // The stream stays open while it delivers this.
    await post(`/api/lead/${receiptToken}/messages`, { withdraw: true });
    await readUntil('"status":"cancelled"');
    await reader.cancel();
  });

  it('serves cached documents after the server is killed, and tells people who send a form to send it again or call', async () => {
    const cachedPage = await get('/bus', { accept: 'text/html' });
    expect(cachedPage.status).toBe(200);
    await service.end('SIGKILL');
    const stalePage = await get('/bus', { accept: 'text/html' });
    expect([stalePage.status, stalePage.body.equals(cachedPage.body)]).toEqual([200, true]);
    expect((await get('/api/agent-index')).status).toBe(200);
    for (const [path, method] of [
      ['/healthz', 'GET'],
      ['/bus', 'POST'],
      ['/api/lead/action', 'POST'],
    ] as const) {
      const { status, headers, body } = await ask(nginx.port, path, {
        method,
        headers: { host: 'example.com', 'content-length': '0' },
      });
      expect([path, status, headers['retry-after']]).toEqual([path, 503, '60']);
      expect(headers['content-type']).toBe('text/html');
      expect(body.toString()).toContain('send it again in a few minutes, or call');
    }
  });
});
