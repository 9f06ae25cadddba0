import { existsSync, readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
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

/** A word of a command, in single quotes if a shell would change it. */
export const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * Ends the program if npm took options that a command of this program declares. Without `--`, npm
 * keeps every option for itself, even those that it does not know, so `npm run leads purge
 * --dry-run` would erase leads. `--dry-run` is refused even for a program that does not have it.
 */
export function rejectOptionsConsumedByNpm(program: Command, script: string): void {
  const config = listNpmConfig(script);
  if (!config.size) return;
  const configuredNames = new Set([
    ...npmOnlyOptions,
    ...listConfiguredNames([config.get('userconfig'), config.get('globalconfig'), '.npmrc']),
  ]);
  const args = process.argv.slice(2);
  const declaredOptions = new Map(
    [program, ...program.commands]
      .flatMap(({ options }) => options)
      .concat(new Option('--dry-run'))
      .map((option) => [foldName(option.long ?? ''), option]),
  );
  const consumedOptions = [...config].flatMap(([name, value]) => {
    const foldedName = foldName(name);
    const option = declaredOptions.get(foldedName);
    const isGiven = args.some((arg) => arg.split('=')[0] === option?.long);
    if (!option?.long || configuredNames.has(foldedName) || isGiven) return [];
    // npm leaves the value of an option that it does not know among the arguments.
    const isValueLost = value === 'true' && (option.required || option.optional);
    const optionWithValue = value === 'true' ? option.long : `${option.long}=${quoteWord(value)}`;
    return [{ long: option.long, isValueLost, flag: isValueLost ? option.flags : optionWithValue }];
  });
  if (!consumedOptions.length) return;
  const command = args
    .slice(0, 1)
    .filter((arg) => program.commands.some((one) => one.name() === arg));
  const words = consumedOptions.some(({ isValueLost }) => isValueLost)
    ? [...command, ...(args.length > command.length ? ['…'] : [])]
    : args.map(quoteWord);
  exitWithMessage(
    `npm did not pass on ${consumedOptions.map(({ long }) => long).join(', ')}. Nothing was done. Run ${[program.name(), ...words, ...consumedOptions.map(({ flag }) => flag)].join(' ')}`,
    exitCodes.usageError,
  );
}
