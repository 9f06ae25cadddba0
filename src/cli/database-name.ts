import { resolve } from 'node:path';
import type { Command } from 'commander';
import { filePathOf } from '../../db/connection.ts';
import { warnOfMisspelledSettings } from './misspelled-settings.ts';
import { readSelectedSettings } from '../settings.ts';

/** Display name of a database: the file path, or the server URL without secrets. */
export function databaseNameOf(url: string): string {
  const path = filePathOf(url);
  if (path) return resolve(path);
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/**
 * Prints the configured database, and warnings about misspelled settings, on standard error.
 * @throws {SettingsError}
 */
export function printDatabaseName(): void {
  const { databaseUrl } = readSelectedSettings(['databaseUrl']);
  process.stderr.write(`Database: ${databaseNameOf(databaseUrl)}\n`);
  warnOfMisspelledSettings();
}

/**
 * Makes each command print its database first, and adds the option --quiet. Commands in
 * `commandsWithoutDatabase` use no database.
 */
export function printDatabaseUrlBeforeCommands(
  program: Command,
  commandsWithoutDatabase: readonly string[] = [],
): void {
  program.option('--quiet', 'do not print the name of the database on standard error');
  program.hook('preAction', (_, command) => {
    if (
      !program.opts<{ quiet?: boolean }>().quiet &&
      !commandsWithoutDatabase.includes(command.name())
    )
      printDatabaseName();
  });
}
