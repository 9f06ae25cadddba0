import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findContradictions,
  findPurchaseTermsContradictions,
} from '../../src/registry/contradictions/contradictions.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { findLinkedPriceContradictions } from '../../src/registry/contradictions/linked-prices.ts';
import { readRegistry } from '../../src/registry/read.ts';
import { formatHours } from '../../src/site/calendar/opening-hours.ts';
import { weekdays as allDays } from '../../src/site/calendar/week.ts';
import { createPropertyParameters } from '../setup/seeds.ts';
import { type EditableRecord, createSampleFiles, toSources } from './sample-registry.ts';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

/**
 * Faults that the check reports for the sample’s rental with these properties, as `path: problem`.
 */
function listFaults(
  more: EditableRecord,
  effect: EditableRecord = { deposit: 200 },
  respondWithinHours = 24,
  action: EditableRecord = {},
): string[] {
  const files = createSampleFiles();
  const record = files['subsites/kites.yaml']!;
  Object.assign(record, {
    hours: [
      { days: weekdays, opens: '09:00', closes: '17:30' },
      { days: ['Saturday'], opens: '10:00', closes: '14:00' },
    ],
    pricing: [
      { unit: 'box kite, day', amount: 40, currency: 'USD' },
      { unit: 'lesson', amount: 25, currency: 'USD' },
    ],
    ...more,
  });
  const [firstAction] = record.actions;
  if (firstAction) {
    Object.assign(firstAction.effect, { hours: 48, ...effect });
    Object.assign(firstAction, { respondWithinHours, ...action });
  }
  const { subsites } = readRegistry('registry', toSources(files));
  return findContradictions(
    subsites.find(({ name }) => name === 'kites')!,
    72,
  ).map(({ path, problem }) => `${path.join('.')}: ${problem}`);
}

describe('a form', () => {
  const facts = ['If you leave an email address on this page, we write back.'];
  const contactForm = { title: 'Ask us', text: 'We read it.', button: 'Send', question: 'What?' };

  it('is missing from a page that asks for an email address', () => {
    expect(listFaults({ facts, actions: [] })).toEqual([
      expect.stringContaining(
        'facts.0: asks people to fill out a form, but the record has no action',
      ),
    ]);
  });

  it.each([{}, { actions: [], contactForm }])('is there in a record with %o', (more) => {
    expect(listFaults({ facts, ...more })).toEqual([]);
  });
});

describe('commission and deposit', () => {
  it.each([
    ['The commission is 30 percent.', undefined],
    ['A commission of 35 percent applies.', 'commission.percent is 30. Correct one of the two.'],
  ])('compares the fact “%s” with the commission', (fact, problem) => {
    expect(listFaults({ facts: [fact], commission: { percent: 30 } })).toEqual(
      problem ? [`facts.0: names a commission of 35 percent, but ${problem}`] : [],
    );
  });

  it.each([
    [7, 'salesTaxPercent of the actions is 7'],
    [undefined, 'no action has salesTaxPercent, so offers would show no tax'],
  ])('compares a sales tax in a text with the %s percent of the actions', (percent, problem) => {
    const facts = ['Sales tax (7.5 percent) is added.', 'Prices are before sales tax (7 percent).'];
    const rate = percent === undefined ? {} : { salesTaxPercent: percent };
    const describeFault = (fact: number, named: number) =>
      `facts.${fact}: names a sales tax of ${named} percent, but ${problem}. Correct one of the two.`;
    expect(listFaults({ facts }, undefined, 24, rate)).toEqual(
      percent === undefined
        ? [describeFault(0, 7.5), describeFault(1, 7)]
        : [describeFault(0, 7.5)],
    );
  });

  it('requires a price for a deposit that no action holds', () => {
    const facts = ['A deposit of 150 USD is held on a card.'];
    const pricing = [{ unit: 'lesson', amount: 25, currency: 'USD' }];
    const deposit = { unit: 'refundable deposit', amount: 150, currency: 'USD', extra: true };
    expect(listFaults({ facts, pricing }, {})).toEqual([
      'facts.0: names a deposit of 150, but pricing has no such deposit. Add it to pricing, or correct one of the two.',
    ]);
    expect(listFaults({ facts, pricing: [...pricing, deposit] }, {})).toEqual([]);
  });
});

describe('texts that contradict their record', () => {
  it('include “open every day” without the closed days', () => {
    const facts = ['The yard is open every day.', 'It is open every day except on closed days.'];
    const problem =
      'says “open every day”, but closedDays are not empty. Write “every day except on closed days”.';
    expect(listFaults({ facts, closedDays: [{ date: '12-25' }] })).toEqual([`facts.0: ${problem}`]);
    expect(listFaults({ facts })).toEqual([]);
  });

  it.each([
    ['Open every day, 9 am to 5:30 pm', true],
    ['Monday to Friday, 9 am to 5 pm; Saturday, 10 am to 2 pm', true],
    ['Monday to Saturday, 9 am to 5:30 pm; Saturday, 10 am to 2 pm', true],
    ['Monday to Friday, 9 am to 5:30 pm', true],
    [
      'Monday to Friday, 9 am to 5:30 pm; Saturday, 10 am to 2 pm; lessons on Sundays, 8 am to 9 am',
      false,
    ],
    ['Monday to Friday, 9 am to 5:30 pm, and Saturdays 10 am to 2 pm', false],
    ['Weekdays and Saturday mornings', false],
  ])('compares the availability “%s” with the hours', (availability, isContradiction) => {
    expect(listFaults({ availability })).toEqual(
      isContradiction
        ? [
            'availability: contradicts hours, which are Monday to Friday 9 am to 5:30 pm; Saturday 10 am to 2 pm; Sunday closed. Correct one of the two.',
          ]
        : [],
    );
  });

  it.each([
    ['The shop is open daily, 8 am to 8 pm.', 'contradicts hours'],
    ['The shop is open Monday to Friday, 9 am to 5:30 pm.', undefined],
    ['The shop is open 9 am to 5:30 pm on most days.', undefined],
    ['The shop closes at 6 pm.', 'contradicts hours'],
    ['We close at 5:30 pm, on Saturday the shop closes at 2 PM. Entries close at noon.', undefined],
    ['Return the kite by 6 pm on the last day.', 'contradicts hours'],
    ['Bring it back in its bag by midnight.', 'contradicts hours'],
    ['We return your call by 9 pm, and return calls left later by 9 pm.', undefined],
    ['Bring your papers by 9 pm. Bring it back, or return it by 9 am.', undefined],
    ['Lessons run 8 am to 8 pm. The shop is open on weekdays.', undefined],
    ['The box kite costs 45 USD a day.', 'names 45, but pricing has 40 for “box kite, day”'],
    ['A lesson is $1,025.50.', 'names 1025.5, but pricing has 25 for “lesson”'],
    ['The box kite costs 40 USD a day, a lesson 25 USD.', undefined],
    ['The box kite costs 80 USD for two days, or $120 for 3 days.', undefined],
    ['The box kite costs 85 USD for two days.', 'names 85, but pricing has 40 for “box kite, day”'],
    ['Two lessons: each lesson is $27.', 'names 27, but pricing has 25 for “lesson”'],
    ['A new line costs 3 USD.', undefined],
    ['A deposit of 300 USD is held.', 'names a deposit of 300, but the action’s effect has 200'],
    ['The box kite needs a $200 deposit.', undefined],
    [
      'Our commission is 30 percent.',
      'names a commission of 30 percent, but the record has no commission',
    ],
    ['A hold lasts 24 hours.', 'names 24 hours, but the action’s effect holds the item for 48'],
    ['A hold lasts 48 hours.', undefined],
    [
      'A written answer is free and comes within one business day.',
      'promises an answer within one business day, but respondWithinHours is 24',
    ],
    ['We reply within 3 days.', 'promises an answer within 3 days, but respondWithinHours is 24'],
    ['We reply within 24 hours.', undefined],
    ['We answer within a day.', undefined],
    [
      'We answer within an hour.',
      'promises an answer within an hour, but respondWithinHours is 24',
    ],
    [
      'We reply within twelve hours.',
      'promises an answer within twelve hours, but respondWithinHours is 24',
    ],
    ['We reply within several hours.', undefined],
    ['A person writes back within one day.', undefined],
    ['Return it within two business days.', undefined],
  ])('compares the fact “%s” with hours, prices and holds', (fact, problem) => {
    expect(listFaults({ facts: [fact] })).toEqual(
      problem
        ? [
            `facts.0: ${problem}${problem.endsWith('hours') ? ', which are Monday to Friday 9 am to 5:30 pm; Saturday 10 am to 2 pm; Sunday closed' : ''}. Correct one of the two.`,
          ]
        : [],
    );
  });
});

it.each(['eight', '8', 'Eight'])('reads “within %s hours” as 8 hours', (count) => {
  const fact = `We answer within ${count} hours.`;
  expect(listFaults({ facts: [fact] }, {}, 8)).toEqual([]);
});

describe('the hours in words', () => {
  const clock = fc
    .integer({ min: 0, max: 47 })
    .map((half) => `${String(half >> 1).padStart(2, '0')}:${half % 2 ? '30' : '00'}`);
  const dayHours = fc
    .uniqueArray(fc.oneof(clock, fc.constantFrom('00:00', '12:00', '23:59')), {
      minLength: 2,
      maxLength: 2,
    })
    .map((times) => times.toSorted());
  const anyHours = fc
    .tuple(
      fc.array(dayHours, { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(), { minLength: allDays.length, maxLength: allDays.length }),
    )
    .map(([entries, choices]) =>
      entries.flatMap(([opens, closes], index) => {
        const days = allDays.filter((_, day) => choices[day]! % (entries.length + 1) === index);
        return days.length ? [{ days, opens: opens!, closes: closes! }] : [];
      }),
    )
    .filter((hours) => hours.length > 0);

  it('never contradict the hours', () => {
    const { subsites } = readRegistry('registry', toSources(createSampleFiles()));
    const sample = subsites.find(({ name }) => name === 'kites')!;
    fc.assert(
      fc.property(anyHours, (hours) => {
        const availability = formatHours(hours);
        const facts = [`We are open ${availability}.`];
        expect(findContradictions({ ...sample, hours, availability, facts }, 72)).toEqual([]);
      }),
      createPropertyParameters(300),
    );
  });

  it.each([
    ['from noon to 5 pm', true],
    ['9 am to noon', true],
    ['9 am to midnight', false],
  ])('contradict other hours: %s', (text, isContradiction) => {
    const hours = [{ days: allDays, opens: '09:00', closes: '23:59' }];
    expect(listFaults({ hours, availability: `Every day ${text}` })).toHaveLength(
      isContradiction ? 1 : 0,
    );
  });
});

describe('weekdays of answers in a record without hours', () => {
  const problem =
    'names weekdays, but the record has no hours, so its forms promise answers on every day. Add hours, or correct the text.';
  const withoutHours = { hours: undefined, pricing: undefined };

  it.each([
    ['Email is answered Monday to Friday', true],
    ['Demos Mon–Fri by video call', true],
    ['Mon-Fri', true],
    ['Consultations Tuesdays through Saturdays; weddings every day', true],
    ['Drop-off Tuesday and Wednesday', false],
    ['Deliveries on Mondays, 3 pm to 7 pm', false],
    ['Online at any time', false],
  ])('are reported in the availability “%s”: %s', (availability, isReported) => {
    const faults = isReported ? [`availability: ${problem}`] : [];
    expect(listFaults({ ...withoutHours, availability })).toEqual(faults);
  });

  it.each([
    ['We reply within a day, Monday to Friday.', true],
    ['The museum next door is open Monday to Friday.', false],
  ])('are reported in the fact “%s”: %s', (fact, isReported) => {
    const faults = isReported ? [`facts.0: ${problem}`] : [];
    expect(listFaults({ ...withoutHours, facts: [fact] })).toEqual(faults);
    expect(listFaults({ facts: [fact] })).toEqual([]);
  });
});

it.each([
  ['The next page has a box for it.', undefined, true],
  ['The next page has a box for it.', 'Write what you want.', false],
  ['We reply with a price.', undefined, false],
])('reports “%s” with the message hint %s: %s', (intro, messageHint, isReported) => {
  const files = createSampleFiles();
  const [action] = files['subsites/kites.yaml']!['actions'] as [object];
  Object.assign(action, { intro, messageHint });
  const { subsites } = readRegistry('registry', toSources(files));
  const kites = subsites.find(({ name }) => name === 'kites')!;
  expect(findContradictions(kites, 72).map(({ path }) => path.join('.'))).toEqual(
    isReported ? ['actions.0.intro'] : [],
  );
});

describe('purchase terms of a catalog', () => {
  it.each([
    ['A lesson costs 25 USD.', undefined],
    ['A lesson costs 30 USD.', 'names 30, but pricing has 25 for “lesson”.'],
    ['We are open Monday to Friday, 9 am to 5 pm.', undefined],
    ['We are open Monday to Friday, 9 am to 6 pm.', 'contradicts hours,'],
  ])('compares “%s” with the prices and hours of the subsite', (term, problem) => {
    const files = createSampleFiles();
    Object.assign(files['subsites/kites.yaml']!, {
      hours: [{ days: weekdays, opens: '09:00', closes: '17:00' }],
      pricing: [{ unit: 'lesson', amount: 25, currency: 'USD' }],
    });
    Object.assign(files['catalog/kites.yaml']!, { purchaseTerms: ['Free of charge.', term] });
    const { subsites, catalogs } = readRegistry('registry', toSources(files));
    const kites = subsites.find(({ name }) => name === 'kites')!;
    const found = findPurchaseTermsContradictions(kites, catalogs['kites']!);
    expect(found).toEqual(
      problem === undefined
        ? []
        : [{ path: ['purchaseTerms', 1], problem: expect.stringContaining(problem) }],
    );
  });
});

describe('prices of a subsite in other texts', () => {
  /** Warnings for a page of kites or an item of lines with this text, as `record path: problem`. */
  function listWarnings(record: 'pages/kites/terms' | 'catalog/lines', text: string): string[] {
    const files = createSampleFiles();
    Object.assign(files['subsites/kites.yaml']!, {
      pricing: [
        { unit: 'box kite, day', amount: 40, currency: 'USD' },
        { unit: 'lesson', amount: 25, currency: 'USD' },
        { unit: 'trial flight', amount: 15, currency: 'USD' },
      ],
    });
    if (record === 'pages/kites/terms') files['pages/kites/terms.md']!.body = text;
    else
      files['catalog/lines.yaml'] = {
        title: 'Articles',
        noun: 'article',
        schemaType: 'Article',
        items: [{ id: 'first', title: 'First', summary: 'An article.', body: text }],
      };
    return findLinkedPriceContradictions(readRegistry('registry', toSources(files))).flatMap(
      (found) =>
        found.problems.map(({ path, problem, location }) => {
          const { index } = [...text.matchAll(location!.pattern)][location!.match]!;
          return `${found.record} ${path.join('.')} ${index}: ${problem}`;
        }),
    );
  }

  it.each([
    ['A trial flight costs $15, a lesson $25.', undefined],
    [
      'It is fun.\nA trial\nflight costs $12.',
      'names 12, but subsites/kites has 15 for “trial flight”',
    ],
    ['It is fun.\nA lesson costs $30.', 'names 30, but subsites/kites has 25 for “lesson”'],
    ['A lesson costs $15 less in May.', undefined],
    ['For a trial flight, the deposit is $100.', undefined],
  ])('are compared in a page below it: %j', (text, problem) => {
    expect(listWarnings('pages/kites/terms', text)).toEqual(
      problem ? [`pages/kites/terms  11: ${problem}. Correct one of the two.`] : [],
    );
  });

  it.each([
    ['A trial flight costs $12 elsewhere.', undefined],
    [
      'See [Kites](/kites). A trial flight costs $12.',
      'names 12, but subsites/kites has 15 for “trial flight”',
    ],
    [
      'See [it](/kites/terms). A box kite is $50 a day.',
      'names 50, but subsites/kites has 40 for “box kite, day”',
    ],
    [
      'See [Kites](/kites). A box kite for two days, in the week: a day costs $80 for both.',
      undefined,
    ],
    ['See [Kites](/kites). A driving lesson costs $60.', undefined],
    ['See [Kites](/kites) or [Lines](/lines).\n\nA trial flight costs $12.', undefined],
  ])('are compared in an article with a link to it: %j', (text, problem) => {
    expect(listWarnings('catalog/lines', text)).toEqual(
      problem
        ? [`catalog/lines items.0.body ${text.indexOf('A ')}: ${problem}. Correct one of the two.`]
        : [],
    );
  });

  it('agree in the shipped registry', () => {
    expect(
      findLinkedPriceContradictions(loadRegistry('registry')).flatMap(({ problems }) => problems),
    ).toEqual([]);
  });
});
