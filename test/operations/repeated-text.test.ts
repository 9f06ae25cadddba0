import { describe, expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { Problem } from '../../src/operation/problem.ts';
import { listActions } from './setup/actions.ts';
import { openFixture, sites } from './setup/fixture.ts';

/** Text that slows down code whose running time is at least quadratic in the length. */
const units = {
  'mixed case': 'aB',
  'one letter': 'a',
  'short words': 'a b ',
  digits: '1',
  'separated digits': '1-',
  spaces: ' x',
  'line breaks': 'x\n \n',
  amounts: '$1,1.',
  times: '1:1 am to ',
  dates: '1/1/',
  'parts of addresses': 'a@a.',
  'parts of URLs': 'http://a.a/',
  brackets: '([{',
  quotes: '"\'',
  'decomposable characters': '\ufdfa',
  'combining marks': 'a\u0301\u0323',
  emoji: '👩‍👩‍👧',
  'characters like letters': 'l1І|',
};

/** Far above the processor time of linear code, and far below that of slower code. */
const LIMIT_MS = 1_000;

describe.each(Object.entries(units))('4,000 characters of %s', async (_, unit) => {
  const [{ site }] = sites as [(typeof sites)[number]];
  const { context } = await openFixture(site);
  const text = Array.from(unit.repeat(4_000)).slice(0, 4_000).join('');

  it('are accepted or rejected quickly in every text field of every action', async () => {
    const slow: Record<string, number> = {};
    for (const { subsite, action, label } of listActions(site)) {
      const start = process.cpuUsage();
      try {
        await submitAction.handle(
          submitAction.parse(
            {
              subsite: subsite.name,
              action: action.verb,
              fields: {
                ...exampleValuesOf(action.fields),
                ...Object.fromEntries(
                  Object.entries(action.fields)
                    .filter(
                      ([, { type, item, content }]) =>
                        type === 'string' && !item && (content?.kind ?? 'name') === 'name',
                    )
                    .map(([name]) => [name, text]),
                ),
              },
              contact: { email: 'dana@example.com' },
              sandbox: true,
            },
            context,
          ),
          { channel: 'json' },
          context,
        );
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
      }
      const { user } = process.cpuUsage(start);
      if (user > LIMIT_MS * 1_000) slow[label] = user / 1_000;
    }
    expect(slow).toEqual({});
  });
});
