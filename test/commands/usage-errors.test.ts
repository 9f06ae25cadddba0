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
  ['leads', ['export', '--overwrite']],
])('invalid arguments of %s (%j) end with exit code 2', async (program, words) => {
  const { code, stdout, stderr } = await runCommand(program, words);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.trim()).not.toBe('');
});

it.each([
  ['leads', ['list', '--state', 'nope'], /--state .+'nope' is invalid\. Allowed choices are new, /],
  ['leads', ['list', '--older', 'soon'], /--older .+'soon' is invalid\. Use a date/],
  ['leads', ['list', '--limit', '-3'], /--limit .+'-3' is invalid\. Use a whole number/],
  ['leads', ['--bogus', 'list'], /unknown option '--bogus'/],
  ['leads', ['offer', '7QCW-BNA8-E7EL-AFVP'], /'--amount <number>' not specified/],
  ['leads', ['offer', '--expires'], /'--expires <period>' argument missing/],
  ['keys', ['credit', 'a-key', 'much'], /'much' .+'amount'/],
  ['keys', ['credit', 'a-key', '5', 'more'], /too many arguments/],
])('%s %j says what is wrong and does nothing else', async (command, args, fault) => {
  const { code, stdout, stderr } = await runCommand(command, args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^error: .*${fault.source}.*\n$`));
});
