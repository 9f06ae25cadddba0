import { execFile } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { currentProgram } from '../../src/build/current-program.js';
import { buildProgram } from '../../src/build/program.ts';

/**
 * The build time of every test build, so that bytes can be compared: the first second of this run’s
 * day, for examples are days to come. Workers of the run inherit it.
 */
export const BUILD_EPOCH = (process.env['TEST_BUILD_EPOCH'] ??= String(
  Math.floor(Date.now() / 86_400_000) * 86_400,
));

const networks = { main: 'registry', four: 'test/fixtures/network-of-four' } as const;

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * Folder of the main network’s release, relative to the project; its OUT_DIR is the folder
     * above.
     */
    mainBuild: string;
    /** Folder of the second network’s release. */
    fourBuild: string;
  }
}

/** OUT_DIR of the main network; its bundle of the program is the one of all test builds. */
const MAIN = '.build/test-main';

/**
 * Gives a folder of builds the bundle of the program, which a build of the same sources keeps. After
 * an edit since, there is none to give, and the build makes its own.
 */
export function shareProgram(out: string): void {
  const program = currentProgram(MAIN);
  if (!program) return;
  for (const part of [program.record.folder, 'program.json'])
    cpSync(join(MAIN, part), join(out, part), { recursive: true });
}

/**
 * Gives a folder of builds the last release of a test network and what the build kept, so that the
 * next build there is a second one.
 */
export function copyBuild(
  release: string,
  out: string,
  parts = ['cache', 'current', 'releases'],
): void {
  for (const part of parts) {
    rmSync(join(out, part), { recursive: true, force: true });
    cpSync(join(dirname(release), part), join(out, part), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

/**
 * Builds a network into a folder, with more settings beside, and gives that of the release. @throws
 * with what the build said when it fails
 */
export async function buildNetwork(
  registry: string,
  out: string,
  settings: Record<string, string> = {},
): Promise<string> {
  if (out !== MAIN) shareProgram(out);
  await promisify(execFile)(process.execPath, ['src/cli/build.ts'], {
    maxBuffer: Infinity,
    env: {
      ...process.env,
      REGISTRY_DIR: registry,
      OUT_DIR: out,
      SOURCE_DATE_EPOCH: BUILD_EPOCH,
      ASTRO_TELEMETRY_DISABLED: '1',
      ...settings,
    },
  }).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${registry} does not build:\n${stdout}\n${stderr}`);
  });
  return join(out, 'current');
}

/** Releases that this run builds; each project of the run sets up for itself. */
const BUILT = Symbol.for('frontage.test-builds');
const builds = ((globalThis as Record<symbol, unknown>)[BUILT] ??= new Map()) as Map<
  string,
  Promise<string>
>;

/**
 * Builds both networks once a run, at the same time, each into its own folder, and tells the tests
 * where they are.
 */
export default async function setup(project: TestProject): Promise<void> {
  if (!builds.size) {
    const program = buildProgram(MAIN);
    for (const [name, registry] of Object.entries(networks))
      builds.set(
        name,
        program.then(() => buildNetwork(registry, `.build/test-${name}`)),
      );
  }
  for (const name of Object.keys(networks) as (keyof typeof networks)[])
    project.provide(`${name}Build`, await builds.get(name)!);
}
