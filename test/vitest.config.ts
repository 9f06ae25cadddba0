import { defineConfig } from 'vitest/config';

/** Tests of the built network and of real programs; the others are tests of functions. */
const built = ['server', 'cdn', 'site', 'browser', 'faults', 'mcp', 'a2a/served', 'doors'].map((room) => `test/${room}/**/*.test.ts`);

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    reporters: ['default', './test/setup/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'functions', include: ['test/**/*.test.ts'], exclude: built } },
      { extends: true, test: { name: 'built', include: built, globalSetup: './test/setup/built-networks.ts', fileParallelism: false } },
    ],
  },
});
