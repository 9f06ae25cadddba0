import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { advanceTasks, eraseOldResults } from '../capabilities/advance-tasks.ts';
import { type Channel, isForPrograms } from '../leads/deliveries/channel.ts';
import {
  deliver,
  type DeliveryPolicy,
  deliveryPolicy,
  type OnAttempt,
} from '../leads/deliveries/deliver.ts';
import { planDeliveries, requeueUnaddressedLeads } from '../leads/deliveries/plan-deliveries.ts';
import {
  notifyOperator,
  type OperatorMail,
  retryRejectedAlerts,
} from '../leads/deliveries/operator-alerts.ts';
import type { Context } from '../operation/context.ts';
import { expireLeads } from '../leads/expire-leads.ts';
import { sweep } from '../leads/erase/sweep.ts';
import { storeContracts } from '../leads/submit/contracts.ts';
import { createJobFaults } from './job-faults.ts';
import { deleteExpiredSessions } from '../keys/inbox-session.ts';
import { HOUR_MS, MINUTE_MS } from '../site/calendar/durations.ts';

/**
 * Time from the start of the jobs to the first sweep, in ms. Until then, the server loads pages and
 * search indexes; doing both at once would delay requests.
 */
export const FIRST_SWEEP_DELAY_MS = 10_000;

/**
 * Pauses, in ms: after a round with work, after a round without work, after an error, between
 * checks for late leads, before the first sweep, and between sweeps.
 */
const defaultPauses = {
  busy: 20,
  idle: 1_000,
  fault: 5_000,
  late: 10_000,
  // The queries run in a thread, which would never be idle with shorter pauses.
  alerts: MINUTE_MS,
  firstSweep: FIRST_SWEEP_DELAY_MS,
  sweep: HOUR_MS,
};

/**
 * Time for deliveries in progress to finish when the service stops, in ms; another process
 * continues the rest after the lease expires.
 */
const GRACE_MS = 5_000;

export interface BackgroundJobOptions {
  channels: readonly Channel[];
  context: Context;
  /** Who gets email when leads wait too long; nobody by default. */
  operator?: OperatorMail | undefined;
  onAttempt?: OnAttempt;
  policy?: DeliveryPolicy;
  pauses?: typeof defaultPauses;
}

/**
 * Stores the contracts of the site, notifies providers of leads, expires unanswered leads, runs
 * tasks, and erases data past its retention, until stopped. Any number of processes may share the
 * work. Jobs do not wait for each other.
 */
export function startBackgroundJobs({
  channels,
  context,
  operator,
  onAttempt,
  policy: terms = deliveryPolicy,
  pauses = defaultPauses,
}: BackgroundJobOptions): { stop: () => Promise<void> } {
  const worker = randomUUID();
  const faults = createJobFaults(context);
  const stopController = new AbortController();

  /** Waits, or returns early when the jobs stop. */
  const pause = (ms: number) =>
    wait(ms, undefined, { signal: stopController.signal }).catch(() => undefined);

  /**
   * Runs a job repeatedly, starting after `firstPause`. `pauseAfter` returns the pause after each
   * run, depending on the amount of work; if it returns undefined, the job ends.
   */
  async function repeat(
    what: string,
    work: () => Promise<number>,
    pauseAfter: (count: number) => number | undefined,
    firstPause = 0,
  ): Promise<void> {
    if (firstPause) await pause(firstPause);
    while (!stopController.signal.aborted) {
      const nextPause = await work().then(
        (count) => {
          faults.recordSuccess(what);
          return pauseAfter(count);
        },
        (error: unknown) => {
          if (stopController.signal.aborted) return pauses.fault;
          faults.recordFailure(what, error);
          return pauses.fault;
        },
      );
      if (nextPause === undefined) return;
      await pause(nextPause);
    }
  }
  const choosePause = (count: number) => (count ? pauses.busy : pauses.idle);

  // Deliveries to programs are planned in the same transaction as the change.
  const plannedChannels = channels.filter((channel) => !isForPrograms(channel));
  let hasRequeuedUnaddressedLeads = false;
  async function plan(): Promise<number> {
    if (!hasRequeuedUnaddressedLeads) await requeueUnaddressedLeads(plannedChannels, context);
    hasRequeuedUnaddressedLeads = true;
    return planDeliveries(plannedChannels, context);
  }

  let hasRetriedRejectedAlerts = false;
  async function sendAlerts(receiver: OperatorMail): Promise<number> {
    if (!hasRetriedRejectedAlerts) await retryRejectedAlerts(context);
    hasRetriedRejectedAlerts = true;
    await notifyOperator(receiver, context, onAttempt);
    return 0;
  }

  const loops = [
    // Without its contract, callers could not see later changes to an action.
    repeat(
      'store contracts',
      () => storeContracts(context).then(() => 0),
      () => undefined,
    ),
    // With no channel to providers, events wait until there is one.
    ...(plannedChannels.length ? [repeat('plan deliveries', plan, choosePause)] : []),
    ...channels.map((channel) =>
      repeat(
        `deliver by ${channel.name}`,
        () => deliver(worker, [channel], context, terms, onAttempt),
        choosePause,
      ),
    ),
    ...(operator
      ? [
          repeat(
            'notify the operator',
            () => sendAlerts(operator),
            () => pauses.alerts,
          ),
        ]
      : []),
    repeat(
      'expire leads',
      () => expireLeads(context),
      () => pauses.late,
    ),
    repeat(
      'sweep',
      () =>
        Promise.all([
          sweep(context),
          eraseOldResults(context),
          deleteExpiredSessions(context),
        ]).then(() => 0),
      () => pauses.sweep,
      pauses.firstSweep,
    ),
  ];
  const tasks = repeat('advance tasks', () => advanceTasks(worker, context), choosePause);
  return {
    async stop() {
      stopController.abort();
      await Promise.race([Promise.all(loops), wait(GRACE_MS, undefined, { ref: false })]);
      // Each step of a task has its own time limit.
      await tasks;
    },
  };
}
