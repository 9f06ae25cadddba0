import { expect, it } from 'vitest';
import { listFutureDateFields } from '../../src/fields/fields.ts';
import { isClosedOn } from '../../src/site/calendar/opening-hours.ts';
import { shiftExampleDates } from '../../src/registry/bookable-examples.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import type { Registry } from '../../src/site/registry.ts';

const listHoldDates = (registry: Registry) =>
  registry.subsites.flatMap(({ actions }) =>
    actions.flatMap(({ effect, fields }) =>
      effect?.kind === 'hold'
        ? [[fields[effect.fromField]!.example!, fields[effect.toField]!.example!] as const]
        : [],
    ),
  );

it.each(['registry', 'test/fixtures/network-of-four'])(
  'the example holds of %s are moved to days after the build date and keep their length',
  (folder) => {
    const registry = loadRegistry(folder);
    const builtAt = new Date('2027-12-25T12:00:00.000Z');
    const durationOf = (dates: readonly [string, string]) =>
      Date.parse(dates[1]) - Date.parse(dates[0]);
    expect(listHoldDates(registry).length).toBeGreaterThan(0);
    const shiftedHolds = listHoldDates(shiftExampleDates(registry, builtAt));
    expect(shiftedHolds.map(([from]) => from)).toEqual(shiftedHolds.map(() => '2028-04-23'));
    expect(shiftedHolds.map(durationOf)).toEqual(listHoldDates(registry).map(durationOf));
  },
);

it('no example day is one on which its subsite is closed, whatever the day of the build', () => {
  const registry = loadRegistry('registry');
  const closedExamples: string[] = [];
  for (let day = 1; day <= 7; day++) {
    const builtAt = new Date(`2027-09-0${day}T12:00:00.000Z`);
    for (const subsite of shiftExampleDates(registry, builtAt).subsites)
      for (const { verb, fields } of subsite.actions)
        for (const name of listFutureDateFields(fields)) {
          const { example } = fields[name]!;
          if (example && isClosedOn(subsite, example))
            closedExamples.push(`${subsite.name} ${verb} ${name}: ${example}`);
        }
  }
  expect(closedExamples).toEqual([]);
});
