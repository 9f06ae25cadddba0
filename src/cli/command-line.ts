import { Command } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { exitOnClosedPipe } from './output.ts';

/**
 * A command that exits with the usage code on incorrect usage, and without a message when the
 * reader of its output closes the pipe.
 */
export function createCommandLine(name: string): Command {
  exitOnClosedPipe();
  return new Command(name).exitOverride(({ exitCode }) =>
    process.exit(exitCode === 0 ? 0 : exitCodes.usageError),
  );
}
