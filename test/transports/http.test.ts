import { describe, expect, it } from 'vitest';
import { DatabaseUnavailableError } from '../../db/unavailable.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { capture } from '../deliveries/setup/drain.ts';
import { listOperations } from '../../src/http/operations.ts';
import type { ProblemDetails } from '../../src/operation/problem.ts';
import { createRateLimitCheck } from '../../src/http/rate-limit.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites, withBatch } from '../operations/setup/fixture.ts';
import { client } from './setup/send.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const [{ subsite, action }] = listActions(site).filter(
  (verb) => !verb.action.effect,
) as unknown as [ReturnType<typeof listActions>[number]];
const ACTION_PATH = '/api/lead/action';
const validBody = {
  subsite: subsite.name,
  action: action.verb,
  fields: exampleValuesOf(action.fields),
};

/** The problem in a response, after checking its format. */
async function problemIn(
  response: Response,
  status: number,
  code: string,
): Promise<ProblemDetails> {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const details = (await response.json()) as ProblemDetails;
  expect(details).toMatchObject({ type: `${site.base}/problems/${code}`, status, code });
  expect(details.detail).toMatch(/\.$/);
  return details;
}

describe('an endpoint', async () => {
  const fixture = await openFixture(site);
  const { send, json, get } = client(fixture);
  const keylessOperations = listOperations(site).filter(({ requiresKey: bearer }) => !bearer);

  it.each(keylessOperations.map((operation) => [operation.name, operation] as const))(
    'at %s answers OPTIONS, and rejects other methods and names the allowed method',
    async (_, { path }) => {
      const allowedMethods = listOperations(site)
        .filter((other) => other.path === path)
        .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      const allowHeader = [...allowedMethods, 'OPTIONS'].join(', ');
      const optionsResponse = await send(path, {
        method: 'OPTIONS',
        headers: { origin: 'https://elsewhere.example' },
      });
      expect(optionsResponse.status).toBe(204);
      expect(optionsResponse.headers.get('allow')).toBe(allowHeader);
      expect(optionsResponse.headers.get('access-control-allow-methods')).toBe(allowHeader);
      expect(optionsResponse.headers.get('access-control-allow-headers')).toContain(
        'idempotency-key',
      );
      const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
      for (const other of allMethods.filter((method) => !allowedMethods.includes(method))) {
        const refused = await send(path, { method: other });
        if (other === 'HEAD') expect(refused.status).toBe(405);
        else await problemIn(refused, 405, 'method_not_allowed');
        expect(refused.headers.get('allow')).toBe(allowHeader);
      }
    },
  );

  it('rejects unknown query parameters, and lists the known parameters', async () => {
    for (const { path, query = [] } of listOperations(site).filter(
      ({ method, path: operationPath, requiresKey: bearer }) =>
        method === 'GET' && !bearer && operationPath.startsWith('/api/'),
    )) {
      const { errors } = await problemIn(
        await get(`${path}?utm_source=x`, {}),
        400,
        'invalid_input',
      );
      expect([path, errors?.find(({ pointer }) => pointer === '/utm_source')]).toEqual([
        path,
        expect.objectContaining({ allowed: query }),
      ]);
    }
    expect((await get('/s/aaaaaaaa?utm_source=x', {})).status).toBe(404);
  });

  it('rejects query parameters on a write, and says where they belong', async () => {
    for (const { path, method, hasNoBody } of listOperations(site).filter(
      (operation) => operation.method !== 'GET' && !operation.requiresKey,
    )) {
      const body = {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(validBody),
      };
      const { errors } = await problemIn(
        await send(`${path.replace(/\{\w+\}/, 'sandbox')}?sandbox=true`, {
          method,
          ...(!hasNoBody && body),
        }),
        400,
        'invalid_input',
      );
      // The errors in the body come after these.
      expect([path, errors?.slice(0, 1)]).toEqual([
        path,
        [
          {
            pointer: '/sandbox',
            allowed: [],
            message: hasNoBody
              ? expect.stringMatching(/accepts no query parameters\.$/)
              : expect.stringMatching(/no query parameters: send them as members of the body\.$/),
          },
        ],
      ]);
    }
    expect(await fixture.rows('leads')).toEqual([]);
  });

  it('lists unknown query parameters together with every other error', async () => {
    const pointersOf = async (response: Response) =>
      (await problemIn(response, 400, 'invalid_input')).errors?.map(({ pointer }) => pointer);
    expect(await pointersOf(await get('/api/find?foo=1', {}))).toEqual(['/foo', '/q']);
    const { errors } = (await (await get('/api/find?need=a+trailer', {})).json()) as {
      errors: object[];
    };
    expect(errors[0]).toMatchObject({
      pointer: '/need',
      message: 'This name is unknown. Did you mean q?',
    });
    const response = await json(`${ACTION_PATH}?foo=1`, { ...validBody, fields: 'none' });
    expect(await pointersOf(response)).toEqual(['/foo', '/fields']);
  });

  it('accepts the parameter that names a form only from forms', async () => {
    const { status } = await send(`${ACTION_PATH}?form=${subsite.name}.${action.verb}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...validBody, sandbox: true }),
    });
    expect(status).toBe(200);
  });

  it('may be called by a page from any origin, which can read the relevant headers', async () => {
    for (const response of [
      await json(ACTION_PATH, validBody, { headers: { origin: 'https://elsewhere.example' } }),
      await json(ACTION_PATH, {}),
    ]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-expose-headers')).toContain(
        'idempotent-replayed',
      );
      expect(response.headers.get('set-cookie')).toBeNull();
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('accepts at most 64 KiB, and stops reading there', async () => {
    const freeBytes = 64 * 1024 - JSON.stringify({ ...validBody, pad: '' }).length;
    await problemIn(
      await json(ACTION_PATH, { ...validBody, pad: 'x'.repeat(freeBytes) }),
      400,
      'invalid_input',
    );
    await problemIn(
      await json(ACTION_PATH, { ...validBody, pad: 'x'.repeat(freeBytes + 1) }),
      413,
      'too_large',
    );
    await problemIn(
      await json(ACTION_PATH, 'x', { headers: { 'content-length': '65537' } }),
      413,
      'too_large',
    );
    let pullCount = 0;
    const endlessBody = new ReadableStream(
      { pull: (controller) => void (pullCount++, controller.enqueue(new Uint8Array(16 * 1024))) },
      { highWaterMark: 0 },
    );
    await problemIn(
      await send(ACTION_PATH, {
        headers: { 'content-type': 'application/json' },
        body: endlessBody,
      }),
      413,
      'too_large',
    );
    expect(pullCount).toBe(5);
  });

  it('accepts JSON in UTF-8, uncompressed', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      '',
      'application/jsonp',
      'application/json; charset=utf-16',
    ])
      await problemIn(
        await send(ACTION_PATH, {
          headers: type ? { 'content-type': type } : {},
          body: new TextEncoder().encode(JSON.stringify(validBody)),
        }),
        415,
        'unsupported_media_type',
      );
    await problemIn(
      await json(ACTION_PATH, validBody, { headers: { 'content-encoding': 'gzip' } }),
      415,
      'unsupported_media_type',
    );
    for (const type of [
      'application/json; charset=UTF-8',
      'Application/JSON',
      'application/vnd.api+json',
    ])
      expect(
        (await json(ACTION_PATH, validBody, { headers: { 'content-type': type } })).status,
      ).toBe(200);
    const share = await send('/api/share', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'subsite=x',
    });
    await problemIn(share, 415, 'unsupported_media_type');
    expect(share.headers.get('accept')).toBe('application/json');
  });

  it('reports a body that is not JSON', async () => {
    const bodies = [
      '',
      '{',
      '{"a":1}}',
      "{'a':1}",
      'undefined',
      `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ];
    for (const body of bodies)
      await problemIn(await json(ACTION_PATH, body), 400, 'malformed_body');
    await problemIn(
      await send(ACTION_PATH, {
        headers: { 'content-type': 'application/json' },
        body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]),
      }),
      400,
      'malformed_body',
    );
  });

  it('says where a body stops being JSON, without quoting it', async () => {
    const body = '{"contact": {"name": "Ada"},\n "fields": {},}';
    const { detail } = await problemIn(await json(ACTION_PATH, body), 400, 'malformed_body');
    expect(detail).toBe('The body is not valid JSON. See line 2, column 15. Send one JSON value.');
    const cut = await problemIn(await json(ACTION_PATH, '{"subsite":'), 400, 'malformed_body');
    expect(cut.detail).toBe('The body is not valid JSON. It ends too early. Send one JSON value.');
    for (const complete of ['{"subsite": None}', '[1,]', 'subsite=hvac']) {
      const { detail } = await problemIn(await json(ACTION_PATH, complete), 400, 'malformed_body');
      expect(detail).toBe('The body is not valid JSON. Send one JSON value.');
    }
  });

  it('reports a duplicate name in an object, but not text or a list that looks like one', async () => {
    const start = JSON.stringify(validBody).slice(0, -1);
    for (const repeated of [
      `${start},"subsite":"x"}`,
      `${start},"s\\u0075bsite":"x"}`,
      `${start},"contact":{"name":"Ada"},"contact":{"email":"ada@agentdev.example"}}`,
      `${start},"contact":{"name":"Ada","name" : "Bob"}}`,
    ])
      expect(
        (await problemIn(await json(ACTION_PATH, repeated), 400, 'malformed_body')).detail,
      ).toMatch(
        /^An object in the body has the same name twice: see line 1, column \d+\. Send each name only once per object\.$/,
      );
    const { detail } = await problemIn(
      await json(ACTION_PATH, '{"a": ["b", {"c": 1}],\n "b": {"c": 1, "d": 2,\n  "c": 3}}'),
      400,
      'malformed_body',
    );
    expect(detail).toContain('see line 3, column 3.');
    const name = 'Ada "Bob": {"name":"\\"}, "name": \\';
    expect(
      (await json(ACTION_PATH, { ...validBody, contact: { name }, sandbox: true })).status,
    ).toBe(200);
  });

  it('points to a number that is too large', async () => {
    const data = { list: [1, 0.5], big: 'BIG' };
    const { leadSource: source } = subsite;
    const text = JSON.stringify({ email: 'ada@agentdev.example', source, data });
    for (const number of ['1e400', '-1e400', '9'.repeat(400)]) {
      const body = text.replace('"BIG"', number);
      const response = await json('/api/email-capture', body);
      const { errors } = await problemIn(response, 400, 'invalid_input');
      expect(errors).toEqual([
        { pointer: '/data/big', message: 'Send a number from -1.7e308 to 1.7e308.' },
      ]);
    }
  });

  it('rejects an invalid idempotency key', async () => {
    for (const key of [
      '',
      '1',
      'x'.repeat(15),
      'sixteen and blank',
      'x'.repeat(256),
      'caf\u00e9'.repeat(5),
    ])
      expect(
        (
          await problemIn(
            await json(ACTION_PATH, validBody, { headers: { 'idempotency-key': key } }),
            400,
            'invalid_input',
          )
        ).detail,
      ).toMatch(
        /^The header Idempotency-Key .*16 to 255 visible ASCII characters without spaces, such as a new UUID/,
      );
  });

  it('returns the first response for a repeat and marks it as a repeat', async () => {
    const headers = { 'idempotency-key': 'a key of sixteen'.replaceAll(' ', '-') };
    const first = await json(ACTION_PATH, validBody, { headers });
    const repeated = await json(ACTION_PATH, validBody, { headers });
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    const text = await first.text();
    expect(await repeated.text()).toBe(text);
    const { statusUrl } = JSON.parse(text) as { statusUrl: string };
    expect([first, repeated].map((response) => response.headers.get('link'))).toEqual([
      null,
      `<${statusUrl}>; rel="latest-version"`,
    ]);
    const other = await json(ACTION_PATH, { ...validBody, source: 'other' }, { headers });
    expect((await problemIn(other, 422, 'idempotency_mismatch')).errors).toEqual([
      { pointer: '', message: expect.stringContaining('header Idempotency-Key') },
    ]);
  });

  it.each([
    ['DELETE', '/api/lead/{receipt}'],
    ['POST', '/api/lead/{receipt}/messages'],
  ])('at %s %s acts only on the version in If-Match', async (method, path) => {
    const tagOf = async (params: Record<string, string>, headers = {}) =>
      (await get('/api/lead/{receipt}', params, { headers })).headers.get('etag')!;
    for (const receipt of ['sandbox', await capture(fixture.context, subsite.leadSource)]) {
      const act = (ifMatch: string, key: string) =>
        send(path, {
          method,
          params: { receipt },
          headers: {
            'if-match': ifMatch,
            'idempotency-key': `${key}-for-${receipt}-to-match`,
            ...(method === 'POST' && { 'content-type': 'application/json' }),
          },
          ...(method === 'POST' && { body: JSON.stringify({ text: 'The gate is 6 feet wide.' }) }),
        });
      const etag = await tagOf({ receipt });
      const isSandbox = receipt === 'sandbox';
      if (!isSandbox)
        await changeLead(
          { receiptToken: receipt, to: 'acknowledged', actor: 'provider' },
          fixture.context,
        );
      const current = await tagOf({ receipt }, { 'accept-encoding': 'br' });
      for (const stale of ['"stale"', `W/${current}`, ...(isSandbox ? [] : [etag])])
        await problemIn(await act(stale, 'stale'), 412, 'precondition_failed');
      const first = await act(`"stale", ${current}`, 'first');
      expect(first.status).toBe(200);
      if (method === 'POST' && !isSandbox) {
        const repeated = await act(current, 'first');
        expect(repeated.headers.get('idempotent-replayed')).toBe('true');
        await problemIn(await act(current, 'other'), 412, 'precondition_failed');
        expect((await act('*', 'other')).status).toBe(200);
      }
    }
  });

  it('gives each coding of a status its own ETag, and recognizes all of them', async () => {
    const receipt = await capture(fixture.context, subsite.leadSource);
    const read = (more = {}, method = 'GET') =>
      send('/api/lead/{receipt}', { method, params: { receipt }, headers: more });
    const codings = ['br', 'gzip', 'identity'];
    const etags = await Promise.all(
      codings.map(async (coding) => {
        const headers = { 'accept-encoding': coding };
        const [shown, head] = [await read(headers), await read(headers, 'HEAD')];
        for (const name of ['etag', 'content-encoding', 'content-length', 'vary'])
          expect([name, head.headers.get(name)]).toEqual([name, shown.headers.get(name)]);
        return shown.headers.get('etag')!;
      }),
    );
    expect(new Set(etags).size).toBe(3);
    for (const etag of etags)
      for (const coding of codings) {
        const known = await read({ 'accept-encoding': coding, 'if-none-match': etag });
        expect([known.status, known.headers.get('etag')]).toEqual([304, etag]);
      }
  });

  it('redirects from a share link, also for HEAD, to an absolute address', async () => {
    const link = (await (await json('/api/share', { subsite: subsite.name })).json()) as {
      token: string;
      target: string;
    };
    for (const method of ['GET', 'HEAD']) {
      const response = await send('/s/{token}', { method, params: { token: link.token } });
      expect(response.status).toBe(302);
      expect(response.headers.get('location')).toBe(link.target);
    }
    await problemIn(await get('/s/{token}', { token: 'kkkkkkkk' }), 404, 'unknown_token');
  });

  it.each(site.registry.links)(
    'redirects from /go/$slug to its target',
    async ({ slug, target }) => {
      expect((await get('/go/{slug}', { slug })).headers.get('location')).toBe(
        `${site.base}${target}`,
      );
    },
  );

  it('shows a lead’s state to its holder and prevents caching', async () => {
    const { receiptToken } = (await (await json(ACTION_PATH, validBody)).json()) as {
      receiptToken: string;
    };
    const response = await get('/api/lead/{receipt}', { receipt: receiptToken });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    await problemIn(
      await get('/api/lead/{receipt}', { receipt: 'nothing' }),
      404,
      'unknown_receipt',
    );
    const uuidResponse = await get('/api/lead/{receipt}', { receipt: crypto.randomUUID() });
    expect(await uuidResponse.json()).toMatchObject({
      code: 'unknown_receipt',
      detail: expect.stringContaining('looks like an A2A task ID or an idempotency key'),
    });
    await problemIn(await get('/go/{slug}', { slug: 'nothing' }), 404, 'not_found');
  });
});

describe('an endpoint with a failing dependency', async () => {
  const fixture = await openFixture(site);
  const createBrokenFixture = (error: Error) =>
    withBatch(fixture, () => () => Promise.reject(error));

  it('is unavailable for a while when the database is unreachable', async () => {
    const response = await client(
      createBrokenFixture(new DatabaseUnavailableError('unreachable')),
    ).json(ACTION_PATH, {
      ...validBody,
      source: 'canary',
    });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    await problemIn(response, 503, 'unavailable');
  });

  it('logs an unexpected error under the ID in the response, and reveals nothing else', async () => {
    const details = await problemIn(
      await client(createBrokenFixture(new Error('SECRET inner workings'))).json(ACTION_PATH, {
        ...validBody,
        contact: { name: 'Canary Wren' },
      }),
      500,
      'internal',
    );
    expect(JSON.stringify(details)).not.toContain('SECRET');
    const entry = fixture.logged.find(([fields]) => (fields as { id?: string }).id === details.id);
    expect(entry).toBeDefined();
    expect(JSON.stringify(fixture.logged)).not.toContain('Canary');
  });

  it('shows a form again, with the entered values and the time to retry', async () => {
    const { form, faults } = client(createBrokenFixture(new DatabaseUnavailableError('busy')));
    const response = await form(ACTION_PATH, {
      subsite: subsite.name,
      action: action.verb,
      'contact.name': 'Dana',
      'contact.phone': '(727) 555-0142',
    });
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(faults.at(-1)).toMatchObject({ status: 503, values: { 'contact.name': 'Dana' } });
  });
});

describe('the rate limit', async () => {
  const fixture = await openFixture(site);

  it('allows a fixed number of writes a minute per address, reports how many are left, and then when to retry', async () => {
    const { json } = client(fixture, createRateLimitCheck({ reads: 300, writes: 3 }));
    for (const remaining of [2, 1, 0]) {
      const response = await json(ACTION_PATH, validBody);
      expect(response.status).toBe(200);
      expect(response.headers.get('ratelimit-policy')).toBe('"writes";q=3;w=60');
      expect(response.headers.get('ratelimit')).toMatch(
        new RegExp(`^"writes";r=${remaining};t=(?:[1-9]|[1-5]\\d|60)$`),
      );
    }
    const refused = await json(ACTION_PATH, validBody);
    expect(refused.headers.get('ratelimit')).toMatch(/^"writes";r=0;/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await problemIn(refused, 429, 'rate_limited');
    expect((await json(ACTION_PATH, validBody, { address: '192.0.2.99' })).status).toBe(200);
  });

  it('counts rejected requests too, and counts reads separately from writes', async () => {
    const { json, get } = client(fixture, createRateLimitCheck({ reads: 1, writes: 1 }));
    await problemIn(await json(ACTION_PATH, {}), 400, 'invalid_input');
    await problemIn(await json(ACTION_PATH, validBody), 429, 'rate_limited');
    expect((await get('/api/lead/{receipt}', { receipt: 'sandbox' })).status).toBe(200);
    await problemIn(await get('/api/lead/{receipt}', { receipt: 'sandbox' }), 429, 'rate_limited');
  });

  it('treats the addresses of one IPv6 network as one client', async () => {
    const checkRateLimit = createRateLimitCheck({ reads: 0, writes: 1 });
    expect(
      (await checkRateLimit({ address: '2001:db8:1:2::1' }, 'writes')).rejection,
    ).toBeUndefined();
    expect(
      (await checkRateLimit({ address: '2001:0DB8:0001:0002:ffff::9' }, 'writes')).rejection,
    ).toBeDefined();
    expect(
      (await checkRateLimit({ address: '2001:db8:1:3::1' }, 'writes')).rejection,
    ).toBeUndefined();
    expect((await checkRateLimit({ address: '::1' }, 'writes')).rejection).toBeUndefined();
  });

  it('counts against the key instead of the address, from anywhere', async () => {
    const checkRateLimit = createRateLimitCheck({ reads: 0, writes: 2 });
    await checkRateLimit({ address: 'a', keyId: 'k' }, 'writes');
    expect(
      (await checkRateLimit({ address: 'b', keyId: 'k' }, 'writes')).headers['ratelimit'],
    ).toContain('r=0');
    expect((await checkRateLimit({ address: 'c', keyId: 'k' }, 'writes')).rejection).toBeDefined();
    for (const address of ['a', 'b', 'c'])
      expect((await checkRateLimit({ address }, 'writes')).headers['ratelimit']).toContain('r=1');
  });

  it('is off if set to 0', async () => {
    const { json } = client(fixture, createRateLimitCheck({ reads: 0, writes: 0 }));
    for (let call = 0; call < 40; call++)
      expect(
        (await json(ACTION_PATH, { ...validBody, sandbox: true })).headers.get('ratelimit'),
      ).toBeNull();
  });

  it('is checked before the body, whatever the body is', async () => {
    const { form, json, send } = client(fixture, createRateLimitCheck({ reads: 0, writes: 1 }));
    await json(ACTION_PATH, validBody);
    const bodies: Response[] = [
      await form(ACTION_PATH, { subsite: 'nope' }),
      await form(ACTION_PATH, { fields: 'x', 'fields.a': 'y' }),
      await json(ACTION_PATH, '{'),
      await send(ACTION_PATH, { headers: { 'content-type': 'text/plain' }, body: 'x' }),
      await send(ACTION_PATH),
    ];
    for (const response of bodies) await problemIn(response, 429, 'rate_limited');
  });

  it('preserves the entered values', async () => {
    const { form, faults } = client(fixture, createRateLimitCheck({ reads: 0, writes: 1 }));
    await form(ACTION_PATH, { subsite: subsite.name });
    const response = await form(ACTION_PATH, {
      subsite: subsite.name,
      action: action.verb,
      'contact.name': 'Dana',
      'contact.phone': '(727) 555-0142',
    });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).not.toBeNull();
    expect(faults.at(-1)).toMatchObject({ status: 429, values: { 'contact.name': 'Dana' } });
  });
});
