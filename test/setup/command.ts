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
 * Runs a file of `src/cli` in this process, as `node src/cli/{program}.ts` with these arguments and these settings on top of
 * the environment. Starting a process takes a second of CPU, most of it for imports that a test has made already. Commands
 * run one after another, because each has the process's arguments, environment and output to itself.
 */
export function runCommand(
  program: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const run = last.then(() => runAlone(program, args, settings));
  last = run.catch(() => undefined);
  return run;
}

async function runAlone(
  program: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const file = resolve(`src/cli/${program}.ts`);
  const { argv, exit, exitCode } = process;
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
      (rest.at(-1) as (() => void) | undefined)?.();
      return true;
    }) as typeof process.stdout.write;
  process.argv = [process.execPath, file, ...args];
  Object.assign(process.env, settings);
  process.exitCode = undefined;
  process.exit = (status) => {
    code ??= Number(status ?? process.exitCode ?? 0);
    throw new Error('The command has exited.');
  };
  process.stdout.write = into('out');
  process.stderr.write = into('err');
  try {
    // Another address makes the program anew; what it imports stays loaded.
    await import(/* @vite-ignore */ `${pathToFileURL(file).href}?run=${++runs}`);
    code ??= Number(process.exitCode ?? 0);
  } catch (error) {
    if (code === undefined) {
      printed.err += `${(error as Error).stack}\n`;
      code = 1;
    }
  } finally {
    [process.stdout.write, process.stderr.write] = writes;
    Object.assign(process, { argv, exit });
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
