import type { Command } from 'commander';

/**
 * Exit codes of the commands: `refused` for a refused or invalid request, `misused` for a wrong
 * command line.
 */
export const exitCodes = { refused: 1, misused: 2 } as const;

/**
 * Makes a program and its commands exit with the usage code when an argument or option is wrong.
 */
export const exitOnMisuse = (program: Command): Command =>
  program.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : exitCodes.misused));
