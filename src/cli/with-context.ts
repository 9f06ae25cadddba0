import { existsSync } from 'node:fs';
import { DatabaseUnavailableError, openDatabase } from '../../db/index.ts';
import type { Context } from '../operation/context.ts';
import { personMailOf } from '../leads/deliveries/index.ts';
import { Problem } from '../operation/problem.ts';
import { createContext } from '../server/create-context.ts';
import type { Registry } from '../site/registry.ts';
import { RegistryError } from '../registry/fault.ts';
import type { Site } from '../site/site.ts';
import { findCurrentRelease, currentReleasePath } from '../build/releases.ts';
import { isMetadataUnchanged } from '../build/stamp.ts';
import { readBuiltSite } from '../server/built-site.ts';
import { createLog } from '../server/log.ts';
import { describeFileError } from './file-errors.ts';
import { formatRefusal, stackOf } from './output.ts';
import { createDatabaseConfig, readSettings, type Settings, SettingsError } from '../settings.ts';

/**
 * Reads the configured registry from the build if the build is up to date or there is no registry
 * folder.
 */
async function createRegistryReader({ registryDir, outDir }: Settings): Promise<() => Registry> {
  const currentRelease = findCurrentRelease(outDir);
  if (!existsSync(registryDir) || (currentRelease && isMetadataUnchanged(currentRelease)))
    return () => readBuiltSite(currentReleasePath(outDir)).registry;
  // Loading the schemas and YAML takes nearly half of a command's startup time.
  const { loadRegistry } = await import('../registry/index.ts');
  return () => loadRegistry(registryDir);
}

/** The configured site. The registry is read on first use. */
export async function createSite(settings: Settings): Promise<Site> {
  const read = await createRegistryReader(settings);
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

type Work<Result> = (context: Context, settings: Settings) => Promise<Result>;

/**
 * Runs `work` with the configured database and registry, then closes the database. The server may
 * run at the same time. Only the server creates or migrates a database; otherwise, a command with a
 * misspelled URL would write data that nobody would find again. `usesThread` runs long reads in a
 * thread, which takes time to start.
 * @throws {SettingsError} {RegistryError} {DatabaseUnavailableError}
 */
export async function withContext<Result>(work: Work<Result>, usesThread = false): Promise<Result> {
  const settings = readSettings();
  const { logLevel, linkSecret } = settings;
  const database = await openDatabase({
    ...createDatabaseConfig(settings),
    mustExist: true,
    usesThread,
  });
  try {
    return await work(
      createContext({
        site: await createSite(settings),
        database,
        log: createLog(logLevel),
        ...personMailOf(settings),
        ...(linkSecret && { linkSecret }),
      }),
      settings,
    );
  } finally {
    await database.close();
  }
}

const isUserError = (error: unknown): error is Error =>
  error instanceof SettingsError ||
  error instanceof DatabaseUnavailableError ||
  error instanceof RegistryError ||
  error instanceof SyntaxError;

/**
 * The text that a command prints for an error: the message if it is for the user, otherwise the
 * stack.
 */
export function describeUserError(error: unknown): string {
  if (error instanceof Problem) return formatRefusal(error);
  if (isUserError(error)) return error.message;
  return describeFileError(error) ?? stackOf(error);
}
