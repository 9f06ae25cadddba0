import { and, asc, desc, eq, gt, isNull, ne, or, sql } from 'drizzle-orm';
import { a2aPushConfigs, a2aTasks } from '../../db/schema-a2a.ts';
import { leads } from '../../db/schema.ts';
import type { Context } from '../operation/context.ts';
import type { Eraser } from '../operation/eraser.ts';
import type { LeadStatus } from '../leads/lead-states.ts';
import { addDaysToTime } from '../operation/time-arithmetic.ts';

/** Number of days that a task without a lead is kept after its last change. */
const RETENTION_DAYS = 30;
/** `eraseAt` of a task with a lead; erasing the lead removes the task. */
const FAR_FUTURE_TIME = '9999-12-31T00:00:00.000Z';
const MAX_LISTED_TASKS = 1_000;

/** Matches a version 4 or 7 UUID (RFC 9562) and captures its last 18 random digits. */
const RANDOM_UUID_PATTERN =
  /^[0-9a-f]{8}-?[0-9a-f]{4}-?[47]([0-9a-f]{3})-?[89ab]([0-9a-f]{3})-?([0-9a-f]{12})$/i;

/** Minimum number of distinct digits; a random UUID has fewer only once in ten million. */
const MIN_DISTINCT_DIGITS = 5;

/**
 * Whether the tasks in a context may be listed. Anyone who knows the context ID can then read and
 * cancel them, so it must be a random UUID: two callers may choose the same shorter or constant ID.
 */
function isListableContext(contextId: string): boolean {
  const [, ...randomParts] = RANDOM_UUID_PATTERN.exec(contextId) ?? [];
  return new Set(randomParts.join('').toLowerCase()).size >= MIN_DISTINCT_DIGITS;
}

export interface A2aTaskRecord {
  id: string;
  contextId: string;
  /** The task as JSON, without personal data. */
  task: unknown;
  /** Token of the lead that the task created. */
  lead: string | null;
  /** Whether the record no longer changes: the task has ended, or its state comes from its lead. */
  isFinal: boolean;
}

/** An A2A task as stored; everything else about it comes from its lead. */
export interface StoredTask {
  task: unknown;
  receiptToken: string | null;
}

export interface ListedTask extends StoredTask {
  id: string;
  /** State of the task's lead; null without a lead. */
  leadStatus: LeadStatus | null;
  /** ISO 8601 time of the last change to the task or its lead. */
  changedAt: string;
}

/** The task; undefined if it does not exist or has expired. @throws {DatabaseUnavailableError} */
export async function readA2aTask(
  id: string,
  { database, now }: Context,
): Promise<StoredTask | undefined> {
  const [row] = await database.writer
    .select({ task: a2aTasks.task, receiptToken: a2aTasks.lead })
    .from(a2aTasks)
    .where(and(eq(a2aTasks.id, id), gt(a2aTasks.eraseAt, now().toISOString())));
  return row;
}

/**
 * The tasks in a context, most recently changed first; empty for a context with a guessable ID.
 * @throws {DatabaseUnavailableError}
 */
export async function listA2aTasks(
  contextId: string,
  { database, now }: Context,
): Promise<ListedTask[]> {
  if (!isListableContext(contextId)) return [];
  const changedAt = sql<string>`coalesce(${leads.updatedAt}, ${a2aTasks.updatedAt})`;
  const rows = await database.writer
    .select({
      id: a2aTasks.id,
      task: a2aTasks.task,
      receiptToken: a2aTasks.lead,
      leadStatus: leads.status,
      changedAt,
    })
    .from(a2aTasks)
    .leftJoin(leads, eq(leads.token, a2aTasks.lead))
    .where(
      and(
        eq(a2aTasks.contextId, contextId),
        gt(a2aTasks.eraseAt, now().toISOString()),
        or(isNull(leads.status), ne(leads.status, 'erased')),
      ),
    )
    .orderBy(desc(changedAt), desc(a2aTasks.id))
    .limit(MAX_LISTED_TASKS);
  return rows;
}

/** Writes a task unless it is final or its lead is erased. @throws {DatabaseUnavailableError} */
export async function writeA2aTask(
  { id, contextId, task, lead: receiptToken, isFinal }: A2aTaskRecord,
  { database: { writer }, now }: Context,
): Promise<void> {
  const time = now();
  const row = {
    task,
    lead: receiptToken,
    contextId: isListableContext(contextId) ? contextId : null,
    updatedAt: time.toISOString(),
    endedAt: isFinal ? time.toISOString() : null,
    eraseAt: receiptToken === null ? addDaysToTime(time, RETENTION_DAYS) : FAR_FUTURE_TIME,
  };
  const isLeadErased = sql`exists (select 1 from ${leads} where ${and(eq(leads.token, receiptToken ?? ''), eq(leads.status, 'erased'))})`;
  await writer.batch([
    writer
      .insert(a2aTasks)
      .values({ id, ...row })
      .onConflictDoUpdate({ target: a2aTasks.id, set: row, setWhere: isNull(a2aTasks.endedAt) }),
    writer.delete(a2aTasks).where(and(eq(a2aTasks.id, id), isLeadErased)),
  ]);
}

/** The ID of the first task with this lead. @throws {DatabaseUnavailableError} */
export async function findFirstTaskId(
  receiptToken: string,
  { database }: Context,
): Promise<string | undefined> {
  const [row] = await database.writer
    .select({ id: a2aTasks.id })
    .from(a2aTasks)
    .where(eq(a2aTasks.lead, receiptToken))
    .orderBy(asc(a2aTasks.updatedAt), asc(a2aTasks.id))
    .limit(1);
  return row?.id;
}

/** Removes a task that was replaced by another. @throws {DatabaseUnavailableError} */
export async function removeA2aTask(id: string, { database }: Context): Promise<void> {
  await database.writer.delete(a2aTasks).where(eq(a2aTasks.id, id));
}

/** Removes the tasks of erased leads and their push configurations. */
export const eraseA2aTasks: Eraser = ({ isErased }) => [
  sql`delete from ${a2aPushConfigs} where ${a2aPushConfigs.task} in (select ${a2aTasks.id} from ${a2aTasks} where ${isErased(a2aTasks.lead)})`,
  sql`delete from ${a2aTasks} where ${isErased(a2aTasks.lead)}`,
];
