import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/keys/keys.ts';
import type { ProblemDetails } from '../../src/operation/problem.ts';
import { validateAgainstSchema } from '../../src/operation/json-schema-check.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { client } from './setup/send.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const capability = site.registry.capabilities.find(({ adapter }) => adapter === 'research')!;

describe('an input with far too many items', async () => {
  const fixture = await openFixture(site);
  const { key } = await createKey(
    { name: 'Agent', scopes: ['*'], expiresAt: null },
    fixture.context,
  );
  const { json } = client(fixture);

  it.each(['/api/v1/quotes', '/api/v1/tasks'])(
    'is rejected by %s with at most 100 errors, and the error about the list’s length comes first',
    async (path) => {
      const sources = Array.from({ length: 470_000 }, () => 'x');
      const input = { ...(capability.example as object), sources };
      const response = await json(
        path,
        { capability: capability.id, input },
        { headers: { authorization: `Bearer ${key}` } },
      );
      const { code, errors = [] } = (await response.json()) as ProblemDetails;
      expect([response.status, code]).toEqual([400, 'invalid_input']);
      expect(errors[0]).toEqual({
        pointer: '/input/sources',
        message: 'Send at most 5 entries.',
      });
      expect(errors.length).toBeLessThanOrEqual(100);
      expect(fixture.logged).toEqual([]);
    },
  );

  it('gets at most 101 errors if a schema sets no limit', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string' } } },
    };
    const value = { a: Array.from({ length: 100_000 }, () => 1) };
    expect(validateAgainstSchema(schema, value, '')).toHaveLength(101);
  });
});
