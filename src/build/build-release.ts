import { rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build } from 'astro';
import { setVariable } from '../settings.ts';
import { prepareBuildRoot, makePackagesResolvable } from './build-root.ts';
import { addRelease, publishRelease } from './releases.ts';

/**
 * Key for Astro’s server islands, which this project does not use. Astro writes the key into the
 * page renderer; a new key in each build would make otherwise identical renderers differ.
 */
const ASTRO_KEY = Buffer.alloc(32).toString('base64');

/** Builds a release, makes it current, and returns its folder. `verbose` lists the documents. */
export async function buildRelease(
  outDir: string,
  { verbose = false }: { verbose?: boolean } = {},
): Promise<string> {
  const projectDir = process.cwd();
  const root = prepareBuildRoot(projectDir, outDir);
  // The page renderer contains the path of its build, so identical renderers require the same path.
  // The source maps require a folder at the same depth as the final folder.
  const buildDir = join(resolve(outDir), 'building/release');
  const removeBuild = () => rmSync(buildDir, { recursive: true, force: true });
  removeBuild();
  makePackagesResolvable(projectDir, outDir);
  // A build ends the process if the registry has errors.
  process.once('exit', removeBuild);
  const cacheDir = join(resolve(outDir), 'cache');
  setVariable('ASTRO_KEY', ASTRO_KEY);
  await build({
    root: relative(projectDir, root) || '.',
    outDir: buildDir,
    cacheDir,
    logLevel: verbose ? 'info' : 'warn',
    vite: { cacheDir: join(cacheDir, 'vite') },
  });
  process.removeListener('exit', removeBuild);
  const release = addRelease(resolve(outDir), buildDir);
  publishRelease(resolve(outDir), release);
  return release;
}
