import { describe, expect, it } from 'vitest';
import {
  formatAnswerDeadline,
  formatDueTime,
  formatDueTimeOrDay,
  formatPromisedTime,
  formatTime,
} from '../../src/site/words/words.ts';

const TIME_ZONE = 'America/New_York';

describe('times in words', () => {
  it.each([
    ['2026-11-28T17:00:00Z', 'Saturday, November 28 at noon EST'],
    ['2026-11-28T17:05:00Z', 'Saturday, November 28 at 12:05 pm EST'],
    ['2026-11-28T14:00:00Z', 'Saturday, November 28 at 9 am EST'],
    ['2026-11-29T05:00:00Z', 'the end of Saturday, November 28'],
    ['2026-11-29T05:15:00Z', 'Sunday, November 29 at 12:15 am EST'],
    ['2027-01-01T05:00:00Z', 'the end of Thursday, December 31'],
  ])('write the promised time %s as %s', (time, words) =>
    expect(formatPromisedTime(time, TIME_ZONE)).toBe(words),
  );

  it.each([
    ['2026-11-30T09:15:00Z', {}, 'Monday, November 30'],
    ['2026-11-30T04:15:00Z', {}, 'Sunday, November 29'],
    ['2026-11-30T14:00:00Z', { hours: [] }, 'Monday, November 30 at 9 am EST'],
  ])('tell that an answer is due at %s to a service with %o as %s', (time, service, words) =>
    expect(formatAnswerDeadline(time, TIME_ZONE, service)).toBe(words),
  );

  // Received on Saturday at 6:10 pm; no phrase names a time after the deadline.
  it.each([
    ['2026-11-30T15:00:00Z', 'due in 39 hours', 'due by Mon, Nov 30, 10 am EST'],
    ['2026-12-01T22:10:00Z', 'due in 2 days', 'due by Tue, Dec 1, 5:10 pm EST'],
    ['2026-11-29T22:40:00Z', 'due in 23 hours', 'due in 23 hours'],
    ['2026-11-29T01:09:30Z', 'due in 119 minutes', 'due in 119 minutes'],
    ['2026-11-28T23:10:30Z', 'due now', 'due now'],
    ['2026-11-28T23:09:30Z', 'due now', 'due now'],
    ['2026-11-28T22:00:00Z', '70 minutes overdue', '70 minutes overdue'],
    ['2026-11-26T22:00:00Z', '2 days overdue', '2 days overdue'],
  ])('tell when %s is due as %s, and in the inbox as %s', (time, words, inboxWords) => {
    const now = new Date('2026-11-28T23:10:00Z');
    const inboxTime = { timeZone: TIME_ZONE, isEmergency: false };
    const written = [formatDueTime(time, now), formatDueTimeOrDay(time, now, inboxTime)];
    expect(written.map((one) => one.replaceAll(/[\u202f\u00a0]/g, ' '))).toEqual([
      words,
      inboxWords,
    ]);
  });

  it.each([
    ['2026-07-04T16:00:59Z', 'Saturday, July 4, 2026 at noon EDT'],
    ['2027-01-01T05:00:00Z', 'the end of Thursday, December 31, 2026'],
    ['2026-11-09T20:04:00Z', 'Monday, November 9, 2026 at 3:04 pm EST'],
  ])('write the time %s as %s', (time, words) => expect(formatTime(time, TIME_ZONE)).toBe(words));
});
