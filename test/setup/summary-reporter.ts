import type { Reporter, TestModule } from 'vitest/node';
import { findMissingPrograms } from './programs.ts';

/**
 * Reporter that ends a run with one plain line after it lists missing programs, whose tests were
 * skipped.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      // A file that fails to load, or a hook that throws, does not fail any individual test.
      for (const suite of [module, ...module.children.allSuites()])
        if (suite.errors().length) count.failed++;
      for (const test of module.children.allTests()) count[test.result().state]++;
    }
    for (const program of findMissingPrograms())
      process.stdout.write(
        `skipped: tests that need ${program}, which is not installed and could not be installed\n`,
      );
    process.stdout.write(
      `${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped\n`,
    );
  }
}
