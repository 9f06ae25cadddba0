import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type RunningService, serveBuild } from '../server/serve-build.ts';

const SECRET = 'a-token-that-no-log-may-have';

let service: RunningService;
beforeAll(async () => void (service = await serveBuild(inject('mainBuild'))));
afterAll(() => service.stop());

/** The raw response to raw bytes; an empty string if the server just closes the connection. */
const sendRawBytes = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let response = '';
    const socket = connect(service.port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => (response += String(chunk)));
    socket.on('close', () => resolve(response));
    socket.on('error', reject);
  });

const statusOf = (response: string): number =>
  Number(/^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1] ?? 0);

const request = (line: string, headers: readonly string[] = [], host = 'localhost') =>
  `${line} HTTP/1.1\r\nhost: ${host}\r\n${headers.map((header) => `${header}\r\n`).join('')}connection: close\r\n\r\n`;

/** Attack requests with their expected status; 0 means that the connection is closed. */
const attacks: [what: string, bytes: string, status: number][] = [
  ['TRACE', request(`TRACE /receipt/${SECRET}`), 405],
  ['TRACE of an unknown address', request(`TRACE /${SECRET}`), 404],
  ['TRACE of an endpoint', request(`TRACE /api/lead/${SECRET}`), 405],
  ['CONNECT', request(`CONNECT ${SECRET}:443`), 0],
  ['a method of another protocol', request(`PROPFIND /receipt/${SECRET}`), 405],
  ['an unknown method', request(`STEAL /receipt/${SECRET}`), 400],
  ['a host with a user name', request(`GET /receipt/${SECRET}`, [], 'a@b'), 400],
  ['a host with a path', request(`GET /receipt/${SECRET}`, [], 'x/inbox?'), 400],
  ['a host with an invalid port', request('GET /inbox', [], 'x:99999'), 400],
  ['no host', `GET /receipt/${SECRET} HTTP/1.1\r\nconnection: close\r\n\r\n`, 400],
  ['images on demand', request('GET /_image?href=/icon.svg&w=9000&f=png'), 404],
  ['images by another method', request('POST /_image?href=/icon.svg', ['content-length: 0']), 404],
  ['islands', request('GET /_server-islands/Page?e=x&p=y&s=z'), 404],
  ['actions', request('POST /_actions/x', ['content-length: 0']), 404],
  ['the page of a view', request('GET /view/receipt'), 404],
  ['the page of a view with a trailing slash', request('GET /view/receipt/'), 404],
  ['another site in the target', request(`GET http://evil.example/receipt/${SECRET}`), 404],
  ['an asterisk as the target', request('OPTIONS *'), 400],
  ['an encoded slash', request(`GET /receipt%2f${SECRET}`), 404],
  ['an encoded line break', request(`GET /receipt/${SECRET}%0d%0aSet-Cookie:%20a=b`), 404],
  ['an encoded log line', request(`GET /x%0a%7B%22level%22:60,%22msg%22:%22${SECRET}%22%7D`), 404],
  ['a forged address', request(`GET /receipt/${SECRET}`, ['x-forwarded-for: {"level":60}']), 404],
  ['a forged forwarded host', request('GET /inbox', ['x-forwarded-host: evil.example']), 401],
  ['an upgrade', request('GET /inbox', ['upgrade: websocket', 'connection: upgrade']), 401],
];

describe('an attack', () => {
  it.each(attacks)(
    'with %s gets the expected status and leaks nothing',
    async (_, bytes, status) => {
      const logLength = service.log().length;
      const response = await sendRawBytes(bytes);
      expect([statusOf(response), response.split('\r\n\r\n')[0]]).toEqual([
        status,
        expect.not.stringMatching(/set-cookie|evil\.example/i),
      ]);
      if (statusOf(response)) expect(statusOf(response)).toBeLessThan(500);
      expect(response).not.toMatch(/node:internal|node_modules|\n\s+at /);
      for (const line of service.log().slice(logLength).split('\n').filter(Boolean)) {
        expect(line).not.toContain(SECRET);
        expect((JSON.parse(line) as { level: number }).level).toBeLessThan(50);
      }
    },
  );
});

describe('an HTML error page', () => {
  const unknownPaths = [
    '/nothing',
    '/agent-skills/nothing/SKILL.md',
    '/receipt/x',
    '/biz/x',
    '/answer/x',
  ];
  it.each(unknownPaths)('is not sent to a client that asks for JSON at %s', async (path) => {
    const { status, headers } = await service.ask(path, {
      headers: { accept: 'application/json' },
    });
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json']);
  });

  it('is not sent to a client that posts a form and asks for JSON', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = (accept: string) =>
      service.ask('/api/lead/action', {
        method: 'POST',
        headers: { ...headers, accept },
        body: 'subsite=hvac&action=request_hvac_service&fields.zip=1',
      });
    expect(await post('application/json')).toMatchObject({
      status: 400,
      headers: { 'content-type': 'application/problem+json' },
    });
    expect(await post('text/html,*/*;q=0.8')).toMatchObject({
      status: 400,
      headers: { 'content-type': 'text/html' },
    });
  });
});

describe('a response rendered on request', () => {
  it.each(['br', 'gzip'])('is compressed with %s unless it is small', async (encoding) => {
    for (const path of ['/receipt/sandbox', '/receipt/unknown', '/biz/sandbox', '/inbox']) {
      const uncompressedResponse = await service.ask(path);
      const compressedResponse = await service.ask(path, {
        headers: { 'accept-encoding': encoding },
      });
      expect([path, compressedResponse.headers['content-encoding']]).toEqual([path, encoding]);
      expect(compressedResponse.headers.vary?.toLowerCase()).toContain('accept-encoding');
      expect(compressedResponse.body.length).toBeLessThan(uncompressedResponse.body.length / 2);
    }
    const smallResponse = await service.ask('/healthz', {
      headers: { 'accept-encoding': encoding },
    });
    expect(smallResponse.headers['content-encoding']).toBeUndefined();
  });
});
