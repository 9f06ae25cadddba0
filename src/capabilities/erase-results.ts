import { sql } from 'drizzle-orm';
import { demand, tasks } from '../../db/schema-capabilities.ts';
import { idempotency } from '../../db/schema.ts';
import { mentionsPerson } from '../leads/erase/mentions-person.ts';
import type { Eraser } from '../operation/eraser.ts';
import { eraseStoredResponses } from '../operation/idempotency.ts';

/**
 * Clears the results of tasks that returned an erased lead, and deletes unanswered questions that
 * name a person.
 */
export const eraseResults: Eraser = ({ isErased, contacts }) => {
  // A task may return a lead that was created through another channel.
  const isLeadNamedInResult = sql`${tasks.result} is not null and ${isErased(sql`${tasks.result} ->> '$.receiptToken'`)}`;
  const isPersonMentioned = mentionsPerson(sql`${demand.question}`, contacts);
  return [
    eraseStoredResponses(
      sql`${idempotency.subject} in (select ${tasks.id} from ${tasks} where ${isLeadNamedInResult})`,
    ),
    sql`update ${tasks} set result = null, result_until = null where ${isLeadNamedInResult}`,
    ...(isPersonMentioned ? [sql`delete from ${demand} where ${isPersonMentioned}`] : []),
  ];
};
