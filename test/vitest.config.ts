import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import './setup/built-networks.ts';
import { findProgram } from './setup/programs.ts';

/** Tests of the built network in a browser, which waits for pages more than it works: two files at once. */
const inBrowser = ['test/browser/**/*.test.ts'];

/** Tests of the built network and of real programs, one file at a time; the others are tests of functions. */
const built = ['server', 'cdn', 'site', 'faults', 'mcp', 'a2a/served', 'doors', 'journeys'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

/** Tests of what the operations write, which are run over http against a libsql-server too. */
const onServer = ['operations/{effects,idempotency,leads,share-links}', 'leads/{states,erase}'].map(
  (name) => `test/${name}.test.ts`,
);

/** vitest leaves a core to whoever watches; on a machine with two that would be half of it. */
const maxWorkers = availableParallelism();

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    reporters: ['default', './test/setup/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'functions',
          maxWorkers,
          // Files share what they import: loading it anew for each took a third of the time.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...built, ...inBrowser],
        },
      },
      ...(findProgram('sqld')
        ? [
            {
              extends: true,
              test: {
                name: 'libsql-server',
                maxWorkers,
                isolate: false,
                include: onServer,
                globalSetup: './test/setup/libsql-worlds.ts',
                setupFiles: './test/setup/local-names.ts',
              },
            } as const,
          ]
        : []),
      {
        extends: true,
        test: {
          name: 'browser',
          maxWorkers,
          include: inBrowser,
          globalSetup: './test/setup/built-networks.ts',
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'built',
          include: built,
          globalSetup: './test/setup/built-networks.ts',
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
