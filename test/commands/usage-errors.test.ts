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

it.each<[command: string, args: string[], faults: RegExp[]]>([
  [
    'leads',
    ['list', '--state', 'nope', '--older', 'soon', '--limit', '-3', '--bogus', '--other', 'x'],
    [
      /--state .+'nope' is invalid\. Allowed choices are new, /,
      /--older .+'soon' is invalid\. Use a date/,
      /--limit .+'-3' is invalid\. Use a whole number/,
      /unknown option '--bogus'/,
      /unknown option '--other'/,
    ],
  ],
  ['leads', ['offer'], [/'--amount <number>'/, /'--expires <period>'/, /argument 'lead'/]],
  ['leads', ['--bogus', 'list'], [/unknown option '--bogus'/]],
  [
    'leads',
    ['offer', '--bogus', '4', '--expires'],
    [/'--expires <period>' argument missing/, /'--amount <number>'/, /unknown option '--bogus'/],
  ],
  [
    'leads',
    ['export', '--format', 'xml', 'extra', '--since'],
    [/--format .+'xml'/, /--since <date>' argument missing/, /too many arguments/],
  ],
  ['keys', ['credit', 'a-key', 'much', 'more'], [/too many arguments/, /'much' .+'amount'/]],
  ['check', ['one', 'two', '--bogus'], [/unknown option '--bogus'/]],
])('%s %j reports every fault and does nothing else', async (command, args, faults) => {
  const { code, stdout, stderr } = await runCommand(command, args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.trimEnd().split('\n')).toEqual(
    faults.map((fault) => expect.stringMatching(new RegExp(`^error: .*${fault.source}`))),
  );
});
