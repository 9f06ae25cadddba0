// @ts-check
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

// Plain JavaScript, like src/environment.js, because the launcher runs it before every command.

/**
 * One input file of a bundle: its path in the project, its size in bytes, and its modification time
 * in ms.
 * @typedef {readonly [path: string, size: number, time: number]} Input
 */

/**
 * `program.json` in OUT_DIR: the current bundle of the program, and the inputs from which it was
 * built.
 * @typedef {object} ProgramRecord
 * @property {string} folder Folder of the bundle, relative to OUT_DIR.
 * @property {string} digest Digest of the paths and bytes of all inputs.
 * @property {readonly Input[]} inputs
 */

/** Folder of the checkout that contains this module or the sources of this bundle. */
export const PROJECT_DIR = resolve(import.meta.dirname, '../..');

/** @param {string} outDir */
export const recordPath = (outDir) => join(outDir, 'program.json');

/**
 * The current state of a file.
 * @param {string} path
 * @returns {Input}
 */
export function readInput(path) {
  const { size, mtimeMs } = statSync(join(PROJECT_DIR, path));
  return [path, size, mtimeMs];
}

/**
 * @param {readonly Input[]} inputs
 * @returns {string}
 */
export function digestInputs(inputs) {
  const hash = createHash('sha256');
  for (const [path] of inputs)
    hash.update(`\0${path}\0`).update(readFileSync(join(PROJECT_DIR, path)));
  return hash.digest('base64url');
}

/**
 * True if the input files are unchanged, judging by their sizes and modification times.
 * @param {readonly Input[]} inputs
 * @param {readonly Input[]} currentInputs
 */
export const areInputsEqual = (inputs, currentInputs) =>
  inputs.every(
    ([, size, time], index) =>
      size === currentInputs[index]?.[1] && time === currentInputs[index]?.[2],
  );

/**
 * True if this user or root owns a path. Root must not run code that the service's user could have
 * written.
 * @param {string} path
 */
const isTrusted = (path) => [0, process.getuid?.()].includes(statSync(path).uid);

/**
 * True if modules in a folder can resolve the packages in this checkout. Modules in a build folder
 * that another checkout has used find that checkout's packages, or none once it has been deleted.
 * @param {string} folder
 */
export function canFindPackages(folder) {
  try {
    const [resolvedPath, ownPath] = [realpathSync(folder), PROJECT_DIR].map((parent) =>
      createRequire(join(parent, 'module.js')).resolve('libsql'),
    );
    return resolvedPath === ownPath;
  } catch {
    return false; // The folder or the package does not exist.
  }
}

/**
 * The bundle in a build folder, if it finds its packages and matches the current sources: by size and
 * modification time or, where those differ, as in a copied checkout, by content. `isMetadataEqual` is true if
 * sizes and times are the same; `currentInputs` is the current state of the inputs. Another user's
 * bundle is ignored.
 * @param {string} outDir
 * @returns {{ record: ProgramRecord, isMetadataEqual: boolean, currentInputs: Input[] } | undefined}
 */
export function findCurrentProgram(outDir) {
  try {
    const record = /** @type {ProgramRecord} */ (
      JSON.parse(readFileSync(recordPath(outDir), 'utf8'))
    );
    const folder = resolve(outDir, record.folder);
    if (![recordPath(outDir), folder].every(isTrusted) || !canFindPackages(folder))
      return undefined;
    const currentInputs = record.inputs.map(([path]) => readInput(path));
    const isMetadataEqual = areInputsEqual(record.inputs, currentInputs);
    return isMetadataEqual || digestInputs(currentInputs) === record.digest
      ? { record, isMetadataEqual, currentInputs }
      : undefined;
  } catch {
    return undefined; // There is no bundle, or one of its inputs no longer exists.
  }
}
