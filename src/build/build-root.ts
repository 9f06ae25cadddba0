import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { CODE } from './stamp.ts';

/** Whether a folder lies in another, or is it. */
const isInside = (folder: string, other: string): boolean =>
  !/^\.\.(?:\/|$)/.test(relative(other, folder));

function linkPackages(project: string, folder: string): void {
  const link = join(folder, 'node_modules');
  rmSync(link, { force: true });
  symlinkSync(join(project, 'node_modules'), link);
}

/** Has what is built into a folder find the project’s packages, by a link where it lies elsewhere. */
export function reachPackages(project: string, outDir: string): void {
  if (!isInside(resolve(outDir), project)) linkPackages(project, resolve(outDir));
}

/**
 * The folder that Astro builds from. It writes beside its sources, so a build that goes elsewhere is made from a copy of
 * them there, and the project stays as it is. Packages are reached by a link, from the copy and from what is built.
 */
export function buildRoot(project: string, outDir: string): string {
  if (isInside(resolve(outDir), project)) return project;
  const root = join(resolve(outDir), 'cache/sources');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  for (const part of [...CODE, 'tsconfig.json'].filter((name) => existsSync(join(project, name))))
    cpSync(join(project, part), join(root, part), { recursive: true, dereference: true });
  linkPackages(project, root);
  return root;
}
