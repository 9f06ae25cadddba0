import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/**
 * The build time of every test build, so that bytes can be compared: the first second of this run’s day, for examples are
 * days to come. Workers of the run inherit it.
 */
export const BUILD_EPOCH = (process.env['TEST_BUILD_EPOCH'] ??= String(
  Math.floor(Date.now() / 86_400_000) * 86_400,
));

const networks = { main: 'registry', four: 'test/fixtures/network-of-four' } as const;

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder of the main network’s release, relative to the project; its OUT_DIR is the folder above. */
    mainBuild: string;
    /** Folder of the second network’s release. */
    fourBuild: string;
  }
}

/** Builds a network into a folder, with more settings beside, and gives that of the release. @throws with what the build said when it fails */
export function buildNetwork(
  registry: string,
  out: string,
  settings: Record<string, string> = {},
): string {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'build'], {
    encoding: 'utf8',
    env: {
      ...process.env,
      REGISTRY_DIR: registry,
      OUT_DIR: out,
      SOURCE_DATE_EPOCH: BUILD_EPOCH,
      ASTRO_TELEMETRY_DISABLED: '1',
      ...settings,
    },
  });
  if (status !== 0) throw new Error(`${registry} does not build:\n${stdout}\n${stderr}`);
  return join(out, 'current');
}

/** Folders that this run has built; each project of the run sets up for itself. */
const BUILT = Symbol.for('frontage.test-builds');
const builds = ((globalThis as Record<symbol, unknown>)[BUILT] ??= new Set()) as Set<string>;

/** Builds both networks once a run, each into its own folder, and tells the tests where they are. */
export default function setup(project: TestProject): void {
  for (const [name, registry] of Object.entries(networks)) {
    const out = `.build/test-${name}`;
    if (!builds.has(out)) buildNetwork(registry, out);
    builds.add(out);
    project.provide(`${name as keyof typeof networks}Build`, join(out, 'current'));
  }
}
