import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { openMcpEndpoints } from './setup/mcp.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const [subsite] = site.registry.subsites as [(typeof site.registry.subsites)[number]];

it.each([
  ['create_share_link', { subsite: subsite.name }, /^This link already existed/],
  [
    'capture_lead',
    {
      email: 'dana@example.com',
      source: subsite.leadSource,
      idempotencyKey: randomUUID(),
    },
    /^Replayed: an earlier call with this idempotencyKey.* get_lead_status\.$/,
  ],
])('a repeated call of %s says what happened, and nothing else', async (name, args, sentence) => {
  const mcp = await openMcpEndpoints((await openFixture(site)).context);
  const textsOf = async () =>
    (await mcp.call('/api/mcp', name, args)).content!.map(({ text }) => text);
  expect(await textsOf()).toHaveLength(1);
  const [, note, ...others] = await textsOf();
  expect(note).toMatch(sentence);
  expect(others).toEqual([]);
});
