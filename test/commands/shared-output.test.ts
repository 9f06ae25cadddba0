import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../setup/command.ts';

it('command output contains no warnings from threads of other tests', async () => {
  const warnings: string[] = [];
  const note = (warning: Error) => warnings.push(warning.message);
  process.on('warning', note);
  const threads = Array.from(
    { length: 12 },
    () => new Worker('setInterval(() => 0, 1000)', { eval: true }),
  );
  onTestFinished(async () => {
    process.off('warning', note);
    await Promise.all(threads.map((thread) => thread.terminate()));
  });
  expect(await runCommand('leads', ['--help'])).toMatchObject({ code: 0, stderr: '' });
  await setImmediate();
  expect(warnings).toEqual([]);
});
