import { and, eq, sql } from 'drizzle-orm';
import { keys } from '../../db/schema-capabilities.ts';
import { outbox } from '../../db/schema.ts';
import type { Context } from '../operation/context.ts';
import { fill } from '../text/fill.ts';
import { entryOrigins, inboxLead } from '../text/index.ts';

/**
 * Where a provider or operator acted: on the page of an answer link, or in the inbox, signed in
 * with the key that has this ID. Stored with the event of the entry.
 */
export type EntryOrigin = { link: true } | { key: string };

/** Describes how a request arrived. Channel names from a later release are returned unchanged. */
export const describeArrivalChannel = (channel: string): string =>
  (inboxLead.arrivalChannels as Readonly<Record<string, string>>)[channel] ?? channel;

/**
 * Describes where each entry of a lead was sent from, by entry number, starting at 1. The first
 * entry, and entries from commands or the person, have no description.
 */
export async function describeOrigins(
  receiptToken: string,
  { database: { writer } }: Pick<Context, 'database'>,
): Promise<ReadonlyMap<number, string>> {
  const member = (name: string) => sql`json_extract(${outbox.payload}, ${`$.${name}`})`;
  const rows = await writer
    .select({
      revision: sql<number>`${member('revision')}`,
      isLink: sql<number | null>`${member('link')}`,
      keyName: keys.name,
    })
    .from(outbox)
    .leftJoin(keys, eq(keys.id, member('key')))
    .where(and(eq(outbox.lead, receiptToken), eq(outbox.kind, 'lead.changed')));
  return new Map(
    rows.flatMap(({ revision, isLink, keyName }) => {
      if (isLink) return [[revision, entryOrigins.link]];
      return keyName === null ? [] : [[revision, fill(entryOrigins.inbox, { key: keyName })]];
    }),
  );
}
