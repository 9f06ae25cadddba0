import { and, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { a2aPushConfigs, a2aTasks } from '../../db/schema-a2a.ts';
import { demand, keys, quotes, tasks } from '../../db/schema-capabilities.ts';
import { createFailedStep, type Step } from './adapters/adapter.ts';
import { adapters } from './adapters/index.ts';
import { capabilityCatalogOf } from './capability-catalog.ts';
import type { CapabilityRecord } from '../site/capability-record.ts';
import type { Context } from '../operation/context.ts';
import { endTask } from './end-task.ts';
import { recordProgress } from './record-progress.ts';
import { addDaysToTime, addMilliseconds } from '../operation/time-arithmetic.ts';
import { abandonedStates, type TaskRow } from './task-record.ts';

/** Duration of a lease on a task, in ms; longer than any step takes. */
export const LEASE_MS = 60_000;
const BATCH_SIZE = 8;
/** Pause after an internal error in a step, in ms. */
const ERROR_PAUSE_MS = 30_000;

/** Leases due tasks to the worker; no two workers get the same task. */
async function leaseDueTasks(worker: string, { database, now }: Context): Promise<TaskRow[]> {
  const time = now();
  const nowIso = time.toISOString();
  const isDue = and(
    lte(tasks.dueAt, nowIso),
    or(isNull(tasks.leaseUntil), lte(tasks.leaseUntil, nowIso)),
  );
  // Check first, to avoid a write if nothing is due.
  const [dueTask] = await database.reader
    .select({ id: tasks.id })
    .from(tasks)
    .where(isDue)
    .limit(1);
  if (!dueTask) return [];
  const dueTaskIds = database.writer
    .select({ id: tasks.id })
    .from(tasks)
    .where(isDue)
    .orderBy(tasks.dueAt)
    .limit(BATCH_SIZE);
  return database.writer
    .update(tasks)
    .set({ leaseOwner: worker, leaseUntil: addMilliseconds(time, LEASE_MS) })
    .where(inArray(tasks.id, dueTaskIds))
    .returning();
}

/**
 * Schedules the next step of a task. Returns whether the task is still running and leased to this
 * worker.
 */
async function scheduleNextStep(
  task: TaskRow,
  worker: string,
  step: Step & { kind: 'waiting' },
  context: Context,
): Promise<boolean> {
  const time = context.now();
  // Never schedule a step past the deadline, so that the task ends close to it.
  const dueAt = [
    addMilliseconds(time, step.pauseMs),
    task.deadline > time.toISOString() ? task.deadline : time.toISOString(),
  ].sort()[0]!;
  return recordProgress(
    task.id,
    step,
    {
      columns: { attempts: step.attempts, dueAt, leaseOwner: null, leaseUntil: null },
      condition: eq(tasks.leaseOwner, worker),
    },
    context,
  );
}

/** Whether a task ended but its provider job is still open. */
async function isAbandoned(id: string, { database }: Context): Promise<boolean> {
  const [row] = await database.writer
    .select({ status: tasks.status })
    .from(tasks)
    .where(and(eq(tasks.id, id), inArray(tasks.status, abandonedStates)));
  return row !== undefined;
}

async function isRevoked(key: string, { database }: Context): Promise<boolean> {
  const [row] = await database.writer
    .select({ id: keys.id })
    .from(keys)
    .where(and(eq(keys.id, key), isNotNull(keys.revokedAt)));
  return row !== undefined;
}

async function runStep(
  { id: taskId, key, input, idempotencyKey, job, attempts, deadline }: TaskRow,
  capability: CapabilityRecord | undefined,
  context: Context,
): Promise<Step> {
  if (!capability)
    return createFailedStep('provider_unavailable', 'This capability is no longer offered.');
  if (job === null && (await isRevoked(key, context)))
    return createFailedStep('key_revoked', 'The key was revoked before the work began.');
  return adapters[capability.adapter].step(
    { taskId, capability, input: input!, idempotencyKey, job, attempts, deadline },
    context,
  );
}

async function advanceTask(task: TaskRow, worker: string, context: Context): Promise<void> {
  const { id: taskId, job } = task;
  const capability = capabilityCatalogOf(context.site).get(task.capability);
  const adapter = capability && adapters[capability.adapter];
  const step = await runStep(task, capability, context);
  if (step.kind === 'waiting') {
    // The task was canceled while its job was being submitted, before the job ID was known.
    if (
      !(await scheduleNextStep(task, worker, step, context)) &&
      job === null &&
      step.job !== null &&
      (await isAbandoned(taskId, context))
    )
      void adapter?.cancelJob?.({ taskId, job: step.job }, context);
    return;
  }
  if (step.kind === 'completed') {
    await endTask(task, step, context);
    return;
  }
  // A failed submission says nothing about a job that a callback has since reported.
  if (await endTask(task, step, context, sql`${tasks.job} is ${job}`))
    void adapter?.cancelJob?.({ taskId, job }, context);
  else
    await scheduleNextStep(
      task,
      worker,
      { kind: 'waiting', status: undefined, job, attempts: 0, pauseMs: 0 },
      context,
    );
}

/**
 * Runs one step of each due task that no other worker has leased, and returns the number of tasks.
 * Several processes may call it, each with a unique name; a dead worker's task is picked up when
 * its lease ends.
 */
export async function advanceTasks(worker: string, context: Context): Promise<number> {
  const leasedTasks = await leaseDueTasks(worker, context);
  await Promise.all(
    leasedTasks.map((task) =>
      advanceTask(task, worker, context).catch(async (error: unknown) => {
        context.log.error(
          { task: task.id, err: error },
          'A step of a task failed and will be retried.',
        );
        await scheduleNextStep(
          task,
          worker,
          {
            kind: 'waiting',
            status: undefined,
            job: task.job,
            attempts: task.attempts,
            pauseMs: ERROR_PAUSE_MS,
          },
          context,
        ).catch(() => undefined);
      }),
    ),
  );
  return leasedTasks.length;
}

/** Days for which an unused quote is kept after it expires. */
const QUOTE_RETENTION_DAYS = 30;

/**
 * Deletes results, questions, quotes and A2A tasks past their retention periods. A task's quote is
 * kept, because the receipt refers to it.
 */
export async function eraseOldResults({ database: { writer }, now }: Context): Promise<void> {
  const nowIso = now().toISOString();
  await writer.batch([
    writer
      .update(tasks)
      .set({ result: null, resultUntil: null })
      .where(lte(tasks.resultUntil, nowIso)),
    writer.delete(demand).where(sql`${demand.eraseAt} <= ${nowIso}`),
    writer
      .delete(quotes)
      .where(
        and(
          lte(quotes.expiresAt, addDaysToTime(now(), -QUOTE_RETENTION_DAYS)),
          sql`not exists (select 1 from ${tasks} where ${tasks.quote} = ${quotes.id})`,
        ),
      ),
    writer.delete(a2aTasks).where(lte(a2aTasks.eraseAt, nowIso)),
    writer
      .delete(a2aPushConfigs)
      .where(
        sql`not exists (select 1 from ${a2aTasks} where ${a2aTasks.id} = ${a2aPushConfigs.task})`,
      ),
  ]);
}
