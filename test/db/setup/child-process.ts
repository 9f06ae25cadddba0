import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { getBundledProgram } from '../../setup/bundled-program.ts';

const folder = dirname(await getBundledProgram('test/db/setup/open-program.ts'));

export interface Child {
  process: ChildProcess;
  /** Lines printed so far. */
  lines: string[];
  /** Resolves after that many lines. @throws if the process exits first */
  waitForLines(count: number): Promise<void>;
  /** Exit code, or null after a signal. Resolves after the last line. */
  ended: Promise<number | null>;
}

/** Runs a program from this folder in a separate process, which is killed after the test. */
export function runChild(
  program: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Child {
  const child = spawn(process.execPath, [join(folder, `${program}.js`), ...args], {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line);
    for (const check of waiting) check();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const waitForLines = (count: number) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (lines.length < count) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
      void ended.then(() =>
        reject(new Error(`${program} ended after ${lines.length} of ${count} lines`)),
      );
    });
  return { process: child, lines, waitForLines, ended };
}
