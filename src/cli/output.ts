import type { Command } from 'commander';
import type { Problem } from '../operation/problem.ts';

/** Prints lines for people, or one value for programs. */
export type Print = (lines: readonly string[], value: unknown) => void;

/** What a program prints with: lines, or with its option --json the value. */
export const printerOf =
  (program: Command): Print =>
  (lines, value) =>
    void process.stdout.write(
      program.opts<{ json?: boolean }>().json
        ? `${JSON.stringify(value, null, 2)}\n`
        : lines.map((line) => `${line}\n`).join(''),
    );

/** What a program prints of what it did not foresee: where it was thrown, or the value itself. */
export const stackOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);

/** What a command prints of a refusal: its sentence, and one for each option that is not valid. */
export const refusalOf = ({ message, errors }: Problem): string =>
  errors?.length
    ? errors
        .map((error) => `--${error.pointer.slice(1).replaceAll('/', '-')}: ${error.message}`)
        .join('\n')
    : message;

/** Has a command end in peace when whoever reads its output, such as head, has read enough. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

/** Shows examples below the help of a command. */
export const withExamples = (command: Command, ...examples: readonly string[]): Command =>
  command.addHelpText(
    'after',
    `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  );
