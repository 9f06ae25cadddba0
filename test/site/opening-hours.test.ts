import { describe, expect, it } from 'vitest';
import { openingHours, type OpeningHours } from '../../src/registry/schemas/opening-hours.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { findAnswerableTime } from '../../src/site/calendar/answer-deadline.ts';
import {
  formatTimeOfDay,
  findFirstBookableDay,
  formatHours,
  listHoursRows,
  describeOpenState,
} from '../../src/site/calendar/opening-hours.ts';

const TIME_ZONE = 'America/New_York';
const weekdays: OpeningHours = [
  { days: ['Monday', 'Tuesday', 'Thursday', 'Friday'], opens: '07:00', closes: '19:00' },
  { days: ['Saturday'], opens: '10:00', closes: '14:30' },
];

describe('the first day that can be booked', () => {
  const findBookableDay = (time: string, more: object = {}) =>
    findFirstBookableDay({ hours: weekdays, ...more }, TIME_ZONE, new Date(time));
  it.each([
    ['2026-11-23T06:00:00-05:00', '2026-11-23'],
    ['2026-11-23T18:59:00-05:00', '2026-11-23'],
    ['2026-11-23T19:00:00-05:00', '2026-11-24'],
    ['2026-11-24T23:59:00-05:00', '2026-11-26'],
    ['2026-11-25T08:00:00-05:00', '2026-11-26'],
    ['2026-11-28T14:30:00-05:00', '2026-11-30'],
    // The clocks went back an hour the night before.
    ['2026-11-01T23:30:00-05:00', '2026-11-02'],
  ])('is at %s: %s', (time, day) => expect(findBookableDay(time)).toBe(day));

  it('is today if the service has no opening hours, or also comes while it is closed', () => {
    const night = '2026-11-23T23:00:00-05:00';
    expect(findBookableDay(night, { hours: undefined })).toBe('2026-11-23');
    expect(findBookableDay(night, { afterHours: 'emergency calls day and night' })).toBe(
      '2026-11-23',
    );
  });
});

describe('opening hours', () => {
  it.each([
    ['00:00', 'midnight'],
    ['00:30', '12:30 am'],
    ['07:05', '7:05 am'],
    ['12:00', 'noon'],
    ['12:30', '12:30 pm'],
    ['23:30', '11:30 pm'],
  ])('write %s as %s', (time, words) => expect(formatTimeOfDay(time)).toBe(words));

  it('combine adjacent days with the same hours into one row, and mark closed days', () => {
    expect(listHoursRows(weekdays)).toEqual([
      { days: 'Monday and Tuesday', hours: '7 am to 7 pm' },
      { days: 'Wednesday', hours: 'Closed' },
      { days: 'Thursday and Friday', hours: '7 am to 7 pm' },
      { days: 'Saturday', hours: '10 am to 2:30 pm' },
      { days: 'Sunday', hours: 'Closed' },
    ]);
    const [dailyRow] = listHoursRows([
      {
        days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
        opens: '07:00',
        closes: '19:00',
      },
    ]);
    expect(dailyRow).toEqual({ days: 'Every day', hours: '7 am to 7 pm' });
  });

  // November 23, 2026 is a Monday; New York is five hours behind UTC.
  it.each([
    ['2026-11-23T12:00:00Z', true, 'Open now, until 7 pm'],
    ['2026-11-23T11:59:00Z', false, 'Closed now, opens today at 7 am'],
    ['2026-11-24T00:00:00Z', false, 'Closed now, opens tomorrow at 7 am'],
    ['2026-11-25T00:00:00Z', false, 'Closed now, opens Thursday at 7 am'],
    ['2026-11-28T19:30:00Z', false, 'Closed now, opens Monday at 7 am'],
    ['2026-11-28T19:29:00Z', true, 'Open now, until 2:30 pm'],
  ])('are evaluated at %s', (now, open, text) =>
    expect(describeOpenState({ hours: weekdays }, TIME_ZONE, new Date(now))).toEqual({
      open,
      text,
    }),
  );

  // New York sets its clocks back on November 1, 2026, and forward on March 14, 2027.
  it.each([
    ['while open', '2026-11-23T17:10:00Z', '2026-11-23T17:10:00Z'],
    ['at opening', '2026-11-23T12:00:00Z', '2026-11-23T12:00:00Z'],
    ['before opening', '2026-11-23T07:55:00Z', '2026-11-23T14:00:00Z'],
    ['after closing', '2026-11-24T03:53:00Z', '2026-11-24T14:00:00Z'],
    ['before a closed day', '2026-11-25T03:53:00Z', '2026-11-26T14:00:00Z'],
    ['before the end of daylight saving time', '2026-10-31T22:00:00Z', '2026-11-02T14:00:00Z'],
    ['before the start of daylight saving time', '2027-03-13T22:00:00Z', '2027-03-15T13:00:00Z'],
  ])('move a promise to two hours after opening: %s', (_, time, promised) =>
    expect(findAnswerableTime({ hours: weekdays }, TIME_ZONE, new Date(time))).toEqual(
      new Date(promised),
    ),
  );

  it('move a promise to the end of a short opening, or to the same day a week later', () => {
    const hours: OpeningHours = [{ days: ['Saturday'], opens: '10:00', closes: '11:00' }];
    expect(findAnswerableTime({ hours }, TIME_ZONE, new Date('2026-11-28T20:00:00Z'))).toEqual(
      new Date('2026-12-05T16:00:00Z'),
    );
  });

  it('explain what is answered while the service is closed, but not while it is open', () => {
    const service = { hours: weekdays, afterHours: 'emergency calls every day' };
    const describeState = (now: string) =>
      describeOpenState(service, TIME_ZONE, new Date(now))?.text;
    expect(describeState('2026-11-24T00:00:00Z')).toBe(
      'Closed now, opens tomorrow at 7 am; emergency calls every day',
    );
    expect(describeState('2026-11-23T12:00:00Z')).toBe('Open now, until 7 pm');
    expect(formatHours(weekdays.slice(1), 'emergency calls every day')).toBe(
      'Monday to Friday closed; Saturday 10 am to 2:30 pm; Sunday closed; emergency calls every day',
    );
  });

  it('agree with the text next to them', () => {
    const { subsites } = loadRegistry('registry');
    for (const { name, hours, availability = '', afterHours } of subsites)
      if (hours)
        expect([name, afterHours]).toEqual([name, /emergency [^;]*/i.exec(availability)?.[0]]);
  });

  it('find the next opening in a week with only one open day', () => {
    const [, saturday] = weekdays;
    const after = new Date('2026-11-28T20:00:00Z');
    expect(describeOpenState({ hours: [saturday!] }, TIME_ZONE, after)?.text).toBe(
      'Closed now, opens Saturday, December 5 at 10 am',
    );
  });

  it('must close after they open, and list each day once', () => {
    const listMessages = (hours: unknown) =>
      openingHours.safeParse(hours).error?.issues.map(({ message }) => message);
    expect(listMessages(weekdays)).toBeUndefined();
    expect(listMessages([{ days: ['Monday'], opens: '19:00', closes: '07:00' }])).toEqual([
      'is not after opens. Use a later time on the same day',
    ]);
    expect(listMessages([{ days: ['Monday'], opens: '7:00', closes: '19:00' }])).toEqual([
      'is not a time of day. Write 07:00.',
    ]);
    expect(listMessages([{ days: ['Monday'], opens: '07:00', closes: '24:00' }])).toEqual([
      'is not a time of day. Enter a time from 00:00 to 23:59, such as 07:00. For midnight at the end of a day, use 23:59.',
    ]);
    expect(listMessages([weekdays[0], weekdays[0]])).toEqual([
      'name a day twice. Give each day one entry',
    ]);
  });
});
