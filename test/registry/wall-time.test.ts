import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toTimeOnDay } from '../../src/site/calendar/days.ts';
import { toWallTime } from '../../src/site/calendar/wall-time.ts';
import { createPropertyParameters } from '../setup/seeds.ts';

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC');
const times = fc.date({
  min: new Date('1972-01-01T00:00:00Z'),
  max: new Date('2060-01-01T00:00:00Z'),
  noInvalidDate: true,
});

it('shows the time that Intl shows, in every time zone', () => {
  fc.assert(
    fc.property(zones, times, (timeZone, time) => {
      // The Swedish format is ISO 8601 with a space.
      const format = new Intl.DateTimeFormat('sv-SE', {
        timeZone,
        dateStyle: 'short',
        timeStyle: 'medium',
      });
      expect(toWallTime(timeZone, time).slice(0, 19)).toBe(format.format(time).replace(' ', 'T'));
    }),
    createPropertyParameters(2_000, {
      examples: [
        // Half an hour of daylight saving time, and an offset of three quarters of an hour.
        ['Australia/Lord_Howe', new Date('2026-10-03T15:29:59.999Z')],
        ['Australia/Lord_Howe', new Date('2026-10-03T15:30:00.000Z')],
        ['Asia/Kathmandu', new Date('2026-01-01T00:00:00.000Z')],
      ],
    }),
  );
});

it('finds the instant of a wall time', () => {
  const dayTimes = ['00:00', '01:59', '02:00', '02:30', '03:00', '12:00', '23:59'];
  const zone = 'America/New_York';
  for (const day of ['2026-03-07', '2026-03-08', '2026-03-09', '2026-10-31', '2026-11-01'])
    for (const timeOfDay of dayTimes) {
      const isSkipped = day === '2026-03-08' && timeOfDay >= '02:00' && timeOfDay < '03:00';
      if (isSkipped) continue;
      expect(toWallTime(zone, toTimeOnDay(zone, day, timeOfDay)).slice(0, 16)).toBe(
        `${day}T${timeOfDay}`,
      );
    }
});
