import { DatabaseUnavailableError } from './unavailable.ts';

/** Returns the first value of a query. */
export type ValueQuery = (sql: string) => Promise<unknown>;

const hasJournal = async (queryValue: ValueQuery): Promise<boolean> =>
  (await queryValue(`SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'`)) !==
  undefined;

/** When the newest applied migration was written, in ms since 1970; 0 if none has been applied. */
export const readNewestVersion = async (queryValue: ValueQuery): Promise<number> =>
  (await hasJournal(queryValue))
    ? Number((await queryValue('SELECT max(created_at) FROM __drizzle_migrations')) ?? 0)
    : 0;

/**
 * Rejects a database with tables but no migration journal, or with unknown migrations in the
 * journal. `versions` contains the creation times of the known migrations, in ms since 1970, oldest
 * first.
 * @throws {DatabaseUnavailableError}
 */
export async function checkOwner(
  queryValue: ValueQuery,
  versions: readonly number[],
): Promise<void> {
  // Tables whose names begin with an underscore belong to other tools, such as replication. A
  // single statement reads the tables and the journal because another process may be creating them.
  const foreignTable =
    await queryValue(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'libsql_*'
    AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations') LIMIT 1`);
  if (foreignTable !== undefined) throw new DatabaseUnavailableError('foreign');
  if (!(await hasJournal(queryValue))) return;
  const foreignMigration = await queryValue(`SELECT 1 FROM __drizzle_migrations
    WHERE created_at <= ${versions.at(-1) ?? 0} AND created_at NOT IN (${versions.join(', ')}) LIMIT 1`);
  if (foreignMigration !== undefined) throw new DatabaseUnavailableError('foreign');
}

/**
 * @throws {DatabaseUnavailableError} if another version of the program wrote the database, or if it
 * belongs to another program
 */
export async function checkVersion(queryValue: ValueQuery, version: number): Promise<void> {
  const appliedVersion = await readNewestVersion(queryValue);
  if (appliedVersion > version) throw new DatabaseUnavailableError('newer');
  if (appliedVersion < version)
    throw new DatabaseUnavailableError(appliedVersion ? 'older' : 'gone');
}

/**
 * Like `checkVersion`, for a database that may not have been created yet. @throws
 * {DatabaseUnavailableError}
 */
export async function checkExistingDatabase(
  queryValue: ValueQuery,
  versions: readonly number[],
): Promise<void> {
  await checkOwner(queryValue, versions);
  const version = versions.at(-1) ?? 0;
  if (version && !(await readNewestVersion(queryValue)))
    throw new DatabaseUnavailableError('missing');
  await checkVersion(queryValue, version);
}
