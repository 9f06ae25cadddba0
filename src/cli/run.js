// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findCurrentProgram } from '../build/current-program.js';
import { DEFAULT_OUT_DIR, isLiteralPath, readEnvironment, readSetting } from '../environment.js';
import { nameSourcesInStacks } from './source-stacks.js';

// `node src/cli/run.js leads list` runs a command from the build's bundle, or from source if no
// bundle matches the current sources. `start` bundles them first.

/** The build folder; undefined if the settings are invalid, which the command reports. */
function readOutDir() {
  try {
    const outDir = readSetting(readEnvironment(), 'OUT_DIR') ?? DEFAULT_OUT_DIR;
    return isLiteralPath(outDir) ? outDir : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Lower the priority, so that a server on this machine takes precedence. Threads inherit the
 * priority; only root can raise it again.
 */
function lowerPriority() {
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Without permission, the command runs at normal priority.
  }
}

/** The first Node release with everything that the sources use. */
const MIN_NODE = 24;

if (Number(process.versions.node.split('.')[0]) < MIN_NODE) {
  process.stderr.write(
    `This program needs Node ${MIN_NODE} or later, which npm installs with it. Use an npm command, such as npm run check.\n`,
  );
  process.exit(1);
}

const [node = process.execPath, , command = '', ...args] = process.argv;
if (command === 'leads') lowerPriority();
const outDir = readOutDir();
let program = outDir ? findCurrentProgram(outDir) : undefined;
if (outDir && !program?.isMetadataEqual && command === 'start') {
  spawnSync(node, [join(import.meta.dirname, 'bundle.ts'), outDir], { stdio: 'inherit' });
  program = findCurrentProgram(outDir);
}
const bundledCommand = outDir && program && resolve(outDir, program.record.folder, `${command}.js`);
const entry =
  bundledCommand && existsSync(bundledCommand)
    ? bundledCommand
    : join(import.meta.dirname, `${command}.ts`);
process.argv = [node, entry, ...args];
if (entry === bundledCommand) nameSourcesInStacks();
try {
  await import(pathToFileURL(entry).href);
} catch (error) {
  if (!(error instanceof Error) || error.name !== 'SettingsError') throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
