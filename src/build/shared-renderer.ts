import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const SERVER_FOLDER = 'server';

const renderersPath = (outDir: string): string => join(outDir, 'renderers');

/** SHA-256 of the names and contents of all files in a folder. */
function digestFolder(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

/**
 * Replaces the page renderer in the folder of a finished build with a link to
 * `OUT_DIR/renderers/<digest>/server`; the folder becomes a release. All releases with the same
 * code share that folder. A server that switches between them loads it only once, which matters
 * because Node never unloads a module.
 */
export function shareRenderer(outDir: string, buildDir: string, release: string): void {
  const rendererFolder = join(buildDir, SERVER_FOLDER);
  const sharedFolder = join(renderersPath(outDir), digestFolder(rendererFolder), SERVER_FOLDER);
  if (existsSync(sharedFolder)) rmSync(rendererFolder, { recursive: true });
  else {
    mkdirSync(dirname(sharedFolder), { recursive: true });
    renameSync(rendererFolder, sharedFolder);
  }
  symlinkSync(relative(release, sharedFolder), rendererFolder);
}

/** Deletes renderers that none of these releases uses. */
export function removeUnusedRenderers(outDir: string, releases: readonly string[]): void {
  const folder = renderersPath(outDir);
  if (!existsSync(folder)) return;
  const usedRenderers = new Set(
    releases
      .map((release) => join(release, SERVER_FOLDER))
      .filter((server) => existsSync(server))
      .map((server) => basename(dirname(realpathSync(server)))),
  );
  for (const digest of readdirSync(folder))
    if (!usedRenderers.has(digest)) rmSync(join(folder, digest), { recursive: true });
}
