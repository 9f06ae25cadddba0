import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { onTestFinished } from 'vitest';
import { fileUrlOf } from '../../../db/connection.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../../db/index.ts';

export { link } from './share-link-row.ts';

/** A folder that is deleted after the test. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'frontage-db-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The path of a database file in a temporary folder. */
export const createDatabasePath = (): string => join(createTemporaryFolder(), 'frontage.db');

/** Opens a database and closes it after the test. */
export async function openTestDatabase(options: DatabaseOptions): Promise<Database> {
  const database = await openDatabase(options);
  onTestFinished(() => database.close());
  return database;
}

/** Stored tokens read over a new connection. */
export async function readStoredTokens(url: string): Promise<Set<string>> {
  const client = createClient({ url, timeout: 5_000 });
  try {
    const { rows } = await client.execute('SELECT token FROM share_links ORDER BY rowid');
    return new Set(rows.map((row) => String(row.token)));
  } finally {
    client.close();
  }
}

export const readTokensInFile = (path: string): Promise<Set<string>> =>
  readStoredTokens(fileUrlOf(path));

/** Acknowledged tokens that are not stored. */
export const findLostTokens = (
  acknowledged: Iterable<string>,
  stored: ReadonlySet<string>,
): string[] => [...acknowledged].filter((token) => !stored.has(token));
