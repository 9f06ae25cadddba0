import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What became of a command. */
export interface CommandResult {
  /** Its exit code. */
  code: number;
  out: string;
  err: string;
}

let runs = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a file of `src/cli` in this process, as `node src/cli/{program}.ts` with these arguments and
 * these settings on top of the environment. Starting a process takes a second of CPU, most of it
 * for imports that a test has made already.
 */
export function runCommand(
  program: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const file = resolve(`src/cli/${program}.ts`);
  // Another address makes the program anew; what it imports stays loaded.
  const address = `${pathToFileURL(file).href}?run=${++runs}`;
  return runHere(
    [process.execPath, file, ...args],
    settings,
    () => import(/* @vite-ignore */ address),
  );
}

/**
 * Runs a program in this process. Programs run one after another, because each has the process's
 * arguments, environment and output to itself.
 */
export function runHere(
  argv: readonly string[],
  settings: Readonly<Record<string, string>>,
  program: () => Promise<unknown>,
): Promise<CommandResult> {
  const run = last.then(() => runAlone(argv, settings, program));
  last = run.catch(() => undefined);
  return run;
}

async function runAlone(
  argv: readonly string[],
  settings: Readonly<Record<string, string>>,
  program: () => Promise<unknown>,
): Promise<CommandResult> {
  const before = { argv: process.argv, exit: process.exit };
  const { exitCode } = process;
  const environment = { ...process.env };
  const writes = [process.stdout.write, process.stderr.write] as const;
  const listeners = process.stdout.listeners('error');
  const printed = { out: '', err: '' };
  let code: number | undefined;
  const into = (stream: 'out' | 'err'): typeof process.stdout.write =>
    ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      // A process that has exited prints nothing more.
      if (code === undefined)
        printed[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const written = rest.at(-1);
      if (typeof written === 'function') written();
      return true;
    }) as typeof process.stdout.write;
  Object.assign(process.env, settings);
  process.exitCode = undefined;
  process.exit = (status) => {
    code ??= Number(status ?? process.exitCode ?? 0);
    throw new Error('The program has exited.');
  };
  process.argv = [...argv];
  process.stdout.write = into('out');
  process.stderr.write = into('err');
  try {
    await program();
    code ??= Number(process.exitCode ?? 0);
  } catch (error) {
    if (code === undefined) {
      printed.err += `${(error as Error).stack}\n`;
      code = 1;
    }
  } finally {
    [process.stdout.write, process.stderr.write] = writes;
    Object.assign(process, before);
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
