import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Context } from '../../src/operation/context.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { createTestApp } from '../transports/setup/send.ts';
import { type RunningService, serveBuild } from './serve-build.ts';

const READ_LIMIT = 5;
const WRITE_LIMIT = 3;

/** Paths of all pages rendered on request, with example parameters. */
const pages = [
  ...new Set(
    createTestApp({ context: { site: readBuiltSite(inject('fourBuild')) } as Context })
      .routes.map(({ path }) => path.replace(/:\w+/g, 'unknown'))
      .filter((path) => /^\/(?:find|free-days|receipt|answer|biz|inbox)\b/.test(path)),
  ),
].sort();
/** Read-only pages. */
const readOnlyPages = pages.filter((path) =>
  /^\/(?:find|biz)\b|\/calendar$|^\/receipt\/erased$/.test(path),
);
/** Pages whose form withdraws or erases a request or stops its email, or changes nothing. */
const READ_LIMIT_PATTERN = /^\/receipt\/\w+\/(?:withdraw|erase|draft|not-me)$|^\/free-days\b/;
const browser = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

let service: RunningService;
let addressCount = 0;
beforeAll(async () => {
  service = await serveBuild(inject('fourBuild'), 1, undefined, {
    rateLimitReads: READ_LIMIT,
    rateLimitWrites: WRITE_LIMIT,
  });
});
afterAll(() => service.stop());

/** A client with its own address. */
function createVisitor() {
  const address = `192.0.2.${++addressCount}`;
  return (
    path: string,
    {
      method = 'GET',
      headers = {},
      body,
    }: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) =>
    service.ask(path, {
      method,
      headers: { 'x-forwarded-for': address, ...headers },
      ...(body !== undefined && { body }),
    });
}

it('the tests below cover all pages', () =>
  expect([pages.length > 6, readOnlyPages.length]).toEqual([true, 4]));

describe.each(pages)('%s', (path) => {
  it('counts against the read limit, and shows an error page beyond it', async () => {
    const ask = createVisitor();
    for (let call = 0; call < READ_LIMIT; call++)
      expect((await ask(path, { headers: browser })).status).not.toBe(429);
    const { status, headers, body } = await ask(path, { headers: browser });
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      429,
      'text/html',
      'no-store',
    ]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['ratelimit']).toMatch(/^"reads";r=0;/);
    expect(body.toString()).toMatch(
      /Many requests came from your internet connection, which several people may share\. Try again after [^.]* at (?:\d+(?::\d\d)?\s[ap]m|noon)/,
    );
    expect(body.toString()).toContain(`href="${path}"`);
  });

  it('refuses other methods, and lists the allowed methods', async () => {
    const ask = createVisitor();
    const isReadOnly = readOnlyPages.includes(path);
    for (const method of ['PUT', 'DELETE', 'PATCH', ...(isReadOnly ? ['POST'] : [])]) {
      const { status, headers } = await ask(path, { method });
      expect([method, status, headers.allow]).toEqual([
        method,
        405,
        isReadOnly ? 'GET, HEAD' : 'GET, HEAD, POST',
      ]);
    }
  });
});

describe.each(pages.filter((path) => !readOnlyPages.includes(path)))('%s', (path) => {
  it('counts posts against the write limit, or the read limit if they withdraw something or change nothing', async () => {
    const ask = createVisitor();
    const post = () =>
      ask(path, { method: 'POST', headers: { ...form, ...browser }, body: 'note=x' });
    const [limit, calls] = READ_LIMIT_PATTERN.test(path)
      ? ['reads', READ_LIMIT]
      : ['writes', WRITE_LIMIT];
    for (let call = 0; call < calls; call++) expect((await post()).status).not.toBe(429);
    const { status, headers } = await post();
    expect([status, headers['content-type'], headers['ratelimit']]).toEqual([
      429,
      'text/html',
      expect.stringContaining(`"${limit}";r=0;`),
    ]);
  });
});

describe('the page of an answer link', () => {
  const path = '/answer/unknown';
  const bodies = [
    ['bad JSON', { 'content-type': 'application/json' }, '{', 400],
    [
      'JSON that is too large',
      { 'content-type': 'application/json' },
      JSON.stringify({ note: 'x'.repeat(70_000) }),
      413,
    ],
    ['text', { 'content-type': 'text/plain' }, 'note', 415],
    ['no type', {}, 'note', 415],
  ] as const;

  it.each(bodies)(
    'answers a program that sends %s with a problem, and a browser with a page',
    async (_, headers, body, status) => {
      const ask = createVisitor();
      expect(await ask(path, { method: 'POST', headers, body })).toMatchObject({
        status,
        headers: { 'content-type': 'application/problem+json' },
      });
      const pageResponse = await ask(path, {
        method: 'POST',
        headers: { ...form, ...browser },
        body: 'note=x',
      });
      expect([pageResponse.status, pageResponse.headers['content-type']]).toEqual([
        404,
        'text/html',
      ]);
    },
  );

  it('answers a program over the limit with a problem', async () => {
    const ask = createVisitor();
    const post = () =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"note":"x"}',
      });
    for (let call = 0; call < WRITE_LIMIT; call++) await post();
    expect(await post()).toMatchObject({
      status: 429,
      headers: { 'content-type': 'application/problem+json' },
    });
  });
});

describe('an address that cannot be opened', () => {
  const faults = [
    ['GET', '/s/aaaaaaaa', 404, 'This link does not work'],
    ['GET', '/s/not-a-token', 404, 'This link does not work'],
    ['GET', '/go/unknown', 404, 'There is no short link with this name.'],
    ['GET', '/receipt/unknown', 404, 'We cannot find this request'],
    ['GET', '/biz/unknown', 404, 'There is no web page at this address'],
    ['GET', '/answer/unknown', 404, 'This link does not work'],
    ['GET', '/free-days/unknown/unknown', 404, 'There is nothing at this address'],
    ['GET', '/biz/%zz', 400, 'There is nothing at this address'],
    ['GET', '//biz', 404, 'There is nothing at this address'],
    ['GET', '/biz%2fx', 404, 'There is nothing at this address'],
    ['POST', '/', 405, 'Nothing can be sent to this page'],
    ['POST', '/find', 405, 'Nothing can be sent to this page'],
    ['POST', '/s/aaaaaaaa', 405, 'Nothing can be sent to this page'],
    ['DELETE', '/biz/unknown', 405, 'Nothing can be sent to this page'],
  ] as const;

  it.each(faults)('%s %s gives %i, as a page in a browser', async (method, path, status, words) => {
    const ask = createVisitor();
    const pageResponse = await ask(path, { method, headers: browser });
    expect([pageResponse.status, pageResponse.headers['content-type']]).toEqual([
      status,
      expect.stringMatching(/^text\/html/),
    ]);
    const text = pageResponse.body.toString();
    expect(text).toContain(words);
    expect(text).toMatch(/<h1>.*<\/h1>/);
    expect(text).toContain('</footer>');
    expect(pageResponse.headers['content-security-policy']).toBeDefined();
    expect(pageResponse.headers.allow === undefined).toBe(status !== 405);
    expect(await ask(path, { method, headers: { accept: 'application/json' } })).toMatchObject({
      status,
      headers: { 'content-type': 'application/problem+json' },
    });
    expect((await ask(path, { method, headers: { accept: '*/*' } })).status).toBe(status);
  });

  it('is also a page if the limit is exceeded, with a link to try again', async () => {
    const ask = createVisitor();
    for (let call = 0; call < READ_LIMIT; call++) await ask('/s/aaaaaaaa');
    expect((await ask('/s/aaaaaaaa')).headers['content-type']).toBe('application/problem+json');
    const { status, headers, body } = await ask('/s/aaaaaaaa', { headers: browser });
    expect([status, headers['content-type']]).toEqual([429, 'text/html']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(body.toString()).toContain('href="/s/aaaaaaaa"');
  });

  it('below /api is a problem document even in a browser', async () => {
    const ask = createVisitor();
    for (const path of ['/api/lead/unknown', '/api/unknown', '/api/%zz'])
      expect((await ask(path, { headers: browser })).headers['content-type']).toBe(
        'application/problem+json',
      );
  });
});
