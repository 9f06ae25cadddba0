import { expect, it } from 'vitest';
import { closeAllInboxes, readInboxSession } from '../../src/keys/inbox-session.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { createKey } from '../../src/keys/keys.ts';
import { capture } from '../deliveries/setup/drain.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import type { InboxView } from '../../src/http/views.ts';
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
  const signInResponse = await form('/inbox', { key });
  const headers = { cookie: signInResponse.headers.get('set-cookie')!.split(';')[0]! };
  const limitedResponse = await form('/inbox', { find: 'Dana' }, { headers });
  expect([limitedResponse.status, await limitedResponse.json()]).toEqual([
    429,
    expect.objectContaining({
      kind: 'inbox',
      rejection: expect.objectContaining({ detail: expect.stringContaining('Try again after') }),
      searchText: 'Dana',
    }),
  ]);
  const longTextResponse = await form(
    '/inbox',
    { find: 'x'.repeat(70_000) },
    { headers, address: '192.0.2.8' },
  );
  expect([longTextResponse.status, await longTextResponse.json()]).toEqual([
    413,
    expect.objectContaining({ kind: 'inbox' }),
  ]);
});

it('a search that does not find exactly one result keeps the search text in the field, but not in a URL', async () => {
  const fixture = await openFixture(site);
  const { key } = await createKey(
    { name: 'Desk', scopes: ['inbox'], expiresAt: null },
    fixture.context,
  );
  const { form, get } = client(fixture);
  const cookiesOf = (answer: Response) =>
    answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
  const sessionCookies = cookiesOf(await form('/inbox', { key }));
  // The previous viewer may have left a search text.
  expect(sessionCookies[1]).toBe('inbox_search=');
  const [session] = sessionCookies as [string];
  const view = (await (
    await get('/inbox', {}, { headers: { cookie: session } })
  ).json()) as InboxView;
  const { formToken } = view.session;
  const find = (text: string) =>
    form('/inbox', { find: text, form: formToken }, { headers: { cookie: session } });
  const answer = await find('Zoë; O’Hara=');
  expect(answer.headers.get('location')).toBe('/inbox?found=');
  const [search] = cookiesOf(answer) as [string];
  const readView = async (path: string) =>
    (await (
      await get(path, {}, { headers: { cookie: `${session}; ${search}` } })
    ).json()) as InboxView;
  expect(await readView('/inbox?found=')).toMatchObject({
    notFound: true,
    searchText: 'Zoë; O’Hara=',
  });
  expect((await readView('/inbox')).searchText).toBeUndefined();
  expect(cookiesOf(await find('x'.repeat(9_000)))[0]!.length).toBeLessThan(1_000);
  const signedOutResponse = await form(
    '/inbox',
    { leave: 'yes', form: formToken },
    { headers: { cookie: session } },
  );
  expect(cookiesOf(signedOutResponse)).toEqual(['inbox_session=', 'inbox_search=']);
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

it('opens the lead for which a provider signs in, and nothing outside the inbox', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const lead = await capture(context, site.registry.subsites[0]!.leadSource);
  const { reference } = await readLog(lead, context);
  const { key } = await createKey({ name: 'Desk', scopes: ['inbox'], expiresAt: null }, context);
  const { form, get } = client(fixture);
  const locationOf = (answer: Response) => [answer.status, answer.headers.get('location')];
  const path = `/inbox/${reference}`;
  const signInPath = `/inbox?lead=${reference}`;
  expect(locationOf(await get(path, {}))).toEqual([303, signInPath]);
  expect(await (await get(signInPath, {})).json()).toMatchObject({
    kind: 'sign-in',
    lead: reference,
  });
  expect(await (await form('/inbox', { key: 'fk_no', lead: reference! })).json()).toMatchObject({
    kind: 'sign-in',
    lead: reference,
  });
  const answer = await form('/inbox', { key, lead: reference! });
  expect(locationOf(answer)).toEqual([303, path]);
  const headers = { cookie: answer.headers.get('set-cookie')!.split(';')[0]! };
  expect(locationOf(await get(signInPath, {}, { headers }))).toEqual([303, path]);
  for (const other of ['/evil.example', '//evil.example', '..', '../s/x', `${reference}/..`, ''])
    expect(locationOf(await form('/inbox', { key, lead: other }))).toEqual([303, '/inbox']);
  expect(locationOf(await get('/inbox/nothing', {}))).toEqual([303, '/inbox']);
});

it('a form sent without a session keeps what was entered until the viewer has signed in', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const lead = await capture(context, site.registry.subsites[0]!.leadSource);
  const { reference } = await readLog(lead, context);
  const { key } = await createKey({ name: 'Desk', scopes: ['inbox'], expiresAt: null }, context);
  const { form } = client(fixture);
  const path = `/inbox/${reference}`;
  const entered = { do: 'ask', text: 'Which\nfloor?', revision: '1', expires: '7d' };
  const read = async (sent: Promise<Response>) => {
    const answer = await sent;
    return [answer.status, await answer.json()] as const;
  };
  const keptView = { kind: 'sign-in', lead: reference, keptValues: entered };
  const signedOut = await form(path, { ...entered, form: 'of the old session', sure: 'yes' });
  expect(signedOut.headers.get('location')).toBeNull();
  expect([signedOut.status, await signedOut.json()]).toEqual([
    401,
    expect.objectContaining({
      ...keptView,
      rejection: expect.objectContaining({
        detail: expect.stringContaining('You are signed out, so nothing was sent.'),
      }),
    }),
  ]);
  expect(await read(form(path, { ...entered, key: 'fk_no' }))).toEqual([
    401,
    expect.objectContaining(keptView),
  ]);
  const other = await createKey(
    { name: 'Other', scopes: [`inbox:${site.registry.subsites[1]!.name}`], expiresAt: null },
    context,
  );
  expect(await read(form(path, { ...entered, key: other.key }))).toEqual([
    401,
    expect.objectContaining({
      ...keptView,
      rejection: expect.objectContaining({
        detail: expect.stringContaining('This key does not give access to this request.'),
      }),
    }),
  ]);
  expect(await closeAllInboxes(context)).toBe(0);
  const opened = await form(path, { ...entered, key });
  expect([opened.status, opened.headers.getSetCookie().length]).toEqual([200, 2]);
  expect(await opened.json()).toMatchObject({
    kind: 'lead',
    formValues: entered,
    isOutdated: false,
  });
  expect((await readLog(lead, context)).entries).toHaveLength(1);
  // Another site must not fill in an answer.
  const [status, view] = await read(
    form(path, entered, { headers: { 'sec-fetch-site': 'cross-site' } }),
  );
  expect([status, (view as { kind: string }).kind]).toEqual([401, 'rejection']);
});
