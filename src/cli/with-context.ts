import { existsSync } from 'node:fs';
import { DatabaseUnavailable, openDatabase } from '../../db/index.ts';
import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';
import { createContext } from '../server/create-context.ts';
import type { Registry } from '../site/registry.ts';
import { RegistryError } from '../registry/fault.ts';
import type { Site } from '../site/site.ts';
import { currentRelease, releaseOf } from '../build/releases.ts';
import { isUntouched } from '../build/stamp.ts';
import { readBuiltSite } from '../server/built-site.ts';
import { makeLog } from '../server/log.ts';
import { refusalOf, stackOf } from './output.ts';
import { databaseOf, readSettings, type Settings, SettingsError } from '../settings.ts';

/**
 * How the registry of the settings is read: from the build, where that is of the present one or
 * there is no folder of it.
 */
async function registryReader({ registryDir, outDir }: Settings): Promise<() => Registry> {
  const built = currentRelease(outDir);
  if (!existsSync(registryDir) || (built && isUntouched(built)))
    return () => readBuiltSite(releaseOf(outDir)).registry;
  // Its schemas and YAML are nearly half of the code of a command.
  const { loadRegistry } = await import('../registry/index.ts');
  return () => loadRegistry(registryDir);
}

/** The site of the settings. Its registry is read when it is asked for. */
async function siteOf(settings: Settings): Promise<Site> {
  const read = await registryReader(settings);
  let registry: Registry | undefined;
  return {
    base: settings.siteUrl,
    generatedAt: new Date().toISOString(),
    dynamic: settings.dynamic,
    get registry() {
      return (registry ??= read());
    },
  };
}

/** Work of a command. */
type Work<Result> = (context: Context, settings: Settings) => Promise<Result>;

/**
 * Runs with the database and the registry of the settings, and closes the database; the server may
 * run beside it. Only the server creates a database or migrates one: a command with a misspelled
 * address would file or issue something that nobody finds again.
 * `threaded`: long reads run in a thread, which takes time to start.
 * @throws {SettingsError} {RegistryError} {DatabaseUnavailable}
 */
export async function withContext<Result>(work: Work<Result>, threaded = false): Promise<Result> {
  const settings = readSettings();
  const { logLevel, linkSecret } = settings;
  const database = await openDatabase({
    ...databaseOf(settings),
    existing: true,
    threaded,
  });
  try {
    return await work(
      createContext({
        site: await siteOf(settings),
        database,
        log: makeLog(logLevel),
        ...(linkSecret && { linkSecret }),
      }),
      settings,
    );
  } finally {
    await database.close();
  }
}

/** Whether an error is meant for the person at the command line. */
const isForPeople = (error: unknown): error is Error =>
  error instanceof SettingsError ||
  error instanceof DatabaseUnavailable ||
  error instanceof RegistryError ||
  error instanceof SyntaxError;

/** What is wrong with the place of a file, by the code of the system. */
const places: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder. Make it first, or name another.',
  ENOTDIR: 'There is a file where a folder is expected. Name another place.',
  EISDIR: 'There is a folder where a file is expected. Name a file in it.',
  EEXIST: 'There is something at this place already. Name another one.',
  EACCES: 'This user may not use it. Change its access rights, or name another.',
  EPERM: 'This user may not use it. Change its access rights, or name another.',
  EROFS: 'This place cannot be written. Name another.',
};

/**
 * What a command says of an error: the sentence of one that is meant for the person at the command
 * line, or the stack of one that nobody expected.
 */
export function sentenceOf(error: unknown): string {
  if (error instanceof Problem) return refusalOf(error);
  if (isForPeople(error)) return error.message;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const sentence = places[code];
  if (sentence === undefined) return stackOf(error);
  return path === undefined ? sentence : `${path}: ${sentence}`;
}
