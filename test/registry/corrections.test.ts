import { expect, it } from 'vitest';
import {
  suggestNumberCorrection,
  describeDateFault,
  describeTimeFault,
} from '../../src/site/corrections/corrections.ts';
import { readRegistry } from '../../src/registry/read.ts';
import { RegistryError } from '../../src/registry/fault.ts';
import { createSampleFiles, type EditableRecord, toSources } from './sample-registry.ts';

it.each([
  ['$15', 'Write 15.'],
  ['US$ 15.50', 'Write 15.50.'],
  ['129,-', 'Write 129.'],
  ['129.-', 'Write 129.'],
  ['129 USD', 'Write 129.'],
  ['129 dollars', 'Write 129.'],
  ['151,50', 'Write 151.50.'],
  ['1,299.00', 'Write 1299.00.'],
  ['$1,299,000', 'Write 1299000.'],
  ['1.299,00', 'Write 1299.00.'],
  ['1,299', 'Write 1299.'],
  ['129 EUR', undefined],
  ['12 or 15', undefined],
  ['12-15', undefined],
])('a number written as %s gets the advice: %s', (text, advice) => {
  expect(suggestNumberCorrection(text)).toBe(advice);
});

it.each([
  ['8:00', '08:00'],
  ['9am', '09:00'],
  ['7 am', '07:00'],
  ['5:30 p.m.', '17:30'],
  ['12am', '00:00'],
  ['12 PM', '12:00'],
])('a time written as %s gets the advice to write %s', (text, time) => {
  expect(describeTimeFault(text)).toBe(`is not a time of day. Write ${time}.`);
});

it.each(['13pm', '0am', '9', '24:00', '9:75', '9-17', 'noon'])(
  'a time written as %s gets the general rule',
  (text) => {
    expect(describeTimeFault(text)).toContain('Enter a time from 00:00 to 23:59');
  },
);

it.each([
  ['11/23/2026', 'Write 2026-11-23.'],
  ['23.11.2026', 'Write 2026-11-23.'],
  ['25.12.2026', 'Write 2026-12-25.'],
  ['2026/1/5', 'Write 2026-01-05.'],
  ['11/12/2026', 'Write 2026-11-12 or 2026-12-11.'],
  ['7/7/2026', 'Write 2026-07-07.'],
  ['2/29/2027', 'Use YYYY-MM-DD.'],
  ['31.2.2026', 'Use YYYY-MM-DD.'],
  ['2026-02-30', 'Use YYYY-MM-DD.'],
  ['Monday', 'Use YYYY-MM-DD.'],
])('a date written as %s gets the advice: %s', (text, advice) => {
  expect(describeDateFault(text)).toBe(`is not a calendar date. ${advice}`);
});

/** The faults of the sample registry after a change, each as `path: problem`. */
function findFaults(edit: (files: Record<string, EditableRecord>) => void): string[] {
  const files = createSampleFiles();
  edit(files);
  try {
    readRegistry('registry', toSources(files));
    return [];
  } catch (error) {
    return (error as RegistryError).faults.map(({ path, problem }) => `${path}: ${problem}`);
  }
}

it('fields of records get the same advice', () => {
  expect(
    findFaults((files) => {
      files['subsites/kites.yaml']!.pricing = [{ unit: 'day', amount: '129,-', currency: 'USD' }];
      files['subsites/kites.yaml']!.updated = '11/23/2026';
      files['subsites/kites.yaml']!.hours = [{ days: ['Monday'], opens: '9am', closes: '17:00' }];
    }),
  ).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^pricing\[0\]\.amount: is text\. .* Write 129\.$/),
      'updated: is not a calendar date. Write 2026-11-23.',
      'hours[0].opens: is not a time of day. Write 09:00.',
    ]),
  );
  expect(
    findFaults((files) => {
      files['subsites/kites.yaml']!.actions[0].fields.from.example = '11/23/2026';
    }),
  ).toContain('actions[0].fields.from.example: is not a calendar date. Write 2026-11-23.');
});

it('hours that are text get an example', () => {
  const example = '{days: [Monday, Tuesday], opens: "09:00", closes: "17:00"}';
  expect(findFaults((files) => (files['subsites/kites.yaml']!.hours = '9-17'))).toContainEqual(
    expect.stringContaining(`such as - ${example}.`),
  );
  expect(findFaults((files) => (files['subsites/kites.yaml']!.hours = ['9-17']))).toContainEqual(
    expect.stringContaining(`such as ${example}.`),
  );
});

it('a record that is text gets the form of a record', () => {
  expect(findFaults((files) => (files['subsites/lines.yaml'] = 'lines' as never))).toContain(
    ': is text. Use keys with values, one “key: value” per line.',
  );
});

it('a name with capitals and spaces is not a valid name', () => {
  expect(findFaults((files) => (files['links.yaml']![0].slug = 'Xmas Sale'))).toEqual([
    '[0].slug: is not a valid name. Use lowercase letters, digits and single hyphens.',
  ]);
});

it('a subsite in a subfolder gets the advice to move it', () => {
  const faults = findFaults((files) => {
    files['subsites/old/lines.yaml'] = files['subsites/lines.yaml']!;
    delete files['subsites/lines.yaml'];
  });
  expect(faults).toEqual([': is in a subfolder. Move it to registry/subsites.']);
});
