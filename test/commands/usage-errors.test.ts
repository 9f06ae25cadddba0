import { expect, it } from 'vitest';
import { runCommand } from '../setup/command.ts';

it.each([
  ['build', []],
  ['check', []],
  ['channels', []],
  ['keys', []],
  ['leads', []],
  ['leads', ['list']],
  ['new', []],
  ['new', ['subsite']],
  ['probe', []],
  ['server-json', []],
])(
  'an unknown option of %s (%j) ends with exit code 2, and help with 0',
  async (program, words) => {
    expect(await runCommand(program, [...words, '--no-such-option'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: unknown option/),
    });
    expect(await runCommand(program, [...words, '--help'])).toMatchObject({ code: 0 });
  },
);

it.each([
  ['check', ['one', 'two']],
  ['probe', []],
  ['probe', ['example.com']],
  ['probe', ['https://example.com', '--concurrency', 'many']],
  ['new', ['page']],
  ['leads', ['list', 'dana@example.com', '--older', '2h']],
])('invalid arguments of %s (%j) end with exit code 2', async (program, words) => {
  const { code, stdout, stderr } = await runCommand(program, words);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.trim()).not.toBe('');
});
