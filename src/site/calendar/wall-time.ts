import { softwareLocale } from '../../language.ts';
import { defineDateFormat } from '../words/formats.ts';
import { MINUTE_MS } from './durations.ts';

/** Time zones change their UTC offset only on a quarter hour. */
const OFFSET_PERIOD_MS = 15 * MINUTE_MS;

/** Maximum number of cached offsets; computing one is slow, because it formats a date. */
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
 * The UTC offset of a time zone in milliseconds, at a time in milliseconds since 1970; positive in
 * the east. Exact since 1972.
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

/** The local date and time in a time zone, in ISO 8601 without an offset. */
export const toWallTime = (timeZone: string, time: Date): string =>
  new Date(time.getTime() + offsetAt(timeZone, time.getTime())).toISOString().slice(0, -1);
