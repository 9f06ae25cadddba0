import { sql } from 'drizzle-orm';
import { shareLinks } from '../../db/schema-links.ts';
import { idempotency } from '../../db/schema.ts';
import { mentionsPerson } from '../leads/erase/mentions-person.ts';
import type { Eraser } from '../operation/eraser.ts';
import { eraseStoredResponses } from '../operation/idempotency.ts';

/**
 * Clears the titles and data of share links that name a person, and the stored responses to the
 * requests that created those links; a repeated request would otherwise create them again. The
 * links keep working.
 */
export const eraseShareLinks: Eraser = ({ contacts }) => {
  const isPersonMentioned = mentionsPerson(
    sql`coalesce(${shareLinks.title}, '') || ' ' || coalesce(${shareLinks.meta}, '')`,
    contacts,
  );
  if (!isPersonMentioned) return [];
  const isLinkErased = sql`(title is not null or meta is not null) and ${isPersonMentioned}`;
  return [
    eraseStoredResponses(
      sql`${idempotency.subject} in (select digest from ${shareLinks} where ${isLinkErased})`,
    ),
    sql`update ${shareLinks} set title = null, meta = null, digest = 'erased:' || token where ${isLinkErased}`,
  ];
};
