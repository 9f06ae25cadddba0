import { execFile } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { makePackagesResolvable } from '../../src/build/build-root.ts';
import { findCurrentProgram } from '../../src/build/current-program.js';
import { buildProgram } from '../../src/build/program.ts';

/**
 * Build time of all test builds, which makes their output comparable: the start of the current UTC
 * day, because example dates must be in the future. Worker processes inherit it.
 */
export const BUILD_EPOCH = (process.env['TEST_BUILD_EPOCH'] ??= String(
  Math.floor(Date.now() / 86_400_000) * 86_400,
));

const networks = { main: 'registry', four: 'test/fixtures/network-of-four' } as const;

declare module 'vitest' {
  export interface ProvidedContext {
    /** Release folder of the main network, relative to the project; its parent is OUT_DIR. */
    mainBuild: string;
    /** Release folder of the fixture network. */
    fourBuild: string;
  }
}

/** OUT_DIR of the main network; all test builds share its program bundle. */
const MAIN_OUT_DIR = '.build/test-main';

/**
 * Copies the program bundle into an OUT_DIR, so that a build of the same sources reuses it. If the
 * sources changed in the meantime, the build creates its own bundle.
 */
export function copyProgram(outDir: string): void {
  const program = findCurrentProgram(MAIN_OUT_DIR);
  if (!program) return;
  for (const entry of [program.record.folder, 'program.json'])
    cpSync(join(MAIN_OUT_DIR, entry), join(outDir, entry), { recursive: true });
  makePackagesResolvable(process.cwd(), outDir);
}

/**
 * Copies the release and the build cache of a test network into an OUT_DIR, so that the next build
 * there is incremental.
 */
export function copyBuild(
  release: string,
  outDir: string,
  entries = ['cache', 'current', 'releases', 'renderers'],
): void {
  for (const entry of entries) {
    rmSync(join(outDir, entry), { recursive: true, force: true });
    cpSync(join(dirname(release), entry), join(outDir, entry), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

/** Builds a network and returns its release folder. @throws with the build’s output if it fails */
export async function buildNetwork(
  registry: string,
  outDir: string,
  settings: Record<string, string> = {},
): Promise<string> {
  if (outDir !== MAIN_OUT_DIR) copyProgram(outDir);
  await promisify(execFile)(process.execPath, ['src/cli/build.ts'], {
    maxBuffer: Infinity,
    env: {
      ...process.env,
      REGISTRY_DIR: registry,
      OUT_DIR: outDir,
      SOURCE_DATE_EPOCH: BUILD_EPOCH,
      ASTRO_TELEMETRY_DISABLED: '1',
      ...settings,
    },
  }).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`Building ${registry} failed:\n${stdout}\n${stderr}`);
  });
  return join(outDir, 'current');
}

/** Builds from this run, shared by its projects, each of which runs this setup. */
const BUILDS_KEY = Symbol.for('frontage.test-builds');
const builds = ((globalThis as Record<symbol, unknown>)[BUILDS_KEY] ??= new Map()) as Map<
  string,
  Promise<string>
>;

/**
 * Builds both networks in parallel, once per run, and provides their release folders to the tests.
 */
export default async function setup(project: TestProject): Promise<void> {
  if (!builds.size) {
    const program = buildProgram(MAIN_OUT_DIR);
    for (const [name, registry] of Object.entries(networks))
      builds.set(
        name,
        program.then(() => buildNetwork(registry, `.build/test-${name}`)),
      );
  }
  for (const name of Object.keys(networks) as (keyof typeof networks)[])
    project.provide(`${name}Build`, await builds.get(name)!);
}
