import { and, eq, gt, isNull, sql, type SQL } from 'drizzle-orm';
import { a2aTasks } from '../../db/schema-a2a.ts';
import type { Context } from './context.ts';
import { daysLater } from './receipt.ts';

/** Days after its last change for which a task can be read. */
const KEPT_DAYS = 30;

/** A task of the A2A door on its way into the database. */
export interface A2aTaskRecord {
  id: string;
  /** The task as JSON, without personal data. */
  task: unknown;
  /** Token of the lead that it filed. */
  lead: string | null;
  /** Whether it came to a state that it does not leave. */
  ended: boolean;
}

/** The JSON of a task, read where it was written; undefined where there is none or it is past its time. @throws {DatabaseUnavailable} */
export async function readA2aTask(id: string, { database, now }: Context): Promise<unknown> {
  const [row] = await database.writer
    .select({ task: a2aTasks.task })
    .from(a2aTasks)
    .where(and(eq(a2aTasks.id, id), gt(a2aTasks.eraseAt, now().toISOString())));
  return row?.task;
}

/** Writes a task; one that has ended stays as it is, whoever comes later. @throws {DatabaseUnavailable} */
export async function writeA2aTask({ id, task, lead, ended }: A2aTaskRecord, { database, now }: Context): Promise<void> {
  const at = now();
  const row = { task, lead, updatedAt: at.toISOString(), endedAt: ended ? at.toISOString() : null, eraseAt: daysLater(at, KEPT_DAYS) };
  await database.writer
    .insert(a2aTasks)
    .values({ id, ...row })
    .onConflictDoUpdate({ target: a2aTasks.id, set: row, setWhere: isNull(a2aTasks.endedAt) });
}

/** The statement that removes the tasks of a lead that is erased, where `done` holds. */
export const removeA2aTasksOf = (lead: string, done: SQL): SQL => sql`delete from ${a2aTasks} where ${eq(a2aTasks.lead, lead)} and ${done}`;
