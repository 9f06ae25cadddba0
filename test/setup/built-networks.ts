import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

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

/**
 * Builds a network into a folder, with more settings beside, and gives that of the release. @throws
 * with what the build said when it fails
 */
export async function buildNetwork(
  registry: string,
  out: string,
  settings: Record<string, string> = {},
): Promise<string> {
  await promisify(execFile)('npm', ['run', '-s', 'build'], {
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
  for (const [name, registry] of Object.entries(networks))
    if (!builds.has(name)) builds.set(name, buildNetwork(registry, `.build/test-${name}`));
  for (const name of Object.keys(networks) as (keyof typeof networks)[])
    project.provide(`${name}Build`, await builds.get(name)!);
}
