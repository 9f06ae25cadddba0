import { eq, sql } from 'drizzle-orm';
import { openDatabase } from '../../db/index.ts';
import { leads } from '../../db/schema.ts';
import { databaseOf, readSettings } from '../settings.ts';

/** The database of the settings, for counting in it. */
export interface LeadCount {
  /** Rows of leads with a mail address. */
  of: (email: string) => Promise<number>;
  close: () => Promise<void>;
}

/**
 * Opens the database of the settings, which must be there: a file is never made.
 * @throws {SettingsError} {DatabaseUnavailable}
 */
export async function openLeadCount(): Promise<LeadCount> {
  const database = await openDatabase({ ...databaseOf(readSettings()), existing: true });
  return {
    async of(email) {
      const [row] = await database.writer
        .select({ count: sql<number>`count(*)` })
        .from(leads)
        .where(eq(leads.contactEmail, email));
      return row!.count;
    },
    close: () => database.close(),
  };
}
