import { Command } from 'commander';
import { exitCodes, exitWithMessage } from './exit-codes.ts';
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

/** The URL in an argument. Anything but an absolute HTTP URL ends the program with a message. */
export function requireHttpUrl(text: string, example: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  return exitWithMessage(
    `The URL must be an absolute http: or https: address, for example ${example}.`,
    exitCodes.usageError,
  );
}
