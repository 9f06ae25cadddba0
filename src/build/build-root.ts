import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { canFindPackages } from './current-program.js';
import { CODE_SOURCES } from './stamp.ts';

/** True if a folder is the same as another folder or inside it. */
export const isInside = (folder: string, parent: string): boolean =>
  !/^\.\.(?:\/|$)/.test(relative(parent, folder));

function linkPackages(projectDir: string, folder: string): void {
  const link = join(folder, 'node_modules');
  rmSync(link, { force: true });
  symlinkSync(join(projectDir, 'node_modules'), link);
}

/** Creates a build folder whose modules can resolve the project’s packages. */
export function makePackagesResolvable(projectDir: string, outDir: string): void {
  mkdirSync(resolve(outDir), { recursive: true });
  if (!canFindPackages(resolve(outDir))) linkPackages(projectDir, resolve(outDir));
}

/**
 * The folder that Astro builds from. Astro writes next to its sources, so a build to another folder
 * uses a copy of the sources in that folder and leaves the project unchanged. Both the copy and the
 * build find packages through a link.
 */
export function prepareBuildRoot(projectDir: string, outDir: string): string {
  if (isInside(resolve(outDir), projectDir)) return projectDir;
  const root = join(resolve(outDir), 'cache/sources');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  for (const part of [...CODE_SOURCES, 'tsconfig.json'].filter((name) =>
    existsSync(join(projectDir, name)),
  ))
    cpSync(join(projectDir, part), join(root, part), { recursive: true, dereference: true });
  linkPackages(projectDir, root);
  return root;
}
