import type { Command } from 'commander';

/** Has a command end in peace when whoever reads its output, such as head, has read enough. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

/** Shows examples below the help of a command. */
export const withExamples = (command: Command, ...examples: readonly string[]): Command => command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`);
