import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePorts } from '../../setup/free-port.ts';
import { findProgram } from '../../setup/programs.ts';

export interface LibsqlServer {
  url: string;
  adminPort: number;
  /** Starts or restarts the server; resolves when it responds. */
  start(): Promise<void>;
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/**
 * A libsql-server on a fixed port of 127.0.0.1 with data in `folder`. With `usesNamespaces`, it
 * serves several databases, each under its own host name.
 */
export async function createLibsqlServer(
  folder: string,
  { usesNamespaces = false } = {},
): Promise<LibsqlServer> {
  const [http, grpc, admin] = (await findFreePorts(3)) as [number, number, number];
  const url = `http://127.0.0.1:${http}`;
  let running: ChildProcess | undefined;
  return {
    url,
    adminPort: admin,
    async start() {
      const args = [
        '--no-welcome',
        '-d',
        join(folder, 'server.sqld'),
        '--http-listen-addr',
        `127.0.0.1:${http}`,
        '--grpc-listen-addr',
        `127.0.0.1:${grpc}`,
        ...(usesNamespaces
          ? ['--enable-namespaces', '--admin-listen-addr', `127.0.0.1:${admin}`]
          : []),
      ];
      running = spawn(findProgram('sqld')!, args, {
        stdio: 'ignore',
        env: { ...process.env, RUST_LOG: 'off' },
      });
      for (let attempt = 0; attempt < 200; attempt++) {
        if (
          await fetch(`${url}/health`).then(
            ({ ok }) => ok,
            () => false,
          )
        )
          return;
        await wait(50);
      }
      throw new Error('libsql-server does not respond.');
    },
    async stop(signal) {
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      const ended = once(running, 'exit');
      running.kill(signal);
      await ended;
    },
  };
}
