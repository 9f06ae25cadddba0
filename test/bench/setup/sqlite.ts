import { createRequire } from 'node:module';

/** The parts of the SQLite driver that benchmarks use for statements outside the program. */
export interface Sqlite {
  exec: (sql: string) => void;
  prepare: (sql: string) => { raw: () => { all: (values: unknown[]) => unknown[][] } };
  close: () => void;
}

const Driver = createRequire(import.meta.url)('libsql') as new (
  path: string,
  options: { timeout: number },
) => Sqlite;

/** Opens a database file. Statements wait up to ten seconds for other writers. */
export const openSqlite = (path: string): Sqlite => new Driver(path, { timeout: 10_000 });

/** One value from a database, or undefined if the statement returns no row. */
export function queryValue(path: string, sql: string): unknown {
  const driver = openSqlite(path);
  try {
    return driver.prepare(sql).raw().all([])[0]?.[0];
  } finally {
    driver.close();
  }
}
