import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { a2aTasks } from '../../db/schema-a2a.ts';
import type { Context } from '../operation/context.ts';
import type { Eraser } from '../operation/eraser.ts';
import { daysLater } from '../leads/receipt.ts';

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

/** Writes a task; one that has ended stays as it is. @throws {DatabaseUnavailable} */
export async function writeA2aTask(
  { id, task, lead, ended }: A2aTaskRecord,
  { database: { writer }, now }: Context,
): Promise<void> {
  const at = now();
  const row = {
    task,
    lead,
    updatedAt: at.toISOString(),
    endedAt: ended ? at.toISOString() : null,
    eraseAt: daysLater(at, KEPT_DAYS),
  };
  await writer
    .insert(a2aTasks)
    .values({ id, ...row })
    .onConflictDoUpdate({ target: a2aTasks.id, set: row, setWhere: isNull(a2aTasks.endedAt) });
}

/** Removes the tasks that filed an erased lead. */
export const eraseA2aTasks: Eraser = ({ lead }, done) => [
  sql`delete from ${a2aTasks} where ${eq(a2aTasks.lead, lead)} and ${done}`,
];
