// @ts-check
import { readFileSync } from 'node:fs';

// The environment, for src/settings.ts and for what runs before it: plain JavaScript, since
// stripping the types of the first module costs more than the launcher may take (src/cli/run.js).

/** A setting that cannot be used; the message names it and says how to fix it. */
export class SettingsError extends Error {}

/** @typedef {Readonly<Record<string, string | undefined>>} Environment */

let fileRead = false;

/**
 * The environment of the process. Where it leaves a setting out, the file `.env` in the working
 * directory sets it, so that the server and every command that is run there use the same settings.
 * @returns {Environment}
 * @throws {SettingsError} when the file cannot be read
 */
export function processEnvironment() {
  if (!fileRead) {
    try {
      process.loadEnvFile();
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT')
        throw new SettingsError(
          '.env: the file cannot be read. Make it a readable file, or remove it.',
        );
    }
    fileRead = true;
  }
  return process.env;
}

/**
 * A setting, or the content of the file that NAME_FILE points to. Empty text counts as unset.
 * @param {Environment} environment
 * @param {string} name
 * @returns {string | undefined}
 * @throws {SettingsError} when the file cannot be read
 */
export function readSetting(environment, name) {
  const file = environment[`${name}_FILE`];
  if (environment[name]) return environment[name];
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    throw new SettingsError(
      `${name}_FILE: the file cannot be read. Give the path of a readable file.`,
    );
  }
}

/** Folder that builds are written to where OUT_DIR does not name one. */
export const DEFAULT_OUT_DIR = 'dist';

/** Whether npm started the program, as `npm start` and `npm run` do. */
export const isRunByNpm = () => process.env['npm_lifecycle_event'] !== undefined;
