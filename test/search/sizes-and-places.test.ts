import { describe, expect, it } from 'vitest';
import { loadRegistry } from '../../src/registry/index.ts';
import { findNeed } from '../../src/search/find-need.ts';
import { createServiceIndex } from '../../src/search/services.ts';
import { wordsOf } from '../../src/search/index/terms.ts';
import { search as texts } from '../../src/text/index.ts';

const registry = loadRegistry('registry');
const index = createServiceIndex(registry);

describe('a size', () => {
  it.each([
    ['16-foot', '16 ft', '16ft', "16'", '16’', '16 feet', '16 pies'],
    ['5 kW', '5kW', '5-kilowatt', '5 kilowatts'],
    ['2,500 W', '2500w', '2500 watts', '2,500-watt'],
    ['2 kVA', '2kva'],
    ['20 lb', '20lbs', '20-pound', '20 pounds'],
    ['3-ton', '3 tons'],
    ['60-inch', '60″', '60"', '60 inches', '60 pulgadas'],
  ])('has the same words however it is written: %s', (...sizes) => {
    const [first, ...others] = sizes.map((size) => wordsOf(`a ${size} one`).slice(1, 3));
    for (const other of others)
      expect(other.map((word) => word.replace(/s$/, ''))).toEqual(
        first!.map((word) => word.replace(/s$/, '')),
      );
  });

  it.each([
    ['a 5 kW generator', 'generator'],
    ['I need a 5 kW generator for Saturday', 'generator'],
    ['generator 40 kW', 'generator'],
    ['2 kVA generator', 'generator'],
    ['5000W generator', 'generator'],
    ['generador de 5 kW', 'generator'],
    ['a 3 ton AC', 'hvac'],
    ['20 lb propane', 'generator'],
    ['a 16-foot trailer', 'trailer'],
    ['trailer in Gulf County', 'trailer'],
    ['trailer near 2455 W Bay', 'trailer'],
    [`8'x30" table`, 'picnic-table'],
    [`6'x4' folding table`, 'tables'],
  ])('or a place never hides the service: %s', (query, subsite) => {
    const { found, notOffered } = findNeed(index, query);
    expect([found[0]?.subsite, notOffered]).toEqual([subsite, undefined]);
  });

  it.each([
    'a 16-foot trailer',
    'Is there a trailer with 16 feet?',
    "16' trailer",
    'remolque 16 pies',
    'remolque de 16 pies',
    'generador 16 pies',
  ])('that no item has finds nothing by its number: %s', (query) =>
    expect(findNeed(index, query).found.map(({ subsite }) => subsite)).not.toContain('pools'),
  );

  it('finds nothing else by its number in the same service', () =>
    expect(findNeed(index, 'a 12 foot ladder').found.map(({ title }) => title)).toEqual([
      expect.stringContaining('ladder'),
    ]));

  it.each([
    ['6x12 trailer', '6x12'],
    ["6'x12' trailer", '6x12'],
    ["6' x 12' trailer", '6x12'],
    ['6ft x 12ft trailer', '6x12'],
    ['6 x 12 trailer', '6x12'],
    ['6 by 12 trailer', '6x12'],
    ["5'x8' trailer", '5x8'],
    ["7'x14' trailer", '7x14'],
    ['60″ table', 'table-round-60in'],
    ['60" table', 'table-round-60in'],
    ['60 inch table', 'table-round-60in'],
  ])('that an item has ranks the item first in its service: %s', (query, expected) => {
    const [item] = findNeed(index, query).found.filter((entry) => entry.item);
    expect(item?.item).toBe(expected);
  });

  it('is no direction in an address', () =>
    expect(findNeed(index, '300 W Bay Dr Largo').found).toEqual([]));
});

it.each(['33707', 'Largo', 'St. Petersburg', 'in Tampa tomorrow', 'Gulf County', '16 ft', '$20'])(
  'a place, a ZIP code or a size alone is answered with what to type: %s',
  (query) =>
    expect(findNeed(index, query)).toEqual({
      found: [],
      notOffered: texts.noNeed,
      notOfferedCode: 'not_understood',
    }),
);

it('a search without results always says why', () => {
  const words = [
    ...new Set(
      registry.subsites.flatMap(({ title, keywords = [] }) =>
        [title, ...keywords].flatMap((text) => wordsOf(text)),
      ),
    ),
  ];
  const others = ['care', 'dog', 'my', 'take', 'of', 'for', 'repair', 'a', 'who', 'mother', '12'];
  const queries = words.flatMap((word, position) =>
    others.map((other, step) =>
      [other, word, others[(position + step) % others.length], words[(7 * position) % words.length]]
        .slice(0, 2 + (position % 3))
        .join(' '),
    ),
  );
  expect(
    ['take care of my dog', ...queries].filter((query) => {
      const { found, notOffered } = findNeed(index, query);
      return found.length === 0 && notOffered === undefined;
    }),
  ).toEqual([]);
});
