import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { onTestFinished } from 'vitest';
import { fileUrl } from '../../../db/connection.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../../db/index.ts';

export { link } from './row.ts';

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'frontage-db-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database file's path in a folder of its own. */
export const temporaryFile = (): string => join(temporaryFolder(), 'frontage.db');

/** An open database that is closed after the test. */
export async function openForTest(options: DatabaseOptions): Promise<Database> {
  const database = await openDatabase(options);
  onTestFinished(() => database.close());
  return database;
}

/** Tokens that a new connection finds: what is really there, whatever was acknowledged. */
export async function storedTokens(url: string): Promise<Set<string>> {
  const client = createClient({ url, timeout: 5_000 });
  try {
    const { rows } = await client.execute('SELECT token FROM share_links ORDER BY rowid');
    return new Set(rows.map((row) => String(row.token)));
  } finally {
    client.close();
  }
}

export const storedIn = (path: string): Promise<Set<string>> => storedTokens(fileUrl(path));

/** The tokens among `acknowledged` that are not stored. */
export const lost = (acknowledged: Iterable<string>, stored: ReadonlySet<string>): string[] =>
  [...acknowledged].filter((token) => !stored.has(token));
