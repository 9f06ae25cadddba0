/**
 * Exit codes of the commands: `usageError` for an invalid command line, which would be invalid at
 * any time, and `refused` for any other failure.
 */
export const exitCodes = { refused: 1, usageError: 2 } as const;

/** What `usageError` means, for each command's help. */
export const USAGE_ERROR_TEXT = `${exitCodes.usageError} incorrect usage: an unknown option, a value that an option or argument does not accept, or a file or folder that does not exist`;

/** Prints a message on standard error and ends the program. */
export function exitWithMessage(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
