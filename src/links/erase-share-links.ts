import { sql } from 'drizzle-orm';
import { shareLinks } from '../../db/schema.ts';
import { mentionsPerson } from '../leads/erase/mentions-person.ts';
import type { Eraser } from '../operation/eraser.ts';

/** Clears titles and data of the share links that name a person. The links keep working. */
export const eraseShareLinks: Eraser = ({ contacts }) => {
  const isPersonMentioned = mentionsPerson(
    sql`coalesce(${shareLinks.title}, '') || ' ' || coalesce(${shareLinks.meta}, '')`,
    contacts,
  );
  return isPersonMentioned
    ? [
        sql`update ${shareLinks} set title = null, meta = null, digest = 'erased:' || token where (title is not null or meta is not null) and ${isPersonMentioned}`,
      ]
    : [];
};
