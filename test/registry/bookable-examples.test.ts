import { expect, it } from 'vitest';
import { withBookableExamples } from '../../src/registry/bookable-examples.ts';
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
    const shiftedHolds = listHoldDates(withBookableExamples(registry, builtAt));
    expect(shiftedHolds.map(([from]) => from)).toEqual(shiftedHolds.map(() => '2028-04-23'));
    expect(shiftedHolds.map(durationOf)).toEqual(listHoldDates(registry).map(durationOf));
  },
);
