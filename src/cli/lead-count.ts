import { existsSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import { filePath } from '../../db/connection.ts';
import { openDatabase } from '../../db/index.ts';
import { leads } from '../../db/schema.ts';
import { DoorsError } from '../doors/index.ts';
import { readSettings } from '../settings.ts';
import { databaseOf } from './with-context.ts';

/** The database of the settings, for counting in it. */
export interface LeadCount {
  /** Rows of leads with a mail address. */
  of(email: string): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens the database of the settings, which must be there: a file is never made.
 * @throws {SettingsError} {DatabaseUnavailable} {DoorsError}
 */
export async function openLeadCount(): Promise<LeadCount> {
  const options = databaseOf(readSettings());
  const file = filePath(options.url);
  if (file !== undefined && !existsSync(file)) throw new DoorsError('DATABASE_URL names a file that is not there. Write the one of the service, for example file:/var/lib/frontage/frontage.db.');
  const database = await openDatabase(options);
  return {
    async of(email) {
      const [row] = await database.writer.select({ count: sql<number>`count(*)` }).from(leads).where(eq(leads.contactEmail, email));
      return row!.count;
    },
    close: () => database.close(),
  };
}
