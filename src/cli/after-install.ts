import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/*
 * npm runs this in the project’s folder each time it has changed node_modules.
 *
 * The lockfile keeps no `engines` of packages: npm holds them against the Node that npm itself runs on, while everything
 * here runs on the one of the lockfile, and would warn of each package that needs it.
 */

interface Lockfile {
  packages: Record<string, { engines?: unknown; version?: string }>;
}

const LOCKFILE = 'package-lock.json';
if (existsSync(LOCKFILE)) {
  const text = readFileSync(LOCKFILE, 'utf8');
  const lockfile = JSON.parse(text) as Lockfile;
  for (const [path, entry] of Object.entries(lockfile.packages))
    if (path.startsWith('node_modules/')) delete entry.engines;
  const trimmed = `${JSON.stringify(lockfile, null, 2)}\n`;
  if (trimmed !== text) writeFileSync(LOCKFILE, trimmed);
}

/** The C headers in the interpreter’s package, a third of it, which only compiling addons needs. */
const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  optionalDependencies: Record<string, string>;
};
for (const name of Object.keys(optionalDependencies))
  rmSync(`node_modules/${name}/include`, { recursive: true, force: true });
