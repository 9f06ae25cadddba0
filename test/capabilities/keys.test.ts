import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../db/schema-capabilities.ts';
import { authenticateKey } from '../../src/keys/authenticate-key.ts';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import { allowsCapability } from '../../src/keys/key-scopes.ts';
import {
  createKey,
  creditKey,
  KeyError,
  listKeys,
  revokeKey,
  readKeyDetails,
} from '../../src/keys/keys.ts';
import { createRateLimitCheck } from '../../src/http/rate-limit.ts';
import { client } from '../transports/setup/send.ts';
import { makeKey, makeFixture, site, type Fixture } from './fixture.ts';

const ids = [...capabilityCatalogOf(site).keys()];
const DAY_MS = 86_400_000;

describe('bearer keys', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await makeFixture();
  });
  afterAll(() => fixture.close());

  const authenticate = (key: string) => authenticateKey(`Bearer ${key}`, fixture.context);

  it('are shown once and stored only as a hash', async () => {
    const { key, id } = await createKey(
      { name: 'Shown once', scopes: ['*.help'], expiresAt: null },
      fixture.context,
    );
    expect(key).toMatch(/^fk_[a-z0-9]{10}_[A-Za-z0-9]{40}$/);
    const secret = key.split('_')[2]!;
    const stored = JSON.stringify(await fixture.database.writer.select().from(keys));
    expect(stored).not.toContain(secret);
    expect(stored).toContain(createHash('sha256').update(secret).digest('hex'));
    expect(
      JSON.stringify([await listKeys(fixture.context), await readKeyDetails(id, fixture.context)]),
    ).not.toContain(secret);
    expect(await authenticate(key)).toEqual({
      id,
      name: 'Shown once',
      scopes: ['*.help'],
      expiresAt: null,
    });
  });

  it.each([
    ['no header', null],
    ['an empty header', ''],
    ['another scheme', 'Basic Zm9vOmJhcg=='],
  ])(
    'are requested without an error code when there is %s (RFC 6750 section 3.1)',
    async (_, header) => {
      await expect(authenticateKey(header, fixture.context)).rejects.toMatchObject({
        code: 'unauthorized',
        message: expect.stringMatching(
          /POST \/api\/lead\/action .*ask_knowledge at \/api\/v1\/mcp/,
        ),
        headers: { 'www-authenticate': 'Bearer realm="capabilities"' },
      });
    },
  );

  it.each([
    ['no key after the scheme', 'Bearer'],
    ['a key in another format', 'Bearer sk-12345'],
    ['an unknown id', `Bearer fk_aaaaaaaaaa_${'a'.repeat(40)}`],
    ['two keys', `Bearer fk_aaaaaaaaaa_${'a'.repeat(40)} fk_aaaaaaaaaa_${'a'.repeat(40)}`],
  ])('are rejected with WWW-Authenticate when there is %s', async (_, header) => {
    await expect(authenticateKey(header, fixture.context)).rejects.toMatchObject({
      code: 'unauthorized',
      headers: {
        'www-authenticate': 'Bearer realm="capabilities", error="invalid_token"',
      },
    });
  });

  it('are rejected with a wrong secret, which is not repeated in the error', async () => {
    const { secret } = await makeKey(fixture);
    const wrongSecret = `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`;
    const refusal = await authenticate(wrongSecret).then(
      () => undefined,
      (error: Error) => error,
    );
    expect(refusal).toMatchObject({
      code: 'unauthorized',
      headers: { 'www-authenticate': expect.stringContaining('error="invalid_token"') },
    });
    expect(refusal!.message).not.toContain(wrongSecret.split('_')[1]!);
  });

  it('are accepted after a scheme in uppercase or lowercase', async () => {
    const { secret, id } = await makeKey(fixture);
    expect((await authenticateKey(`bearer ${secret}`, fixture.context)).id).toBe(id);
  });

  it('stop working when revoked, even in a process that has used them, and stay revoked', async () => {
    const { secret, id } = await makeKey(fixture);
    const { revokedAt } = await revokeKey(id, fixture.context);
    await expect(authenticate(secret)).rejects.toMatchObject({ code: 'unauthorized' });
    fixture.advanceClock(1_000);
    expect((await revokeKey(id, fixture.context)).revokedAt).toBe(revokedAt);
    expect((await readKeyDetails(id, fixture.context)).status).toBe('revoked');
  });

  it('stop working the moment they expire', async () => {
    const expiresAt = new Date(fixture.context.now().getTime() + DAY_MS);
    const { key, id } = await createKey(
      { name: 'For a day', scopes: ['*'], expiresAt },
      fixture.context,
    );
    fixture.advanceClock(DAY_MS - 1);
    await authenticate(key);
    fixture.advanceClock(1);
    await expect(authenticate(key)).rejects.toMatchObject({ code: 'unauthorized' });
    expect((await readKeyDetails(id, fixture.context)).status).toBe('expired');
  });

  it('record their last use, at most once a minute', async () => {
    const { secret, id } = await makeKey(fixture);
    const readLastUse = async () => (await readKeyDetails(id, fixture.context)).lastUsedAt;
    const first = fixture.context.now().toISOString();
    await expect.poll(readLastUse).toBe(first);
    fixture.advanceClock(59_000);
    await authenticate(secret);
    expect(await readLastUse()).toBe(first);
    fixture.advanceClock(1_000);
    await authenticate(secret);
    await expect.poll(readLastUse).toBe(fixture.context.now().toISOString());
  });

  it.each([['nothing.like_it'], ['*.hlep'], ['hvac help'], ['[a-z]*'], ['']])(
    'cannot have the scope %j, which matches nothing',
    async (scope) => {
      await expect(
        createKey(
          { name: 'Bad scope', scopes: ['*.help', scope], expiresAt: null },
          fixture.context,
        ),
      ).rejects.toThrow(KeyError);
    },
  );

  it('name every fault at once, and suggest the scopes that are not capabilities', async () => {
    const past = new Date(fixture.context.now().getTime() - 1);
    await expect(
      createKey({ name: ' ', scopes: ['inbx', 'calbacks'], expiresAt: past }, fixture.context),
    ).rejects.toThrow(
      /^Give the key a name .*\n.*Did you mean inbox\?\n.*Did you mean callbacks\?\n.* in the past\. /,
    );
  });

  it('cannot be created without a name, without a scope, or already expired', async () => {
    const past = new Date(fixture.context.now().getTime() - 1);
    for (const input of [
      { name: ' ', scopes: ['*'], expiresAt: null },
      { name: 'None', scopes: [], expiresAt: null },
      { name: 'Past', scopes: ['*'], expiresAt: past },
    ])
      await expect(createKey(input, fixture.context)).rejects.toThrow(KeyError);
  });

  it('have scopes in which only * is a wildcard', () => {
    expect(ids.filter((id) => allowsCapability(['*'], id))).toEqual(ids);
    expect(ids.filter((id) => allowsCapability(['*.help'], id))).toEqual(
      ids.filter((id) => id.endsWith('.help')),
    );
    expect(ids.filter((id) => allowsCapability(['guide.*'], id))).toEqual(
      ids.filter((id) => id.startsWith('guide.')),
    );
    for (const id of ids)
      expect(ids.filter((other) => allowsCapability([id], other))).toEqual([id]);
    expect(allowsCapability(['a.b'], 'axb')).toBe(false);
  });

  it('have credits that never go below zero', async () => {
    const { id } = await makeKey(fixture, ['*'], '10.00');
    expect((await creditKey(id, '-2.5', fixture.context)).credits).toEqual({
      available: '7.50',
      reserved: '0.00',
    });
    await expect(creditKey(id, '-7.51', fixture.context)).rejects.toThrow(KeyError);
    await expect(creditKey(id, '0', fixture.context)).rejects.toThrow(KeyError);
    const revokedKey = await makeKey(fixture, ['*'], '3.00');
    await revokeKey(revokedKey.id, fixture.context);
    await expect(creditKey(revokedKey.id, '5', fixture.context)).rejects.toThrow(
      'The key is revoked',
    );
    expect((await creditKey(revokedKey.id, '-3', fixture.context)).credits.available).toBe('0.00');
    expect((await readKeyDetails(id, fixture.context)).credits.available).toBe('7.50');
  });

  it('each have their own rate limit, and a rejected key counts against its address', async () => {
    const { secret } = await makeKey(fixture);
    const other = await makeKey(fixture);
    const limitedClient = client(fixture as never, createRateLimitCheck({ reads: 0, writes: 3 }));
    const quote = (key: string, address: string) =>
      limitedClient.json(
        '/api/v1/quotes',
        { capability: ids.find((id) => id.endsWith('.help')), input: {} },
        { headers: { authorization: `Bearer ${key}` }, address },
      );
    const statuses = async (key: string, addresses: string[]) =>
      (await Promise.all(addresses.map((address) => quote(key, address))))
        .map(({ status }) => status)
        .sort();
    expect(await statuses(secret, ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])).toEqual([
      200, 200, 200, 429,
    ]);
    expect(await statuses(other.secret, ['192.0.2.5'])).toEqual([200]);
    // Keys behind one address have separate limits, and do not use up the limit of anonymous
    // callers.
    const [firstKey, secondKey] = [await makeKey(fixture), await makeKey(fixture)];
    for (const key of [firstKey, secondKey])
      expect(
        await statuses(
          key.secret,
          Array.from({ length: 4 }, () => '192.0.2.9'),
        ),
      ).toEqual([200, 200, 200, 429]);
    expect(
      await statuses(
        'fk_unknown',
        Array.from({ length: 5 }, () => '192.0.2.9'),
      ),
    ).toEqual([401, 401, 401, 429, 429]);
  });
});
