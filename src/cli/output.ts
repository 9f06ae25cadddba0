import type { Command } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { describeFileError } from './file-errors.ts';
import type { InputFault, Problem } from '../operation/problem.ts';

export type Printer = (lines: readonly string[], value: unknown) => void;

/** Prints text, or the value as JSON with --json. */
export const createPrinter =
  (program: Command): Printer =>
  (lines, value) =>
    void process.stdout.write(
      program.opts<{ json?: boolean }>().json
        ? `${JSON.stringify(value, null, 2)}\n`
        : lines.map((line) => `${line}\n`).join(''),
    );

/** The text for an unexpected error: the stack or the thrown value. */
export const stackOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);

/**
 * Replaces JSON members that a message says to send or leave out, such as `free: true`, with the
 * corresponding options.
 */
const nameOptions = (message: string): string =>
  message
    .replaceAll(/\bsend (\w+): true\b/g, 'use --$1')
    .replaceAll(/\bsend (\w+): false\b/g, 'use --no-$1')
    .replaceAll(/\bleave out ([a-z]\w*)\b/g, 'leave out --$1');

/** The text for an invalid option or argument. */
export const formatInputFault = ({ pointer, message }: InputFault): string =>
  `${pointer && `--${pointer.slice(1).replaceAll('/', '-')}: `}${nameOptions(message)}`;

/** The text for a refused command: the message, and a line for each invalid option or argument. */
export const formatRefusal = ({ message, errors }: Problem): string =>
  errors?.length ? errors.map(formatInputFault).join('\n') : message;

/**
 * Makes a command exit without a message when the reader of its output closes the pipe, as head
 * does, and with a message when the output cannot be written, for example because the disk is full.
 */
export function exitOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`${describeFileError(error, 'standard output') ?? stackOf(error)}\n`);
    process.exit(exitCodes.refused);
  });
}

export const withExamples = <Line extends Command>(
  command: Line,
  ...examples: readonly string[]
): Line =>
  command.addHelpText(
    'after',
    `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  );
