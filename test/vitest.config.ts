import { defineConfig } from 'vitest/config';
import { findProgram } from './setup/programs.ts';

/** Tests of the built network and of real programs; the others are tests of functions. */
const built = ['server', 'cdn', 'site', 'browser', 'faults', 'mcp', 'a2a/served', 'doors'].map((room) => `test/${room}/**/*.test.ts`);

/** Tests of what the operations write, which are run over http against a libsql-server too. */
const onServer = ['operations/{effects,idempotency,leads,share-links}', 'leads/{states,erase}'].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    reporters: ['default', './test/setup/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'functions', include: ['test/**/*.test.ts'], exclude: built } },
      ...(findProgram('sqld') ? [{ extends: true, test: { name: 'libsql-server', include: onServer, globalSetup: './test/setup/libsql-worlds.ts', setupFiles: './test/setup/local-names.ts' } } as const] : []),
      { extends: true, test: { name: 'built', include: built, globalSetup: './test/setup/built-networks.ts', fileParallelism: false } },
    ],
  },
});
