import { expect, it } from 'vitest';
import { authenticateKey } from '../../src/keys/authenticate-key.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';

it.each([
  'Bearer fk_wrong',
  'Bearer fk_0123456789_short',
  'Bearer sk_0123456789',
  `fk_0123456789_${'a'.repeat(40)}`,
])('the refusal of %s describes a complete key', async (header) => {
  const { context } = await openFixture(sites[0]!.site);
  await expect(authenticateKey(header, context)).rejects.toMatchObject({
    code: 'unauthorized',
    message: expect.stringContaining(
      'has no complete key. Send Bearer, a space and the whole key, as it was shown when it was created',
    ),
  });
});
