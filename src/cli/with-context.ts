import { existsSync } from 'node:fs';
import { DatabaseUnavailable, openDatabase } from '../../db/index.ts';
import { type Context, createContext } from '../operations/index.ts';
import { loadRegistry, type Registry, RegistryError, type Site } from '../registry/index.ts';
import { readBuiltSite } from '../server/built-site.ts';
import { makeLog } from '../server/log.ts';
import { readSettings, type Settings, SettingsError } from '../settings.ts';

/** Exit codes of the commands. */
export const exitCodes = { refused: 1, misused: 2 } as const;

/** The address of the database, as it is opened. */
export const databaseOf = ({ databaseUrl: url, databaseAuthToken: authToken }: Settings) => ({ url, ...(authToken && { authToken }) });

/** The site of the settings. Its registry is read when it is asked for, from the build where there is no folder of it. */
function siteOf({ registryDir, outDir, siteUrl: base, dynamic }: Settings): Site {
  let registry: Registry | undefined;
  return {
    base,
    generatedAt: new Date().toISOString(),
    dynamic,
    get registry() {
      return (registry ??= existsSync(registryDir) ? loadRegistry(registryDir) : readBuiltSite(outDir).registry);
    },
  };
}

/**
 * Runs with the database and the registry of the settings, and closes the database; the server may run beside it.
 * @throws {SettingsError} {RegistryError} {DatabaseUnavailable}
 */
export async function withContext<Result>(work: (context: Context, settings: Settings) => Promise<Result>): Promise<Result> {
  const settings = readSettings();
  const { logLevel, linkSecret } = settings;
  const database = await openDatabase(databaseOf(settings));
  try {
    return await work(createContext({ site: siteOf(settings), database, log: makeLog(logLevel), ...(linkSecret && { linkSecret }) }), settings);
  } finally {
    await database.close();
  }
}

/** Whether an error says what is wrong to the person at the command line, without a stack. */
export const isForPeople = (error: unknown): error is Error =>
  error instanceof SettingsError || error instanceof DatabaseUnavailable || error instanceof RegistryError || error instanceof SyntaxError || (error instanceof Error && 'code' in error && ['ENOENT', 'EACCES', 'EISDIR', 'EEXIST'].includes(String(error.code)));
