// @ts-check
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { decodeText } from './text-encoding.js';

// Reads the environment for src/settings.ts and for code that runs before it. It is plain
// JavaScript because stripping the types of the first module would slow down the launcher
// (src/cli/run.js).

/** Thrown for an invalid setting; the message names the setting and explains how to fix it. */
export class SettingsError extends Error {
  /**
   * Identifies the error: the bundle of a command has its own copy of this class.
   * @override
   */
  name = 'SettingsError';
}

/** @typedef {Readonly<Record<string, string | undefined>>} Environment */

/**
 * The line number of each name in `.env`; undefined until the file is read.
 * @type {ReadonlyMap<string, number> | undefined}
 */
let fileLines;

/** Names of the environment variables whose values come from `.env`. */
const namesFromFile = new Set();

const QUOTE_PATTERN = /^["'`]/;

/**
 * The line number of each name in an environment file.
 * @param {string} text
 * @returns {Map<string, number>}
 * @throws {SettingsError} for all lines that Node would silently skip, or whose setting a later
 * line would replace
 */
function readLineNumbers(text) {
  const lines = text.split('\n');
  /** @type {Map<string, number>} */
  const lineNumbers = new Map();
  /** @type {string[]} */
  const faults = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = /** @type {string} */ (lines[index]).trim();
    if (line === '' || line.startsWith('#')) continue;
    const place = `.env:${index + 1}`;
    const [, name, value] = /^(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      faults.push(`${place}: this is not a setting. Use NAME=value.`);
      continue;
    }
    if (lineNumbers.has(name))
      faults.push(
        `${place}: ${name} is already set on line ${lineNumbers.get(name)}. Remove one of the two lines.`,
      );
    else lineNumbers.set(name, index + 1);
    if (value.startsWith('-----BEGIN ') && !value.includes('-----END ')) {
      faults.push(
        `${place}: this value spans more than one line. Put it in double quotes, or in a file whose path is in ${name}_FILE.`,
      );
      const end = lines.findIndex(
        (other, position) => position > index && other.startsWith('-----END '),
      );
      if (end > 0) index = end;
      continue;
    }
    const [quote] = QUOTE_PATTERN.exec(value) ?? [];
    if (quote === undefined || value.indexOf(quote, 1) > 0) continue;
    // A quoted value may span multiple lines.
    const end = lines.findIndex((other, position) => position > index && other.includes(quote));
    if (end < 0) {
      faults.push(`${place}: this value has no closing quote. Add ${quote} at the end.`);
      break;
    }
    index = end;
  }
  if (faults.length) throw new SettingsError(faults.join('\n'));
  return lineNumbers;
}

/**
 * The content of `.env`; empty if the file does not exist.
 * @returns {Buffer}
 * @throws {SettingsError} when the file cannot be read
 */
function readEnvFile() {
  try {
    return readFileSync('.env');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return Buffer.alloc(0);
    throw new SettingsError(
      '.env: the file cannot be read. Give the user that runs this program read access to it, or remove it.',
    );
  }
}

/** The suffix of a variable that holds the path of a file with the value. */
const FILE_SUFFIX = '_FILE';

/**
 * The other variable of the same setting: NAME_FILE for NAME, and NAME for NAME_FILE.
 * @param {string} name
 * @returns {string}
 */
const otherNameOf = (name) =>
  name.endsWith(FILE_SUFFIX) ? name.slice(0, -FILE_SUFFIX.length) : name + FILE_SUFFIX;

/**
 * The process environment. Settings that it lacks are read from the file `.env` in the working
 * directory, so that the server and every command run there use the same settings.
 * @returns {Environment}
 * @throws {SettingsError} when the file cannot be read, or has an invalid line
 */
export function readEnvironment() {
  if (!fileLines) {
    const decoded = decodeText(readEnvFile());
    if (!('text' in decoded))
      throw new SettingsError(`.env:${decoded.line}: the file ${decoded.problem}`);
    const { text } = decoded;
    const lineNumbers = readLineNumbers(text);
    const existingNames = new Set(Object.keys(process.env));
    for (const [name, value] of Object.entries(parseEnv(text)))
      if (!existingNames.has(name) && !existingNames.has(otherNameOf(name))) {
        process.env[name] = value;
        namesFromFile.add(name);
      }
    fileLines = lineNumbers;
  }
  return process.env;
}

/**
 * The names in `.env`, each with its line number.
 * @returns {ReadonlyMap<string, number>}
 * @throws {SettingsError} when the file cannot be read, or has an invalid line
 */
export function listFileSettings() {
  readEnvironment();
  return fileLines ?? new Map();
}

/**
 * The number of the line in `.env` that sets an environment variable; undefined if it is set
 * elsewhere.
 * @param {Environment} environment
 * @param {string} name
 * @returns {number | undefined}
 */
export const findFileLine = (environment, name) =>
  environment === process.env && namesFromFile.has(name) ? fileLines?.get(name) : undefined;

/**
 * The value of a setting, or the content of the file that NAME_FILE points to. Empty text counts as
 * unset.
 * @param {Environment} environment
 * @param {string} name
 * @returns {string | undefined}
 * @throws {SettingsError} when both are set, or the file cannot be read
 */
export function readSetting(environment, name) {
  const file = environment[`${name}_FILE`];
  if (environment[name] && file)
    throw new SettingsError(`${name}_FILE: ${name} is also set. Set only one of them.`);
  if (environment[name]) return environment[name];
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    // Text that does not start like a path may be the secret itself.
    const source = /^[~./$]/.test(file) ? resolve(file) : 'the file';
    throw new SettingsError(
      `${name}_FILE: ${source} cannot be read. Use the path of a readable file${isLiteralPath(file) ? '' : '; ~ and $NAME are not expanded'}.`,
    );
  }
}

/**
 * False for a path with ~ or $NAME, which only a shell expands. Used literally, such a path would
 * create a folder named `~` or `$NAME`.
 * @param {string} path
 * @returns {boolean}
 */
export const isLiteralPath = (path) => !/^~|\$\{?\w/.test(path);

/** The build folder if OUT_DIR is not set. */
export const DEFAULT_OUT_DIR = 'dist';

const NPM_CONFIG_PREFIX = 'npm_config_';

/** True if npm started the program, as `npm start` and `npm run` do. */
export const isRunByNpm = () => process.env['npm_lifecycle_event'] !== undefined;

/**
 * npm's configuration while it runs the given script: values from its files and environment
 * variables, and all command-line options before `--`. Options that are off are omitted. Empty if
 * npm runs another script or none.
 * @param {string} script
 * @returns {ReadonlyMap<string, string>}
 */
export const listNpmConfig = (script) =>
  new Map(
    process.env['npm_lifecycle_event'] === script
      ? Object.entries(process.env).flatMap(([name, value]) =>
          name.startsWith(NPM_CONFIG_PREFIX) && value
            ? [[name.slice(NPM_CONFIG_PREFIX.length), value]]
            : [],
        )
      : [],
  );

/**
 * Sets an environment variable that a library reads because it has no option for the value.
 * @param {string} name
 * @param {string} value
 */
export function setVariable(name, value) {
  process.env[name] = value;
}
