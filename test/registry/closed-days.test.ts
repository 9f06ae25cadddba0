import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closedDays } from '../../src/registry/schemas/closed-days.ts';
import type { OpeningHours } from '../../src/registry/schemas/opening-hours.ts';
import { readRegistry } from '../../src/registry/read.ts';
import { createSampleFiles, toSources } from './sample-registry.ts';
import { renderResult } from '../../src/components/search/search-result.ts';
import { createSubsiteGraph } from '../../src/components/structured-data/subsite.ts';
import { renderSubsite } from '../../src/artifacts/markdown/subsite.ts';
import { serviceDetailsOf } from '../../src/search/services.ts';
import { createSubsitePassages } from '../../src/search/passages/subsite-passages.ts';
import { addDays, toDateInTimeZone, toTimeOnDay } from '../../src/site/calendar/days.ts';
import {
  findAnswerableTime,
  findAnswerTimeForDay,
} from '../../src/site/calendar/answer-deadline.ts';
import {
  type ClosedDay,
  describeOpenState,
  findFirstBookableDay,
  formatClosedDays,
  hoursOn,
  listClosedDates,
  listClosedDaysBetween,
  listUpcomingClosedDays,
  type ServiceHours,
} from '../../src/site/calendar/opening-hours.ts';
import { weekdays } from '../../src/site/calendar/week.ts';
import { sites } from '../operations/setup/fixture.ts';

const TIME_ZONE = 'America/New_York';
const THANKSGIVING: ClosedDay = { date: '2026-11-26', name: 'Thanksgiving' };
const CHRISTMAS: ClosedDay = { date: '12-25', name: 'Christmas Day' };
const service: ServiceHours = {
  hours: [
    {
      days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
      opens: '07:00',
      closes: '19:00',
    },
  ],
  closedDays: [CHRISTMAS, THANKSGIVING],
};

describe('a closed day', () => {
  // November 26, 2026 is a Thursday, and December 25 a Friday; New York is five hours behind UTC.
  it.each([
    ['2026-11-26T15:00:00Z', 'Closed today (Thanksgiving), opens tomorrow at 7 am'],
    ['2026-11-26T01:00:00Z', 'Closed now, opens Friday at 7 am'],
    ['2026-12-25T15:00:00Z', 'Closed today (Christmas Day), opens Monday at 7 am'],
    ['2026-11-27T15:00:00Z', 'Open now, until 7 pm'],
  ])('is not open at %s', (now, text) =>
    expect(describeOpenState(service, TIME_ZONE, new Date(now))?.text).toBe(text),
  );

  it('is followed by what is available after hours', () => {
    const serviceWithCalls = { ...service, afterHours: 'emergency calls day and night' };
    const now = new Date('2026-11-26T15:00:00Z');
    expect(describeOpenState(serviceWithCalls, TIME_ZONE, now)?.text).toBe(
      'Closed today (Thanksgiving), opens tomorrow at 7 am; emergency calls day and night',
    );
    expect(findFirstBookableDay(serviceWithCalls, TIME_ZONE, now)).toBe('2026-11-26');
  });

  it('has no name if its entry has none, and gives the date of an opening that is far off', () => {
    const hours: OpeningHours = [{ days: ['Thursday'], opens: '10:00', closes: '14:00' }];
    const weeklyHours: OpeningHours = [{ days: ['Friday'], opens: '09:00', closes: '17:00' }];
    expect(
      describeOpenState({ hours: weeklyHours }, TIME_ZONE, new Date('2026-11-27T23:00:00Z'))?.text,
    ).toBe('Closed now, opens Friday, December 4 at 9 am');
    const rarelyOpenService = { hours, closedDays: [{ date: '2026-11-26' }, { date: '12-03' }] };
    expect(
      describeOpenState(rarelyOpenService, TIME_ZONE, new Date('2026-11-26T15:00:00Z'))?.text,
    ).toBe('Closed today, opens Thursday, December 10 at 10 am');
  });

  it('does not affect a service without hours', () => {
    const serviceWithoutHours = { closedDays: [THANKSGIVING] };
    const now = new Date('2026-11-26T15:00:00Z');
    expect(describeOpenState(serviceWithoutHours, TIME_ZONE, now)).toBeUndefined();
    expect(findAnswerableTime(serviceWithoutHours, TIME_ZONE, now)).toEqual(now);
    expect(findFirstBookableDay(serviceWithoutHours, TIME_ZONE, now)).toBe('2026-11-26');
  });

  it('is announced two weeks ahead, unless the service is closed on that weekday anyway', () => {
    const listUpcoming = (now: string) => listUpcomingClosedDays(service, TIME_ZONE, new Date(now));
    expect(listUpcoming('2026-11-12T15:00:00Z')).toEqual(['Thursday, November 26 (Thanksgiving)']);
    expect(listUpcoming('2026-11-26T15:00:00Z')).toEqual(['Thursday, November 26 (Thanksgiving)']);
    expect(listUpcoming('2026-11-11T15:00:00Z')).toEqual([]);
    expect(listUpcoming('2026-11-27T15:00:00Z')).toEqual([]);
    // December 25, 2027 is a Saturday.
    expect(listUpcoming('2027-12-20T15:00:00Z')).toEqual([]);
    expect(listClosedDaysBetween(service, { from: '2026-11-26', to: '9999-12-31' })).toEqual([
      'Thursday, November 26 (Thanksgiving)',
      'Friday, December 25 (Christmas Day)',
    ]);
  });

  it('is listed by its next date if today is given, and otherwise as dates that do not depend on today', () => {
    const days = [THANKSGIVING, { date: '02-29' }, CHRISTMAS];
    expect(formatClosedDays(days)).toBe(
      'February 29, December 25 (Christmas Day), November 26, 2026 (Thanksgiving)',
    );
    expect(formatClosedDays(days, '2026-11-25')).toBe(
      'November 26, 2026 (Thanksgiving), December 25, 2026 (Christmas Day)',
    );
    expect(formatClosedDays(days, '2027-12-26')).toBe(
      'February 29, 2028, December 25, 2028 (Christmas Day)',
    );
    const newYear = { date: '01-01' };
    expect(
      listClosedDaysBetween(
        { ...service, closedDays: [newYear, CHRISTMAS] },
        { from: '2026-12-01', to: '2027-01-31' },
      ),
    ).toEqual(['Friday, December 25 (Christmas Day)', 'Friday, January 1, 2027']);
    expect(listClosedDates(days, '2026-11-27')).toEqual(['2026-12-25', '2027-12-25']);
    expect(
      listClosedDates([CHRISTMAS, { date: '2029-01-02' }, { date: '02-29' }], '2026-12-26'),
    ).toEqual(['2027-12-25', '2028-02-29', '2028-12-25', '2029-01-02', '2029-12-25']);
  });
});

const clock = fc
  .tuple(fc.integer({ min: 0, max: 22 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const randomHours = fc
  .tuple(fc.subarray([...weekdays], { minLength: 1 }), clock)
  .map(([days, opens]): OpeningHours => [{ days, opens, closes: '23:30' }]);
const firstMoment = Date.parse('2026-01-01T00:00:00Z');
const randomMoment = fc
  .integer({ min: 0, max: 3 * 365 * 24 * 4 })
  .map((quarters) => new Date(firstMoment + quarters * 15 * 60_000));
/** Closed days near a moment, where they matter: some with a year, some that recur every year. */
const randomCase = fc
  .tuple(
    randomHours,
    randomMoment,
    fc.array(fc.tuple(fc.integer({ min: -3, max: 40 }), fc.boolean()), { maxLength: 40 }),
  )
  .map(([hours, moment, days]) => {
    const today = toDateInTimeZone(TIME_ZONE, moment);
    const dates = days.map(([ahead, isYearly]) => addDays(today, ahead).slice(isYearly ? 5 : 0));
    return { moment, service: { hours, closedDays: dates.map((date) => ({ date })) } };
  });
const isClosedDay = ({ closedDays: days }: { closedDays: readonly ClosedDay[] }, day: string) =>
  days.some(({ date }) => date === day || date === day.slice(5));

describe('in random weeks with closed days', () => {
  it('a closed day is never open, and every other day keeps its weekly hours', () => {
    fc.assert(
      fc.property(randomCase, ({ service: one, moment }) => {
        const today = toDateInTimeZone(TIME_ZONE, moment);
        expect(hoursOn(one, today)).toEqual(
          isClosedDay(one, today) ? undefined : hoursOn({ hours: one.hours }, today),
        );
        const openState = describeOpenState(one, TIME_ZONE, moment)!;
        if (isClosedDay(one, today)) expect(openState.open).toBe(false);
        // Every service with hours opens again.
        if (!openState.open) expect(openState.text).toMatch(/, opens /);
      }),
    );
  });

  it('a promise and the first bookable day never fall on a closed day', () => {
    fc.assert(
      fc.property(randomCase, ({ service: one, moment }) => {
        const promised = findAnswerableTime(one, TIME_ZONE, moment);
        const day = toDateInTimeZone(TIME_ZONE, promised);
        const hours = hoursOn(one, day);
        expect(hours).toBeDefined();
        expect(promised.getTime()).toBeGreaterThanOrEqual(moment.getTime());
        expect(promised.getTime()).toBeGreaterThanOrEqual(
          toTimeOnDay(TIME_ZONE, day, hours!.opens).getTime(),
        );
        expect(promised.getTime()).toBeLessThan(
          toTimeOnDay(TIME_ZONE, day, hours!.closes).getTime() + 60_000,
        );
        expect(hoursOn(one, findFirstBookableDay(one, TIME_ZONE, moment))).toBeDefined();
        const today = toDateInTimeZone(TIME_ZONE, moment);
        if (isClosedDay(one, today))
          expect(findAnswerTimeForDay(one, TIME_ZONE, today, moment)).toBeUndefined();
      }),
    );
  });
});

it('each day in a list of closed days must exist and occur only once', () => {
  const faultsOf = (...dates: string[]) =>
    closedDays
      .safeParse(dates.map((date) => ({ date })))
      .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  expect(faultsOf('12-25', '02-29', '2026-11-26', '2027-11-25')).toBeUndefined();
  expect(faultsOf('2026-02-30')).toEqual([
    '0.date does not exist. Use an existing date, with the month before the day',
  ]);
  expect(faultsOf('02-30')).toEqual([
    '0.date does not exist. Use an existing date, with the month before the day',
  ]);
  for (const [malformed, advice] of [
    ['Christmas', 'Use YYYY-MM-DD, or MM-DD for a day that recurs every year.'],
    ['12/25', 'Write 12-25.'],
    ['2/29', 'Write 02-29.'],
    ['5/6', 'Write 05-06 or 06-05.'],
    ['2026-1-1', 'Write 2026-01-01.'],
    ['25.12.2026', 'Write 2026-12-25.'],
  ] as const)
    expect(faultsOf(malformed)).toEqual([`0.date is not a valid day. ${advice}`]);
  const duplicateProblem = 'is listed twice. Remove one of the two';
  expect(faultsOf('12-25', '12-25')).toEqual([`1.date ${duplicateProblem}`]);
  expect(faultsOf('2026-12-25', '12-25')).toEqual([`0.date ${duplicateProblem}`]);
  expect(faultsOf('12-25', '2026-12-25', '2026-12-25')).toEqual([
    `1.date ${duplicateProblem}`,
    `2.date ${duplicateProblem}`,
  ]);
});

describe('the closed days of a subsite', () => {
  const hours = [{ days: ['Monday'], opens: '07:00', closes: '19:00' }];
  const readService = (more: object) => {
    const files = createSampleFiles();
    files['network.yaml']!.closedDays = [CHRISTMAS, THANKSGIVING];
    Object.assign(files['subsites/kites.yaml']!, more);
    return readRegistry('registry', toSources(files)).subsites.find(
      ({ name }) => name === 'kites',
    )!;
  };

  it('are the network’s and the service’s, with the service’s names, or only the service’s', () => {
    const ownClosedDays = [{ date: '12-25', name: 'Kite Day' }, { date: '01-01' }];
    expect(readService({ hours }).closedDays).toEqual([CHRISTMAS, THANKSGIVING]);
    expect(readService({ hours, closedDays: ownClosedDays }).closedDays).toEqual([
      ...ownClosedDays,
      THANKSGIVING,
    ]);
    expect(readService({ hours, closedDays: [{ date: '11-26' }] }).closedDays).toEqual([
      { date: '11-26' },
      CHRISTMAS,
    ]);
    expect(readService({ hours, closedDays: [{ date: '2026-12-25' }] }).closedDays).toEqual([
      CHRISTMAS,
      THANKSGIVING,
    ]);
    expect(
      readService({ hours, closedDays: ownClosedDays, skipNetworkClosedDays: true }).closedDays,
    ).toEqual(ownClosedDays);
    expect(readService({ hours, skipNetworkClosedDays: true }).closedDays).toBeUndefined();
    expect(readService({}).closedDays).toBeUndefined();
  });

  it('need hours', () => {
    const problem = expect.stringContaining(
      'has no effect without hours. Add hours, or omit the key.',
    );
    for (const key of [{ closedDays: [CHRISTMAS] }, { skipNetworkClosedDays: true }])
      expect(() => readService(key)).toThrow(
        expect.objectContaining({
          faults: [expect.objectContaining({ path: Object.keys(key)[0], problem })],
        }),
      );
  });
});

describe('the sample network', () => {
  const { site } = sites[0]!;
  const { subsites, network } = site.registry;
  const servicesWithHours = subsites.filter(({ hours }) => hours);
  const thanksgivingNoon = new Date('2026-11-26T17:00:00Z');

  it('is closed on its closed days wherever it has hours', () => {
    expect(servicesWithHours.length).toBeGreaterThan(10);
    for (const subsite of servicesWithHours) {
      expect(subsite.closedDays, subsite.name).toEqual(network.closedDays);
      for (const date of listClosedDates(network.closedDays, '2026-11-25'))
        expect(hoursOn(subsite, date), `${subsite.name} ${date}`).toBeUndefined();
    }
    for (const subsite of subsites) if (!subsite.hours) expect(subsite.closedDays).toBeUndefined();
  });

  it.each(servicesWithHours)(
    'says so in search, Markdown and structured data: $name',
    (subsite) => {
      const text = 'November 26, 2026 (Thanksgiving)';
      const entry = {
        subsite: subsite.name,
        title: subsite.title,
        text: subsite.purpose,
        path: subsite.url,
        kind: 'Service',
        category: subsite.category,
        ...serviceDetailsOf(subsite),
      };
      const result = renderResult(entry, network.timeZone, thanksgivingNoon);
      expect(result).toContain('Closed today (Thanksgiving), opens');
      expect(renderSubsite(site, subsite).join('\n')).toContain(
        `- Closed: January 1 (New Year’s Day)`,
      );
      expect(
        createSubsitePassages(subsite)
          .map(({ text: passage }) => passage)
          .join('\n'),
      ).toContain(`We are closed on ${text}.`);
      const graph = createSubsiteGraph(site, subsite);
      if (subsite.schemaType === 'LocalBusiness' && graph)
        expect(graph['@graph'][0]).toMatchObject({
          specialOpeningHoursSpecification: expect.arrayContaining([
            {
              '@type': 'OpeningHoursSpecification',
              opens: '00:00',
              closes: '00:00',
              validFrom: '2026-11-26',
              validThrough: '2026-11-26',
            },
          ]),
        });
    },
  );
});

it('structured data contains the closed days from the build date on, however old the record is', () => {
  const { site } = sites[0]!;
  const subsite = site.registry.subsites.find(
    ({ schemaType, skipJsonLd }) => schemaType === 'LocalBusiness' && !skipJsonLd,
  )!;
  const listDates = (updated: string, generatedAt: string): string[] => {
    const oldSubsite = { ...subsite, updated, closedDays: [CHRISTMAS] };
    const business: any = createSubsiteGraph({ ...site, generatedAt }, oldSubsite)!['@graph'][0];
    return business.specialOpeningHoursSpecification.map((day: any) => day.validFrom);
  };
  expect(listDates('2026-11-20', '2028-11-26T12:00:00.000Z')).toEqual(['2028-12-25', '2029-12-25']);
  // At midnight UTC, it is still the day before in the network's time zone.
  expect(listDates('2026-11-20', '2028-12-26T00:00:00.000Z')[0]).toBe('2028-12-25');
  expect(listDates('2030-01-01', '2028-11-26T12:00:00.000Z')[0]).toBe('2030-12-25');
});
