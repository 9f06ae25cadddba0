import { resolve } from 'node:path';
import type { Command } from 'commander';
import { filePath } from '../../db/connection.ts';
import { warnOfMisspelledSettings } from './misspelled-settings.ts';
import { readSome } from '../settings.ts';

/** A readable name of a database: its file path, or its server URL without secrets. */
export function databaseName(url: string): string {
  const path = filePath(url);
  if (path) return resolve(path);
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/**
 * Prints the configured database and misspelled settings on standard error. @throws {SettingsError}
 */
export function nameDatabase(): void {
  const { databaseUrl } = readSome(['databaseUrl']);
  process.stderr.write(`Database: ${databaseName(databaseUrl)}\n`);
  warnOfMisspelledSettings();
}

/**
 * Makes each command of a program name its database first, and adds --quiet; commands in `without`
 * use none.
 */
export function namesDatabase(program: Command, without: readonly string[] = []): void {
  program.option('--quiet', 'do not print the name of the database on standard error');
  program.hook('preAction', (_, command) => {
    if (!program.opts<{ quiet?: boolean }>().quiet && !without.includes(command.name()))
      nameDatabase();
  });
}
