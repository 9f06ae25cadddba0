import { describe, expect, it } from 'vitest';
import { unknownAddress } from '../../src/http/problem-answer.ts';
import { sites } from './setup/fixture.ts';

describe.each(sites)('an unknown subsite address in $name', ({ site }) => {
  const { registry } = site;
  const answerTo = (name: string) => unknownAddress(`/api/agent/${name}`, registry);
  const names = registry.subsites.map(({ name }) => name);

  it('suggests the subsite whose page has that path', () => {
    for (const { name, url } of registry.subsites.filter(({ url }) => /^\/[^/]+$/.test(url)))
      if (!names.includes(url.slice(1)))
        expect(answerTo(url.slice(1))).toMatchObject({
          code: 'unknown_subsite',
          message: `There is no subsite of that name. Did you mean ${name}? /api/agent-index lists all.`,
        });
  });

  it('suggests the misspelled subsite, and none without a close match', () => {
    for (const name of names) expect(answerTo(`${name}s`).message).toContain(`Did you mean `);
    expect(answerTo('qqxxqqxxqqxx').message).toBe(
      'There is no subsite of that name. /api/agent-index lists all.',
    );
  });
});
