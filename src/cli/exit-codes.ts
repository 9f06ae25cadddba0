/**
 * Exit codes of the commands: `refused` for a refused or invalid request, `usageError` for a wrong
 * command line.
 */
export const exitCodes = { refused: 1, usageError: 2 } as const;

/** Prints a message on standard error and ends the program. */
export function exitWithMessage(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
