import { DatabaseUnavailable } from './unavailable.ts';

/** Asks a database for the first value of a query. */
export type AskValue = (sql: string) => Promise<unknown>;

/** When the newest applied migration was written, ms since 1970; 0 before the first. */
export async function newestApplied(value: AskValue): Promise<number> {
  const table = await value(`SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'`);
  return table === undefined
    ? 0
    : Number((await value('SELECT max(created_at) FROM __drizzle_migrations')) ?? 0);
}

/** @throws {DatabaseUnavailable} when there are tables, and no journal of migrations among them: another program’s */
export async function checkOwner(value: AskValue): Promise<void> {
  // Tables that begin with an underscore are those of tools beside the program, such as replication.
  const foreign =
    await value(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'libsql_*'
    AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations') LIMIT 1`);
  if (foreign !== undefined) throw new DatabaseUnavailable('foreign');
}

/** @throws {DatabaseUnavailable} when another version of the program wrote the database, or it is not ours */
export async function checkVersion(value: AskValue, version: number): Promise<void> {
  const applied = await newestApplied(value);
  if (applied > version) throw new DatabaseUnavailable('newer');
  if (applied < version) throw new DatabaseUnavailable(applied ? 'older' : 'gone');
}

/** As `checkVersion`, for a database that is opened for the first time and may not have been created. @throws {DatabaseUnavailable} */
export async function checkExisting(value: AskValue, version: number): Promise<void> {
  await checkOwner(value);
  if (version && !(await newestApplied(value))) throw new DatabaseUnavailable('missing');
  await checkVersion(value, version);
}
