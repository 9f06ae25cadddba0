import { expect, it } from 'vitest';
import { createKey } from '../../src/keys/keys.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
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
