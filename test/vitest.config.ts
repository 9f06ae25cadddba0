import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import './setup/built-networks.ts';
import { leftovers } from './setup/leftovers.ts';
import { findProgram } from './setup/programs.ts';

// The processes and threads of a run load the same modules: a commit thread for each database,
// commands, servers, builds.
// Node keeps what it compiled where this says, which it reads when it starts. Copies of the
// checkout have names of their own, so that it grows with every run.
if (process.env['NODE_COMPILE_CACHE'] === undefined) {
  process.env['NODE_COMPILE_CACHE'] = fileURLToPath(new URL('../.build/compiled', import.meta.url));
  for (const left of [process.env['NODE_COMPILE_CACHE'], leftovers])
    rmSync(left, { recursive: true, force: true });
}

/** Tests of the built network in a browser. */
const inBrowser = ['test/browser/**/*.test.ts'];

/** Tests of the built network and of real programs; the others are tests of functions. */
const built = ['server', 'cdn', 'site', 'faults', 'mcp', 'a2a/served', 'channels', 'journeys'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

/** Tests ask the servers that they start far more often than a client may. */
const unlimited = { RATE_LIMIT_READS: '0', RATE_LIMIT_WRITES: '0' };

/** Tests of what the operations write, which are run over http against a libsql-server too. */
const onServer = [
  'operations/{effects,idempotency,leads,share-links}',
  'leads/{states,erase}',
  'notifications/long-poll',
].map((name) => `test/${name}.test.ts`);

/**
 * One more than there are cores, for tests also wait: for a browser, for a process, for a lease to
 * end.
 */
const maxWorkers = availableParallelism() + 1;

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    reporters: ['default', './test/setup/closing-line.ts'],
    // Files share what they import: loading it anew for each takes a third of the time.
    isolate: false,
    maxWorkers,
    // Young objects live in more memory than a program usually needs: collecting them took a tenth
    // of the time.
    execArgv: ['--max-semi-space-size=32'],
    // How long a test takes depends on what else the machine does. These end what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    setupFiles: ['./test/setup/own-environment.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'functions',
          setupFiles: ['./test/setup/query-plans.ts', './test/setup/lazy-imports.ts'],
          include: ['test/**/*.test.ts'],
          exclude: [...built, ...inBrowser],
        },
      },
      ...(findProgram('sqld')
        ? [
            {
              extends: true as const,
              test: {
                name: 'libsql-server',
                include: onServer,
                globalSetup: './test/setup/libsql-server.ts',
                setupFiles: ['./test/setup/local-names.ts', './test/setup/lazy-imports.ts'],
              },
            },
          ]
        : []),
      {
        extends: true,
        test: {
          name: 'browser',
          include: inBrowser,
          env: unlimited,
          globalSetup: './test/setup/built-networks.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'built',
          setupFiles: ['./test/setup/lazy-imports.ts'],
          include: built,
          env: unlimited,
          globalSetup: './test/setup/built-networks.ts',
        },
      },
    ],
  },
});
