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
  /** Ends it by a signal; resolves with its exit code, null after SIGKILL. */
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
 * Starts the server with these settings on top of an environment, the present one where none is
 * given.
 */
export function startServer(
  settings: Readonly<Record<string, string>>,
  { cwd, environment = process.env }: { cwd?: string; environment?: NodeJS.ProcessEnv } = {},
): StartedServer {
  const child = spawn(process.execPath, ['src/cli/run.js', 'start'], {
    ...(cwd && { cwd }),
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return {
    process: child,
    said: () => said,
    async origin() {
      const deadline = performance.now() + 90_000;
      while (!/ at http:\/\/\S+/.test(said)) {
        if (child.exitCode !== null || performance.now() > deadline)
          throw new Error(`The server does not answer:\n${said}`);
        await wait(50);
      }
      return `http://127.0.0.1:${new URL(/ at (http:\/\/\S+)/.exec(said)![1]!).port}`;
    },
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      return ((await ended) as [number | null])[0];
    },
  };
}
