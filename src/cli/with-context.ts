import { existsSync } from 'node:fs';
import { DatabaseUnavailable, openDatabase } from '../../db/index.ts';
import type { Context } from '../operation/context.ts';
import { createContext } from '../server/create-context.ts';
import type { Registry } from '../site/registry.ts';
import { RegistryError } from '../registry/fault.ts';
import type { Site } from '../site/site.ts';
import { currentRelease, releaseOf } from '../build/releases.ts';
import { isUntouched } from '../build/stamp.ts';
import { readBuiltSite } from '../server/built-site.ts';
import { makeLog } from '../server/log.ts';
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
 * run beside it. Where there is no database, one is created.
 * @throws {SettingsError} {RegistryError} {DatabaseUnavailable}
 */
export const withContext = <Result>(work: Work<Result>): Promise<Result> => run(work, false);

/**
 * As `withContext`, for a command that only reads: it creates no database and changes nothing in an
 * existing one. `threaded`: long reads run in a thread, which takes time to start.
 */
export const readingContext = <Result>(work: Work<Result>, threaded = false): Promise<Result> =>
  run(work, true, threaded);

/**
 * As `withContext`, for a command that works beside a running service: it neither creates nor
 * migrates a database.
 */
export const existingContext = <Result>(work: Work<Result>): Promise<Result> => run(work, true);

async function run<Result>(
  work: Work<Result>,
  existing: boolean,
  threaded = false,
): Promise<Result> {
  const settings = readSettings();
  const { logLevel, linkSecret } = settings;
  const database = await openDatabase({
    ...databaseOf(settings),
    existing,
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

/** Whether an error is meant for the person at the command line, without a stack trace. */
export const isForPeople = (error: unknown): error is Error =>
  error instanceof SettingsError ||
  error instanceof DatabaseUnavailable ||
  error instanceof RegistryError ||
  error instanceof SyntaxError ||
  (error instanceof Error &&
    'code' in error &&
    ['ENOENT', 'EACCES', 'EPERM', 'EISDIR', 'EEXIST'].includes(String(error.code)));
