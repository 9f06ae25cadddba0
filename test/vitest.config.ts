import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import './setup/built-networks.ts';
import { deleteEndedRuns } from './setup/shared-folder.ts';
import { findProgram } from './setup/programs.ts';

// All processes and threads in a run load the same modules, so Node caches the compiled code here.
// The cache key includes the path, and every test checkout has a new path, so each run starts by
// emptying the cache.
if (process.env['NODE_COMPILE_CACHE'] === undefined) {
  process.env['NODE_COMPILE_CACHE'] = fileURLToPath(new URL('../.build/compiled', import.meta.url));
  rmSync(process.env['NODE_COMPILE_CACHE'], { recursive: true, force: true });
  deleteEndedRuns();
}

/**
 * Folders of tests that use the built networks, a browser or real programs. All others are
 * functional tests.
 */
const builtNetworkTests = [
  'browser',
  'server',
  'cdn',
  'site',
  'faults',
  'mcp',
  'a2a/served',
  'channels',
  'journeys',
].map((folder) => `test/${folder}/**/*.test.ts`);

/** Tests send far more requests to their servers than the default limits allow. */
const unlimitedEnvironment = { RATE_LIMIT_READS: '0', RATE_LIMIT_WRITES: '0' };

/**
 * Tests of database writes, which also run against libsql-server over HTTP. Their fixture selects
 * one case for each statement.
 */
const libsqlServerTests = [
  'operations/{effects,idempotency,leads,share-links}',
  'leads/{states,erase}',
  'notifications/long-poll',
].map((name) => `test/${name}.test.ts`);

/**
 * Three more than the number of cores, because tests also wait: for browsers, processes and leases.
 */
const maxWorkers = availableParallelism() + 3;

/** The functional tests come last: most of their files are short, so all workers end together. */
const projectOrder = ['built', 'libsql-server', 'functions'];

/** Files that take longer than their size suggests, and so would start last. */
const longFiles = [
  'browser/',
  'commands/settings-file.',
  'notifications/mcp-tasks-conformance.',
].map((name) => `/test/${name}`);

/** Starts long files first. A new checkout has no durations from earlier runs. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      2 * projectOrder.indexOf(project.name) -
      Number(longFiles.some((name) => moduleId.includes(name)));
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    reporters: ['default', './test/setup/summary-reporter.ts'],
    // Test files share imported modules; isolating them takes a third longer.
    isolate: false,
    maxWorkers,
    sequence: { sequencer: LongFilesFirst },
    // A larger young generation: with the default size, garbage collection took a tenth of the
    // time.
    execArgv: ['--max-semi-space-size=32'],
    // Generous limits: they stop hung tests and must not depend on the load on the machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 150_000 } },
    setupFiles: ['./test/setup/isolate-environment.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'functions',
          setupFiles: ['./test/setup/query-plans.ts', './test/setup/lazy-imports.ts'],
          include: ['test/**/*.test.ts'],
          exclude: builtNetworkTests,
        },
      },
      ...(findProgram('sqld')
        ? [
            {
              extends: true as const,
              test: {
                name: 'libsql-server',
                include: libsqlServerTests,
                globalSetup: './test/setup/libsql-server.ts',
                setupFiles: ['./test/setup/resolve-localhost.ts', './test/setup/lazy-imports.ts'],
              },
            },
          ]
        : []),
      {
        extends: true,
        test: {
          name: 'built',
          setupFiles: ['./test/setup/lazy-imports.ts'],
          include: builtNetworkTests,
          env: unlimitedEnvironment,
          globalSetup: './test/setup/built-networks.ts',
        },
      },
    ],
  },
});
