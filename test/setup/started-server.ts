import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BUILD_EPOCH } from './built-networks.ts';

/** `npm start` in a separate process. */
export interface StartedServer {
  process: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  /** Origin of the server. Waits until the server responds. */
  origin(): Promise<string>;
  /**
   * Exit code, or null after a signal without a handler. Resolves when all output has been read.
   */
  ended: Promise<number | null>;
  /** Sends a signal and waits until the process has exited. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Settings with which the release of a test network counts as current. */
export const createBuildSettings = (
  release: string,
  registryDir: string,
): Record<string, string> => ({
  REGISTRY_DIR: registryDir,
  OUT_DIR: dirname(release),
  SOURCE_DATE_EPOCH: BUILD_EPOCH,
  PORT: '0',
  ASTRO_TELEMETRY_DISABLED: '1',
});

/**
 * Starts the server or another command with settings added to an environment, by default that of
 * this process.
 */
export function startServer(
  settings: Readonly<Record<string, string>>,
  {
    cwd,
    environment = process.env,
    command = ['start'],
  }: { cwd?: string; environment?: NodeJS.ProcessEnv; command?: readonly string[] } = {},
): StartedServer {
  const child = spawn(process.execPath, ['src/cli/run.js', ...command], {
    ...(cwd && { cwd }),
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // Output may be unread on "exit", but not on "close".
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    process: child,
    output: () => output,
    ended,
    async origin() {
      const deadline = performance.now() + 240_000;
      while (!/ at http:\/\/\S+/.test(output)) {
        if (child.exitCode !== null || performance.now() > deadline)
          throw new Error(`The server did not start:\n${output}`);
        await wait(50);
      }
      return `http://127.0.0.1:${new URL(/ at (http:\/\/\S+)/.exec(output)![1]!).port}`;
    },
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
