import { addDaysToTime } from '../../operation/time-arithmetic.ts';
import { endOfDay } from '../../site/calendar/days.ts';
import type { Registry } from '../../site/registry.ts';
import type { LeadLog } from '../lead-log.ts';
import { isEnded } from '../lead-states.ts';
import { findRequestedDays } from '../status/agreement.ts';

/** Requested days farther ahead than this do not postpone an erasure, because they may be typos. */
const MAX_DAYS_AHEAD = 3650;

/**
 * When a lead is to be erased, ISO 8601: `retentionDays` after its last change at `time` or, if
 * later, after its last day ends. The days of a request that has ended do not count.
 */
export function computeEraseTime(log: LeadLog, time: Date, registry: Registry): string {
  const { timeZone } = registry.network;
  const lastDay = isEnded(log.status) ? undefined : findRequestedDays(log, registry)?.to;
  const end = lastDay === undefined ? time : endOfDay(timeZone, lastDay);
  const isPostponed = end > time && end.toISOString() <= addDaysToTime(time, MAX_DAYS_AHEAD);
  return addDaysToTime(isPostponed ? end : time, log.retentionDays);
}
