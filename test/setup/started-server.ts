import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BUILD_EPOCH } from './built-networks.ts';

/** `npm start` as a process of its own. */
export interface StartedServer {
  process: ChildProcess;
  /** Everything that it printed so far. */
  said(): string;
  /** Where it answers; waits until it does. */
  origin(): Promise<string>;
  /** Its exit code, null after a signal that it does not handle, once all its output is read. */
  ended: Promise<number | null>;
  /** Sends a signal and waits until it has ended. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Settings under which the release of a test network is current. */
export const builtWith = (release: string, registryDir: string): Record<string, string> => ({
  REGISTRY_DIR: registryDir,
  OUT_DIR: dirname(release),
  SOURCE_DATE_EPOCH: BUILD_EPOCH,
  PORT: '0',
  ASTRO_TELEMETRY_DISABLED: '1',
});

/**
 * Starts the server, or another command, with these settings added to `environment`, by default that
 * of the tests.
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
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  // On "exit", output may still be unread; on "close", none is.
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    process: child,
    said: () => said,
    ended,
    async origin() {
      const deadline = performance.now() + 240_000;
      while (!/ at http:\/\/\S+/.test(said)) {
        if (child.exitCode !== null || performance.now() > deadline)
          throw new Error(`The server does not answer:\n${said}`);
        await wait(50);
      }
      return `http://127.0.0.1:${new URL(/ at (http:\/\/\S+)/.exec(said)![1]!).port}`;
    },
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
