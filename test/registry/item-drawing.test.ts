import { describe, expect, test } from 'vitest';
import {
  createDrawing,
  createDrawings,
  computeScale,
  DRAWING_WIDTH,
} from '../../src/components/drawing/drawing.ts';
import { formatFeetAndInches } from '../../src/components/drawing/measures.ts';
import { drawView } from '../../src/components/drawing/view.ts';
import { describeDrawing, describeDrawings } from '../../src/components/drawing/words.ts';
import type { Item } from '../../src/registry/schemas/catalog.ts';

const createItem = (attributes: NonNullable<Item['attributes']>): Item => ({
  id: 'thing',
  title: 'Thing',
  summary: 'A thing.',
  attributes,
});
const draw = (attributes: NonNullable<Item['attributes']>) => {
  const drawing = createDrawing(createItem(attributes));
  if (!drawing) throw new Error('There is no drawing.');
  return drawing;
};
const describeItem = (attributes: NonNullable<Item['attributes']>) =>
  describeDrawing(draw(attributes));

describe('measurements', () => {
  test.each([
    [6, '6 ft'],
    [2.5, '2 ft 6 in'],
    [1.5, '18 in'],
    [4.25 / 12, '4¼ in'],
    [8.5 / 12, '8½ in'],
    [0.25 / 12, '¼ in'],
    [23.99 / 12, '2 ft'],
    [5.999, '6 ft'],
  ])('of %s feet are formatted as “%s”', (feet, text) => {
    expect(formatFeetAndInches(feet)).toBe(text);
  });

  test.each([
    [{}],
    [{ width_in: 27, volts: '120' }],
    [{ height_in: 26 }],
    [{ diagonal_in: 27 }],
    [{ length_ft: 0, width_ft: 5 }],
    [{ length_ft: '8', width_ft: '5' }],
    [{ floor_space_width_in: 30, floor_space_depth_in: 34 }],
  ])('of %o are not enough for a drawing', (attributes) => {
    expect(createDrawing(createItem(attributes))).toBeUndefined();
  });
});

describe('a drawing', () => {
  test('shows two sides of a piece of furniture', () => {
    expect(describeItem({ width_in: 60, depth_in: 18, height_in: 31 })).toBe(
      'From the side: 5 ft across, 2 ft 7 in high. From above: 5 ft by 18 in.',
    );
  });

  test('shows people at a table', () => {
    expect(describeItem({ length_in: 72, width_in: 30, seats: 6 })).toBe(
      'From above: 6 ft by 2 ft 6 in. It seats 6 people.',
    );
    expect(describeItem({ diameter_in: 60, seats: 8 })).toBe(
      'From above: 5 ft across. It seats 8 people.',
    );
  });

  test('shows an unknown side dashed, without a measurement', () => {
    const drawing = draw({ length_ft: 8, seats: 7 });
    expect(describeDrawing(drawing)).toBe('From above: 8 ft wide. It seats 7 people.');
    const { parts, vertical } = drawView(drawing.views[0]!);
    expect(vertical).toBeUndefined();
    expect(
      parts.filter((part) => 'appearance' in part).map(({ appearance }) => appearance),
    ).toEqual(['unknown']);
    expect(parts.filter(({ part }) => part === 'fromAbove')).toHaveLength(7);
    expect(describeDrawings([drawing])).toContain(
      'Drawn to scale. The exception is a dashed outline: only its width is to scale.',
    );
  });

  test('shows a machine on the floor space it needs', () => {
    expect(describeItem({ width_in: 27, floor_space_width_in: 30, floor_space_depth_in: 34 })).toBe(
      'From above: 2 ft 3 in wide. It needs 2 ft 6 in by 2 ft 10 in of floor space.',
    );
  });

  test('shows a set of crates as cubes with the same volume', () => {
    const drawing = draw({ crates: 10, crate_volume_cuft: 8 });
    expect(describeDrawing(drawing)).toBe(
      'A stack of 10. Each holds 8 cubic feet, as much as a cube 2 ft on a side.',
    );
    expect(drawView(drawing.views[0]!).parts.filter(({ part }) => part === 'rect')).toHaveLength(
      10,
    );
  });

  test('states the height of the standing person if others are seen from above', () => {
    expect(
      describeDrawings([
        draw({ diameter_in: 60, seats: 8 }),
        draw({ diameter_in: 30, height_in: 42 }),
      ]),
    ).toBe('All drawings are to the same scale. The person standing is 5 ft 8 in tall.');
  });

  test('shows the scale with a coin for small objects and a person for others', () => {
    expect(describeDrawings([draw({ width_in: 6, height_in: 4.25 })])).toBe(
      'Drawn to scale. The small circle is a quarter.',
    );
    expect(describeDrawings([draw({ width_in: 32, height_in: 72 })])).toBe(
      'Drawn to scale. The person is 5 ft 8 in tall.',
    );
    expect(describeDrawings([draw({ diameter_ft: 9 })])).toBe(
      'Drawn to scale. The people show the scale.',
    );
  });
});

describe('drawings in a list', () => {
  const smallItem = createItem({ length_ft: 4, width_ft: 2 });
  const largeItem = createItem({ length_ft: 16, width_ft: 8 });
  const itemWithoutSize = createItem({});

  test('are omitted if only a few items have a drawing', () => {
    expect(
      createDrawings([
        smallItem,
        largeItem,
        itemWithoutSize,
        itemWithoutSize,
        itemWithoutSize,
        itemWithoutSize,
      ]),
    ).toHaveLength(2);
    expect(
      createDrawings([
        smallItem,
        largeItem,
        itemWithoutSize,
        itemWithoutSize,
        itemWithoutSize,
        itemWithoutSize,
        itemWithoutSize,
      ]),
    ).toEqual([]);
    expect(createDrawings([smallItem])).toEqual([]);
  });

  test('share one scale, at which the largest item fits', () => {
    const items = [smallItem, largeItem, createItem({ width_in: 48, height_in: 72, depth_in: 18 })];
    const { unit } = computeScale(createDrawings(items));
    const widths = createDrawings(items).flatMap(({ views }) =>
      views.map((view) => drawView(view).width * unit),
    );
    expect(Math.max(...widths)).toBeLessThanOrEqual(DRAWING_WIDTH);
    expect(unit).toBeLessThan(computeScale(createDrawings([smallItem, smallItem])).unit);
  });

  test('stay within their viewport', () => {
    const items: NonNullable<Item['attributes']>[] = [
      { length_ft: 8, seats: 7 },
      { diameter_in: 60, seats: 8 },
      { length_ft: 14, width_ft: 7, height_ft: 2 },
      { crates: 40, crate_volume_cuft: 2.4 },
      { width_in: 54, floor_space_width_in: 60, floor_space_depth_in: 34 },
      { width_in: 6, height_in: 4.25 },
      { diameter_in: 12 },
    ];
    for (const attributes of items)
      for (const view of draw(attributes).views.map(drawView))
        for (const part of view.parts) {
          const partWidth = 'width' in part ? part.width : 0;
          expect(part.x).toBeGreaterThanOrEqual(0);
          expect(part.x + partWidth).toBeLessThanOrEqual(view.width + 1e-9);
          expect(-part.y).toBeLessThanOrEqual(view.height + 1e-9);
        }
  });
});
