import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * npm runs this in the project folder after every change to node_modules. It removes the `engines`
 * of packages from the installed lockfile: npm would compare them with its own Node version and
 * print warnings, but everything here runs on the Node version in the lockfile.
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
  const trimmedLockfile = `${JSON.stringify(lockfile, null, 2)}\n`;
  if (trimmedLockfile !== text) writeFileSync(LOCKFILE, trimmedLockfile);
}

/** Path of the source file for a source map or a type declaration; undefined for other files. */
const sourceFileOf = (file: string): string | undefined =>
  /\.d\.[cm]?ts$/.test(file)
    ? file.replace(/\.d\.([cm]?)ts$/, '.$1js')
    : file.endsWith('.map')
      ? file.slice(0, -'.map'.length)
      : undefined;

/** npm also installs this optional peer dependency, which only valibot's types use. */
const TYPE_CHECKER = 'node_modules/typescript';

const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  optionalDependencies: Record<string, string>;
};
// The C headers are a third of the Node package. Only native addons need them, at compile time.
for (const name of Object.keys(optionalDependencies))
  rmSync(`node_modules/${name}/include`, { recursive: true, force: true });

// Unlike the tests, a server needs no type checker, source maps or declarations. Astro needs only
// the declarations without a source file.
if (!existsSync('node_modules/vitest')) {
  rmSync(TYPE_CHECKER, { recursive: true, force: true });
  const unneededPaths = readdirSync('node_modules', { recursive: true, encoding: 'utf8' })
    .map((path) => join('node_modules', path))
    .filter((path) => existsSync(sourceFileOf(path) ?? ''));
  for (const file of unneededPaths) rmSync(file);
  // libsql's packages do not declare their C library, so npm installs both variants.
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  const unusedLibc = header.glibcVersionRuntime === undefined ? '-gnu' : '-musl';
  for (const name of readdirSync('node_modules/@libsql'))
    if (name.endsWith(unusedLibc)) rmSync(`node_modules/@libsql/${name}`, { recursive: true });
}
