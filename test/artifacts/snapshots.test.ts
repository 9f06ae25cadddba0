import { expect, it } from 'vitest';
import { loadRegistry } from '../../src/registry/index.ts';
import { networks } from './networks.ts';

it('a snapshot shows its record’s text and figures that are counted from the records', () => {
  const { json } = networks[1]!;
  expect(json('/api/reading-room/figures')).toEqual({
    name: 'reading-room-figures',
    title: 'The libraries in figures',
    description: 'The numbers of services, stops and facts.',
    subsite: 'reading-room',
    generatedAt: '2026-11-06T20:40:00.000Z',
    data: {
      desks: 12,
      services: 4,
      stops: 4,
      statements: 4,
      open: 3,
      closed: 1,
      requests: 2,
      offers: 5,
      lessons: 1,
    },
  });
});

it('publishes no empty value in the snapshots, such as one from an unquoted comma in YAML', () => {
  const findEmptyPaths = (value: unknown, path: string): string[] =>
    value === null
      ? [path]
      : typeof value === 'object'
        ? Object.entries(value!).flatMap(([key, inner]) => findEmptyPaths(inner, `${path}.${key}`))
        : [];
  const { subsites } = loadRegistry('registry');
  expect(
    subsites.flatMap(({ snapshots = [] }) =>
      snapshots.flatMap(({ path, data }) => findEmptyPaths(data, path)),
    ),
  ).toEqual([]);
});
