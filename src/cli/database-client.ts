import { eq, sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { leadHistory, leads } from '../../db/schema.ts';
import { hasEmail } from '../leads/contact-conditions.ts';
import { sendAsProvider } from '../leads/conversation/provider-message.ts';
import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';
import { ChannelsError, type ProviderClient } from './channel-check/index.ts';

export interface DatabaseClient extends ProviderClient {
  countLeads: (email: string) => Promise<number>;
}

/** Acts as the provider, as the lead commands do, and counts database rows. */
export function createDatabaseClient(context: Context): DatabaseClient {
  const count = async (table: SQLiteTable, condition: SQL) => {
    const [row] = await context.database.writer
      .select({ count: sql<number>`count(*)` })
      .from(table)
      .where(condition);
    return row!.count;
  };
  const sendAction = async (
    receiptToken: string,
    name: 'ask' | 'offer' | 'confirm',
    body: object,
  ) => {
    try {
      await sendAsProvider({ receiptToken, action: name, actor: 'operator' }, body, context);
    } catch (thrown) {
      if (!(thrown instanceof Problem)) throw thrown;
      throw new ChannelsError(
        thrown.code === 'unknown_receipt'
          ? 'The lead is not in the configured database. Set DATABASE_URL to the database of the service.'
          : thrown.message,
      );
    }
  };
  return {
    countLeads: (email) => count(leads, hasEmail(email)),
    countEntries: (receiptToken) => count(leadHistory, eq(leadHistory.lead, receiptToken)),
    ask: (receiptToken, text) => sendAction(receiptToken, 'ask', { text }),
    offer: (receiptToken, text) =>
      sendAction(receiptToken, 'offer', { text, amount: '450', currency: 'USD', expires: '1h' }),
    confirm: (receiptToken, text) => sendAction(receiptToken, 'confirm', { text }),
  };
}
