import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Exit code and output of a command. */
export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

let runCount = 0;
let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs `src/cli/{program}.ts` in this process with the given arguments and additional settings.
 * Starting a process takes a second of CPU time, most of it for modules that the test has already
 * loaded.
 */
export function runCommand(
  program: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const file = resolve(`src/cli/${program}.ts`);
  // A new URL runs the program again; its imports stay cached.
  const address = `${pathToFileURL(file).href}?run=${++runCount}`;
  return runInProcess(
    [process.execPath, file, ...args],
    settings,
    () => import(/* @vite-ignore */ address),
  );
}

/**
 * Runs a program in this process. Calls are queued, because each one replaces the arguments,
 * environment and output of the process.
 */
export function runInProcess(
  argv: readonly string[],
  settings: Readonly<Record<string, string>>,
  program: () => Promise<unknown>,
): Promise<CommandResult> {
  const run = lastRun.then(() => runAlone(argv, settings, program));
  lastRun = run.catch(() => undefined);
  return run;
}

async function runAlone(
  argv: readonly string[],
  settings: Readonly<Record<string, string>>,
  program: () => Promise<unknown>,
): Promise<CommandResult> {
  const originals = { argv: process.argv, exit: process.exit };
  const { exitCode } = process;
  const environment = { ...process.env };
  const writes = [process.stdout.write, process.stderr.write] as const;
  const listeners = process.stdout.listeners('error');
  const printed = { stdout: '', stderr: '' };
  let code: number | undefined;
  const createCapture = (stream: 'stdout' | 'stderr'): typeof process.stdout.write =>
    ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      // A process that has exited prints nothing more.
      if (code === undefined)
        printed[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const callback = rest.at(-1);
      if (typeof callback === 'function') callback();
      return true;
    }) as typeof process.stdout.write;
  Object.assign(process.env, settings);
  process.exitCode = undefined;
  process.exit = (status) => {
    code ??= Number(status ?? process.exitCode ?? 0);
    throw new Error('The program has exited.');
  };
  process.argv = [...argv];
  process.stdout.write = createCapture('stdout');
  process.stderr.write = createCapture('stderr');
  try {
    await program();
    code ??= Number(process.exitCode ?? 0);
  } catch (error) {
    if (code === undefined) {
      printed.stderr += `${(error as Error).stack}\n`;
      code = 1;
    }
  } finally {
    [process.stdout.write, process.stderr.write] = writes;
    Object.assign(process, originals);
    process.exitCode = exitCode;
    for (const name of Object.keys(process.env))
      if (!Object.hasOwn(environment, name)) delete process.env[name];
    Object.assign(process.env, environment);
    for (const listener of process.stdout.listeners('error'))
      if (!listeners.includes(listener))
        process.stdout.off('error', listener as (error: Error) => void);
  }
  return { code, ...printed };
}
