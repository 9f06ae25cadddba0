import type { Reporter, TestModule } from 'vitest/node';
import { missingPrograms } from './programs.ts';

/**
 * Ends the run with one plain line, after naming the programs that could not be had and so which
 * tests did not run.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      // A file that cannot be loaded, or a hook that throws, fails without any test of its own
      // failing.
      for (const part of [module, ...module.children.allSuites()])
        if (part.errors().length) count.failed++;
      for (const test of module.children.allTests()) count[test.result().state]++;
    }
    for (const program of missingPrograms())
      process.stdout.write(
        `not run: tests that need ${program}, which is not installed and could not be\n`,
      );
    process.stdout.write(
      `${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped\n`,
    );
  }
}
