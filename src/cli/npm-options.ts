import { existsSync, readFileSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { listNpmConfig } from '../environment.js';
import { exitCodes, exitWithMessage } from './exit-codes.ts';

/** Options that npm passes on only from its own configuration, never from a command line. */
const npmOnlyOptions = new Set(['before', 'description', 'expires', 'key', 'registry']);

/** npm replaces hyphens in the names of options, and people leave them out. */
const foldName = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase();

/** The names that npm's own configuration files set. */
const listConfiguredNames = (files: readonly (string | undefined)[]): string[] =>
  files.flatMap((file) =>
    file !== undefined && existsSync(file)
      ? [...readFileSync(file, 'utf8').matchAll(/^\s*([\w-]+)\s*(?:=|$)/gm)].map(([, name = '']) =>
          foldName(name),
        )
      : [],
  );

const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * Ends the program if npm took options that a command of this program declares. Without `--`, npm
 * keeps every option for itself, even one that it does not know, so `npm run leads purge --dry-run`
 * would erase leads. `--dry-run` is refused even for a program that does not have it.
 */
export function refuseOptionsTakenByNpm(program: Command, script: string): void {
  const config = listNpmConfig(script);
  if (!config.size) return;
  const configured = new Set([
    ...npmOnlyOptions,
    ...listConfiguredNames([config.get('userconfig'), config.get('globalconfig'), '.npmrc']),
  ]);
  const args = process.argv.slice(2);
  const options = new Map(
    [program, ...program.commands]
      .flatMap((command): readonly Pick<Option, 'long' | 'required' | 'flags'>[] => command.options)
      .concat({ long: '--dry-run', required: false, flags: '' })
      .map((option) => [foldName(option.long ?? ''), option]),
  );
  const taken = [...config].flatMap(([name, value]) => {
    const folded = foldName(name);
    const option = options.get(folded);
    const isGiven = args.some((arg) => arg.split('=')[0] === option?.long);
    return option?.long && !configured.has(folded) && !isGiven
      ? [{ ...option, long: option.long, value }]
      : [];
  });
  if (!taken.length) return;
  // npm leaves the value of an option that it does not know among the arguments.
  const isValueLost = taken.some(({ required, value }) => required && value === 'true');
  const words = isValueLost
    ? [...args.slice(0, 1).filter((arg) => program.commands.some((c) => c.name() === arg)), '…']
    : args.map(quoteWord);
  const flags = taken.map(({ long, required, flags, value }) =>
    value === 'true' ? (required ? flags : long) : `${long}=${quoteWord(value)}`,
  );
  exitWithMessage(
    `npm took ${taken.map(({ long }) => long).join(', ')} for itself. Nothing was done. Write ${[program.name(), ...words, ...flags].join(' ')}`,
    exitCodes.usageError,
  );
}
