import { expect, it } from 'vitest';
import { leadStatuses } from '../../src/leads/lead-states.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { states } from '../../src/text/index.ts';

const { subsites } = loadRegistry('registry');

it('the results page lists each request state by its title on the receipt and by its API name', () => {
  const { intro = '' } = subsites.find(({ name }) => name === 'results')!;
  const namedStates = [...intro.matchAll(/^\| ([\w ]+) \|/gm)].map(([, title]) => title);
  expect(namedStates).toEqual([
    'On the receipt',
    ...leadStatuses.map((state) => states[state].title),
  ]);
  expect([...intro.matchAll(/`(\w+)`/g)].map(([, state]) => state)).toEqual(leadStatuses);
});

it('a snapshot that lists the request states lists all of them, in order', () => {
  const listedStates = subsites.flatMap(({ snapshots = [] }) =>
    snapshots.flatMap(({ data }) => ('states' in data ? [data['states']] : [])),
  );
  expect(listedStates).toEqual(listedStates.map(() => leadStatuses));
  expect(listedStates.length).toBeGreaterThan(0);
});
