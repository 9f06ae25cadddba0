import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseUnavailableError, openDatabase } from '../../db/index.ts';
import type { Context } from '../operation/context.ts';
import { personMailSettingsOf } from '../leads/deliveries/index.ts';
import { Problem } from '../operation/problem.ts';
import { createContext } from '../server/create-context.ts';
import type { Registry } from '../site/registry.ts';
import { RegistryError } from '../registry/fault.ts';
import type { Site } from '../site/site.ts';
import { formatQuantity } from '../site/words/quantity.ts';
import { findCurrentRelease, isRolledBack } from '../build/releases.ts';
import { isMetadataUnchanged } from '../build/stamp.ts';
import { readBuiltSite } from '../server/built-site.ts';
import { createLog } from '../server/log.ts';
import { describeFileError } from './file-errors.ts';
import { formatRefusal, stackOf } from './output.ts';
import { createDatabaseConfig, readSettings, type Settings, SettingsError } from '../settings.ts';

/**
 * Reads the records of the release that `npm start` would serve, without a build: those of the
 * current release if it is up to date or was rolled back to, or if there is no registry folder;
 * otherwise those of the registry folder or, if they have faults, those of the current release,
 * with a warning.
 */
async function createRegistryReader({ registryDir, outDir }: Settings): Promise<() => Registry> {
  const release = findCurrentRelease(outDir);
  const readRelease = release === undefined ? undefined : () => readBuiltSite(release).registry;
  if (
    readRelease &&
    (!existsSync(registryDir) || isRolledBack(outDir) || isMetadataUnchanged(release!))
  )
    return readRelease;
  // Loading the schemas and YAML takes nearly half of a command's startup time.
  const [{ loadRegistry }, { serviceRules }] = await Promise.all([
    import('../registry/index.ts'),
    import('../build/service-rules.ts'),
  ]);
  return () => {
    try {
      return loadRegistry(registryDir, serviceRules);
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      const faults = `${registryDir} has ${formatQuantity(error.faults.length, 'fault')}`;
      if (!readRelease) {
        process.stderr.write(
          `The command was not run: it needs the records, but ${faults}, and there is no release in ${outDir} to use instead. Correct the following faults and run the command again.\n`,
        );
        throw error;
      }
      process.stderr.write(
        `Warning: ${faults}. This command uses the records of the last release, ${basename(release!)}, as npm start does. To list the faults: npm run check\n`,
      );
      return readRelease();
    }
  };
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
 * run at the same time. Only the server creates or migrates a database, so that a command with a
 * misspelled URL cannot write data where nobody would find it. `usesThread` runs long reads in a
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
        ...personMailSettingsOf(settings),
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
