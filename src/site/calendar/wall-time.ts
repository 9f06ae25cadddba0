import { softwareLocale } from '../../language.ts';
import { defineDateFormat } from '../words/formats.ts';
import { MINUTE_MS } from './durations.ts';

/** Time zones change their offset from UTC only at a quarter of an hour. */
const OFFSET_PERIOD_MS = 15 * MINUTE_MS;

/** How many offsets are kept, because computing one formats a date. */
const MAX_KEPT_OFFSETS = 10_000;

const offsets = new Map<string, number>();

const clock = defineDateFormat(
  {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  },
  softwareLocale,
);

function computeOffset(timeZone: string, time: number): number {
  const parts = Object.fromEntries(
    clock(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
  const { year, month, day, hour, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - time;
}

/**
 * The offset of a time zone from UTC at a time in ms since 1970, in ms; positive in the east. Exact
 * since 1972.
 */
export function offsetAt(timeZone: string, time: number): number {
  const start = Math.floor(time / OFFSET_PERIOD_MS) * OFFSET_PERIOD_MS;
  const key = `${timeZone} ${start}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = computeOffset(timeZone, start);
    if (offsets.size >= MAX_KEPT_OFFSETS) offsets.clear();
    offsets.set(key, offset);
  }
  return offset;
}

/** The date and time on a clock in a time zone, in ISO 8601 without an offset. */
export const toWallTime = (timeZone: string, time: Date): string =>
  new Date(time.getTime() + offsetAt(timeZone, time.getTime())).toISOString().slice(0, -1);
