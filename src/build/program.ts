import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { makePackagesResolvable } from './build-root.ts';
import {
  areInputsEqual,
  findCurrentProgram,
  digestInputs,
  type Input,
  readInput,
  PROJECT_DIR,
  type ProgramRecord,
  recordPath,
} from './current-program.js';

/** Bundled commands, each a file in src/cli; the others load Astro or are for development. */
export const COMMAND_NAMES = [
  'start',
  'leads',
  'keys',
  'channels',
  'probe',
  'check',
  'new',
  'server-json',
];

/** Modules that are started as threads, by path relative to the module that starts them. */
const THREAD_ENTRY_POINTS = ['db/commit-thread.ts', 'db/flush-thread.ts'];

const MIGRATIONS_DIR = 'db/migrations';

/** Inputs to a bundle other than its modules and migrations. */
const OTHER_INPUTS = ['src/build/program.ts', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** A running server may be using an older bundle, from which it loads some chunks on demand. */
const MAX_BUNDLES = 5;

const COMMAND_ENTRY_POINTS = COMMAND_NAMES.map((name) => `src/cli/${name}.ts`);

/** Bundles files with everything they import; returns the modules by path in the project. */
export async function bundle(
  folder: string,
  files: readonly string[] = COMMAND_ENTRY_POINTS,
): Promise<Metafile> {
  mkdirSync(folder, { recursive: true });
  const { metafile, outputFiles } = await build({
    absWorkingDir: PROJECT_DIR,
    // A module is identified by its path in the project even if a folder is a link.
    preserveSymlinks: true,
    entryPoints: [...files, ...THREAD_ENTRY_POINTS],
    outdir: folder,
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Both load native addons.
    external: ['libsql', 'sharp'],
    // CommonJS modules load Node's built-in modules with require().
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    // V8 keeps the text of every loaded module, at two bytes per character if it has a character
    // outside Latin-1, such as a dash in a comment.
    minifyWhitespace: true,
    legalComments: 'external',
    charset: 'ascii',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'silent',
    // Node writes the files because its disk-full errors have a code; esbuild's have only a message
    // for each file.
    write: false,
  });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  cpSync(join(PROJECT_DIR, MIGRATIONS_DIR), join(folder, 'migrations'), { recursive: true });
  return metafile;
}

/** The current state of every file that a bundle may include. */
const listProjectFiles = (): Map<string, Input> =>
  new Map(
    [
      ...['src', 'db'].flatMap((folder) =>
        readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: 'utf8' }).map(
          (name) => `${folder}/${name}`,
        ),
      ),
      ...OTHER_INPUTS,
    ]
      .sort()
      .map((path) => [path, readInput(path)]),
  );

/** Atomically makes a record the current one. */
function publishRecord(outDir: string, record: ProgramRecord): void {
  const temporaryPath = `${recordPath(outDir)}.${process.pid}`;
  writeFileSync(temporaryPath, JSON.stringify(record));
  renameSync(temporaryPath, recordPath(outDir));
}

/** Bundles the program, unless the current bundle matches the sources. */
export async function buildProgram(outDir: string): Promise<void> {
  const currentProgram = findCurrentProgram(outDir);
  if (currentProgram) {
    if (!currentProgram.isMetadataEqual)
      publishRecord(outDir, { ...currentProgram.record, inputs: currentProgram.currentInputs });
    return;
  }
  const files = listProjectFiles();
  const time = new Date().toISOString().replace(/[-:.]/g, '');
  const folder = `programs/${time}-${randomBytes(3).toString('hex')}`;
  const bundleDir = resolve(outDir, folder);
  const { inputs: bundledInputs } = await bundle(bundleDir).catch((error: unknown) => {
    rmSync(bundleDir, { recursive: true, force: true });
    throw error;
  });
  const modules = Object.keys(bundledInputs);
  const inputs = [...files.values()].filter(
    ([path]) =>
      modules.includes(path) ||
      OTHER_INPUTS.includes(path) ||
      (path.startsWith(`${MIGRATIONS_DIR}/`) && path.includes('.', MIGRATIONS_DIR.length)),
  );
  makePackagesResolvable(process.cwd(), outDir);
  const digest = digestInputs(inputs);
  const currentInputs = inputs.map(([path]) => readInput(path));
  // Sources that changed in the meantime may be missing from the bundle.
  if (!areInputsEqual(inputs, currentInputs)) return buildProgram(outDir);
  publishRecord(outDir, { folder, digest, inputs });
  for (const name of readdirSync(join(outDir, 'programs')).sort().slice(0, -MAX_BUNDLES))
    rmSync(join(outDir, 'programs', name), { recursive: true, force: true });
}
