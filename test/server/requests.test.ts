import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type RunningService, serveBuild } from './serve-build.ts';

let service: RunningService;
beforeAll(async () => void (service = await serveBuild(inject('fourBuild'))));
afterAll(() => service.stop());

/** Status line of the response to raw bytes. */
const readStatusLine = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(service.port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', (chunk) => (answer += chunk));
    socket.on('close', () => resolve(answer.split('\r\n')[0]!));
    socket.on('error', reject);
  });

const problemOf = async (target: string, method = 'GET') => {
  const { status, headers, body } = await service.ask(target, { method });
  expect(headers['content-type'], target).toBe('application/problem+json');
  const problem = JSON.parse(body.toString());
  expect(problem.status).toBe(status);
  return problem as { status: number; code: string; type: string; detail: string };
};

describe('paths', () => {
  it('to unknown paths under /api return a problem, whatever the method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])
      expect(await problemOf('/api/nothing/here', method)).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    expect(await problemOf('/api/agent/nobody')).toMatchObject({
      status: 404,
      code: 'unknown_subsite',
    });
    expect(await problemOf('/api')).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('to other unknown paths return the not-found page, as HTML or Markdown', async () => {
    for (const target of [
      '/nothing',
      '/404',
      '/404.html',
      '/_headers',
      '/_redirects',
      '/arena.bin',
    ]) {
      const html = await service.ask(target);
      expect([target, html.status, html.headers['content-type']]).toEqual([
        target,
        404,
        'text/html; charset=utf-8',
      ]);
      const markdown = await service.ask(target, { headers: { accept: 'text/markdown' } });
      expect([target, markdown.status, markdown.headers['content-type']]).toEqual([
        target,
        404,
        'text/markdown; charset=utf-8',
      ]);
      for (const { headers } of [html, markdown])
        expect(headers.vary?.toLowerCase().split(', '), target).toContain('accept');
    }
  });

  it('for missing documents return a problem, unless HTML is requested', async () => {
    for (const target of [
      '/.well-known/nothing',
      '/.well-known/agent-skills/nothing/SKILL.md',
      '/nothing.md',
      '/nothing.json',
    ]) {
      for (const accept of ['*/*', 'text/plain', undefined]) {
        const answer = await service.ask(
          target,
          accept === undefined ? {} : { headers: { accept } },
        );
        expect([target, answer.status, answer.headers['content-type']]).toEqual([
          target,
          404,
          'application/problem+json',
        ]);
      }
      for (const type of ['text/html', 'text/markdown']) {
        const page = await service.ask(target, { headers: { accept: `${type}, */*;q=0.8` } });
        expect([target, page.status, page.headers['content-type']]).toEqual([
          target,
          404,
          `${type}; charset=utf-8`,
        ]);
      }
    }
  });

  it('that are ambiguous are not found', async () => {
    for (const target of [
      '//api/agent-index',
      '/api//agent-index',
      '/api%2fagent-index',
      '/api%5Cagent-index',
      '/x/../api/agent-index',
      '/./api/agent-index',
      '/api/agent-index%00',
    ]) {
      expect(await problemOf(target), target).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  it('that are unreadable or too long are rejected without being repeated', async () => {
    for (const target of ['/%zz', '/%ff', '/a%', `/${'x'.repeat(9000)}`]) {
      const problem = await problemOf(target);
      expect(problem).toMatchObject({ status: 400, code: 'invalid_input' });
      expect(problem.detail).not.toContain(target.slice(1));
    }
  });

  it('may escape plain letters or be in absolute form, and are redirected from a trailing slash', async () => {
    expect((await service.ask('/api/agent-inde%78')).status).toBe(200);
    expect((await service.ask('http://elsewhere.example/api/agent-index')).status).toBe(200);
    const redirectResponse = await service.ask('/api/agent-index/?a=1');
    expect([redirectResponse.status, redirectResponse.headers.location]).toEqual([
      308,
      '/api/agent-index?a=1',
    ]);
  });

  it('of pages are redirected to lower case, as phones capitalize the first letter', async () => {
    for (const [target, location] of [
      ['/SEEDS', '/seeds'],
      ['/Seeds/', '/seeds'],
      ['/%53eeds?From=Ad%20One', '/seeds?From=Ad+One'],
      ['http://elsewhere.example/SEEDS', '/seeds'],
      ['/Go/bus', '/go/bus'],
    ] as const)
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await service.ask(target, { method });
        expect([status, headers.location], `${method} ${target}`).toEqual([308, location]);
      }
    for (const target of ['//SEEDS', '/SEEDS%2f', '/%2FSEEDS', '/Nothing', '/404.MD', '/SEEDS.txt'])
      expect((await service.ask(target)).status, target).toBe(404);
    expect((await service.ask('/SEEDS', { method: 'POST' })).status).toBe(404);
    expect((await service.ask('/API/agent-index')).status).toBe(404);
    for (const target of ['/api/Agent-Index', '/api/Nothing'])
      expect(await problemOf(target), target).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('in links use the built origin, whatever host is requested', async () => {
    const { body } = await service.ask('/api/agent-index', { headers: { host: 'evil.example' } });
    expect(body.toString()).not.toContain('evil.example');
  });
});

describe('every response', () => {
  it('has the security headers and the usage preference', async () => {
    for (const [target, method] of [
      ['/', 'GET'],
      ['/api/agent-index', 'GET'],
      ['/api/agent-index', 'POST'],
      ['/api/nothing', 'GET'],
      ['/nothing', 'GET'],
      ['/healthz', 'GET'],
      ['/%zz', 'GET'],
      ['/api/agent-index/', 'GET'],
    ] as const) {
      const { headers } = await service.ask(target, { method });
      expect(headers['x-content-type-options'], target).toBe('nosniff');
      expect(headers['content-security-policy'], target).toMatch(/frame-ancestors 'none'/);
      expect(headers['content-security-policy'], target).not.toMatch(/unsafe-inline|unsafe-eval/);
      expect(headers['referrer-policy'], target).toBe('strict-origin-when-cross-origin');
      expect(headers['content-usage'], target).toMatch(/^search=[yn], train-ai=[yn]$/);
      expect(headers['x-powered-by'], target).toBeUndefined();
    }
  });

  it('to an invalid HTTP request is a status line', async () => {
    expect(await readStatusLine('NONSENSE\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
    expect(
      await readStatusLine(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`),
    ).toBe('HTTP/1.1 431 Request Header Fields Too Large');
  });
});

describe('an interrupted upload', () => {
  const interrupt = (head: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(service.port, '127.0.0.1', () => socket.write(head));
      // The server has read the headers of the request and waits for its body.
      socket.once('data', () => socket.resetAndDestroy());
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
  const lengths = {
    known: 'content-length: 400\r\n\r\n{"subsite":',
    unknown: 'transfer-encoding: chunked\r\n\r\nb\r\n{"subsite":\r\n',
  };
  const channels = [
    ['/api/lead/action', 'application/json'],
    ['/api/lead/action', 'application/x-www-form-urlencoded'],
    ['/api/lead/action', 'multipart/form-data; boundary=x'],
    ['/api/mcp', 'application/json'],
    ['/a2a/v1', 'application/json'],
    ['/inbox', 'application/x-www-form-urlencoded'],
  ] as const;

  it.each(Object.keys(lengths) as (keyof typeof lengths)[])(
    'with a length that is %s is logged as a connection error only',
    async (length) => {
      for (const [path, type] of channels) {
        const logLength = service.log().length;
        await interrupt(
          `POST ${path} HTTP/1.1\r\nhost: localhost:4321\r\nexpect: 100-continue\r\ncontent-type: ${type}\r\n${lengths[length]}`,
        );
        await expect
          .poll(() => service.log().slice(logLength), { message: `${path} as ${type}` })
          .toContain('"aborted":true');
        expect(service.log().slice(logLength), `${path} as ${type}`).not.toMatch(/"level":[45]0/);
        expect(service.log().slice(logLength), `${path} as ${type}`).toMatch(
          /"status":499,[^\n]*"aborted":true/,
        );
      }
    },
  );
});

describe('the service', () => {
  it('reports that it is healthy', async () => {
    const { status, headers, body } = await service.ask('/healthz');
    expect([status, headers['cache-control'], body.toString()]).toEqual([
      200,
      'no-store',
      '{"status":"ok"}',
    ]);
    expect((await service.ask('/healthz', { method: 'POST' })).headers.allow).toBe('GET, HEAD');
  });

  it('logs routes and statuses, and nothing that was sent', async () => {
    await service.ask('/api/nothing/secret-path?token=secret-query', {
      method: 'POST',
      headers: { authorization: 'Bearer secret-key' },
      body: 'secret-body',
    });
    await service.ask('/secret-page', {});
    await expect.poll(() => service.log()).toContain('"route":"/api/[...rest]"');
    await expect.poll(() => service.log()).toContain('"route":"unknown"');
    expect(service.log()).not.toMatch(/secret|127\.0\.0\.1/);
  });
});
