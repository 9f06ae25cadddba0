// @ts-check
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

// Plain JavaScript, as src/environment.js: the launcher runs it before every command.

/**
 * One file that a bundle was made from: its path below the project, its size in bytes, and when it
 * was written, in ms.
 * @typedef {readonly [path: string, size: number, time: number]} Input
 */

/**
 * `program.json` in OUT_DIR: which bundle of the program is current, and from which bytes it was
 * made.
 * @typedef {object} ProgramRecord
 * @property {string} folder Folder of the bundle, relative to OUT_DIR.
 * @property {string} digest Digest of the paths and bytes of all inputs.
 * @property {readonly Input[]} inputs
 */

/** Folder of the checkout that this module is part of; a bundle represents the sources in it. */
export const PROJECT = resolve(import.meta.dirname, '../..');

/** @param {string} outDir */
export const recordPath = (outDir) => join(outDir, 'program.json');

/**
 * A file as it is now.
 * @param {string} path
 * @returns {Input}
 */
export function inputOf(path) {
  const { size, mtimeMs } = statSync(join(PROJECT, path));
  return [path, size, mtimeMs];
}

/**
 * @param {readonly Input[]} inputs
 * @returns {string}
 */
export function digestOf(inputs) {
  const hash = createHash('sha256');
  for (const [path] of inputs) hash.update(`\0${path}\0`).update(readFileSync(join(PROJECT, path)));
  return hash.digest('base64url');
}

/**
 * Whether the input files are unchanged, by sizes and times.
 * @param {readonly Input[]} inputs
 * @param {readonly Input[]} now
 */
export const areSame = (inputs, now) =>
  inputs.every(([, size, time], at) => size === now[at]?.[1] && time === now[at]?.[2]);

/**
 * Whether a path belongs to this user or to root: root runs no code that the user of the service
 * could have written.
 * @param {string} path
 */
const isTrusted = (path) => [0, process.getuid?.()].includes(statSync(path).uid);

/**
 * The bundle in a folder of builds, if it was made from the present sources: by sizes and times,
 * and where these differ, as after a copy of the checkout, by the bytes. `untouched` says that
 * sizes and times are the same; `now` holds them. Another user's bundle is ignored.
 * @param {string} outDir
 * @returns {{ record: ProgramRecord, untouched: boolean, now: Input[] } | undefined}
 */
export function currentProgram(outDir) {
  try {
    const record = /** @type {ProgramRecord} */ (
      JSON.parse(readFileSync(recordPath(outDir), 'utf8'))
    );
    if (![recordPath(outDir), resolve(outDir, record.folder)].every(isTrusted)) return undefined;
    const now = record.inputs.map(([path]) => inputOf(path));
    const untouched = areSame(record.inputs, now);
    return untouched || digestOf(now) === record.digest ? { record, untouched, now } : undefined;
  } catch {
    return undefined; // There is no bundle, or a file that it was made from is gone.
  }
}
