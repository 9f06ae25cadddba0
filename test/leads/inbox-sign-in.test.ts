import { expect, it } from 'vitest';
import { readInboxSession } from '../../src/keys/inbox-session.ts';
import { createKey } from '../../src/keys/keys.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { createRateLimitCheck } from '../../src/http/rate-limit.ts';
import { client } from '../transports/setup/send.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const { origin } = new URL(site.base);

it.each<[status: number, headers: Record<string, string>]>([
  [303, {}],
  [303, { origin }],
  [303, { origin: 'null', 'sec-fetch-site': 'same-origin' }],
  [401, { origin, 'sec-fetch-site': 'cross-site' }],
  [401, { origin: 'https://evil.example' }],
  [401, { origin: `${origin}:8443` }],
  [401, { origin: 'null' }],
])('signing in to the inbox returns %i with %o', async (status, headers) => {
  const fixture = await openFixture(site);
  const { key } = await createKey(
    { name: 'Desk', scopes: ['inbox'], expiresAt: null },
    fixture.context,
  );
  const answer = await client(fixture).form('/inbox', { key }, { headers });
  expect(answer.status).toBe(status);
  expect(answer.headers.has('set-cookie')).toBe(status === 303);
});

it('a rejected search shows the inbox with the reason and the search text', async () => {
  const fixture = await openFixture(site);
  const { key } = await createKey(
    { name: 'Desk', scopes: ['inbox'], expiresAt: null },
    fixture.context,
  );
  const { form } = client(fixture, createRateLimitCheck({ reads: 9, writes: 1 }));
  const signedIn = await form('/inbox', { key });
  const headers = { cookie: signedIn.headers.get('set-cookie')!.split(';')[0]! };
  const limited = await form('/inbox', { find: 'Dana' }, { headers });
  expect([limited.status, await limited.json()]).toEqual([
    429,
    expect.objectContaining({
      kind: 'inbox',
      rejection: expect.objectContaining({ detail: expect.stringContaining('Try again after') }),
      searchText: 'Dana',
    }),
  ]);
  const long = await form(
    '/inbox',
    { find: 'x'.repeat(70_000) },
    { headers, address: '192.0.2.8' },
  );
  expect([long.status, await long.json()]).toEqual([
    413,
    expect.objectContaining({ kind: 'inbox' }),
  ]);
});

it('a search after the session has ended leads to the sign-in form', async () => {
  const fixture = await openFixture(site);
  const answer = await client(fixture).form('/inbox', { find: 'Garcia' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/inbox']);
});

it('signing in again ends the previous session, and a wrong key does not', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const { key } = await createKey({ name: 'Desk', scopes: ['inbox'], expiresAt: null }, context);
  const { form } = client(fixture);
  const cookieOf = (answer: { headers: Headers }) =>
    answer.headers.get('set-cookie')!.split(';')[0]!;
  const tokenOf = (cookie: string) => cookie.split('=')[1]!;
  const cookie = cookieOf(await form('/inbox', { key }));
  const session = (await readInboxSession(tokenOf(cookie), context))!;
  const signInAgain = (sentKey: string) =>
    form('/inbox', { key: sentKey, form: session.formToken }, { headers: { cookie } });
  expect((await signInAgain('wrong')).status).toBe(401);
  expect(await readInboxSession(tokenOf(cookie), context)).toEqual(session);
  const newCookie = cookieOf(await signInAgain(key));
  expect(await readInboxSession(tokenOf(cookie), context)).toBeUndefined();
  expect(await readInboxSession(tokenOf(newCookie), context)).toBeDefined();
});
