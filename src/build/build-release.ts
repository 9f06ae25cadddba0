import { rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build } from 'astro';
import { buildRoot, makePackagesResolvable } from './build-root.ts';
import { makeRelease, publishRelease } from './releases.ts';

/**
 * Builds the registry and the sources into a new release, and makes it the current one. Returns its
 * folder. `verbose` prints one line per document.
 */
export async function buildRelease(
  outDir: string,
  { verbose = false }: { verbose?: boolean } = {},
): Promise<string> {
  const project = process.cwd();
  const root = buildRoot(project, outDir);
  const release = makeRelease(resolve(outDir));
  makePackagesResolvable(project, outDir);
  // A build ends the process if the registry has errors.
  const removeRelease = () => rmSync(release, { recursive: true, force: true });
  process.once('exit', removeRelease);
  const cacheDir = join(resolve(outDir), 'cache');
  await build({
    root: relative(project, root) || '.',
    outDir: release,
    cacheDir,
    logLevel: verbose ? 'info' : 'warn',
    vite: { cacheDir: join(cacheDir, 'vite') },
  });
  process.removeListener('exit', removeRelease);
  publishRelease(resolve(outDir), release);
  return release;
}
