import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/registry/schemas/catalog.ts';
import { rules } from '../../src/registry/rules/index.ts';
import {
  formatHouseName,
  readLightBoard,
  countLightsOn,
  pressHouse,
  solveLightBoard,
} from '../../src/site/light-board.ts';

const createBoard = (columns: number, rows: number, lit: string) =>
  readLightBoard({
    id: 'b',
    title: 'B',
    summary: 'B.',
    attributes: { columns, rows, lit_by_row: lit },
  });

describe('a board of lights', () => {
  it('is read from the rows of its record', () => {
    expect(createBoard(3, 2, '1 AC, 2 B')?.lit).toEqual([true, false, true, false, true, false]);
    expect(formatHouseName(createBoard(3, 2, '1 A')!, 5)).toBe('C2');
  });

  it.each([
    [3, 2, '1 AD'],
    [3, 2, '3 A'],
    [3, 2, '0 A'],
    [3, 2, 'A1'],
    [1, 2, '1 A'],
    [11, 2, '1 A'],
    [2.5, 2, '1 A'],
  ])('is undefined if a record specifies %s by %s, “%s”', (columns, rows, lit) => {
    expect(createBoard(columns, rows, lit)).toBeUndefined();
  });

  it('switches a house and its direct neighbors, and switches them back when pressed again', () => {
    const pressedBoard = pressHouse(createBoard(3, 3, '1 A')!, 4);
    expect(pressedBoard.lit.map(Number).join('')).toBe('110111010');
    expect(pressHouse(pressedBoard, 4)).toEqual(createBoard(3, 3, '1 A'));
  });

  it('is solved with the fewest presses, or not at all', () => {
    const corner = createBoard(5, 5, '1 AB, 2 A')!;
    expect(solveLightBoard(corner)).toEqual([0]);
    expect(solveLightBoard(createBoard(5, 5, '1 A')!)).toBeUndefined();
    const solveBoard = (board: NonNullable<typeof corner>) =>
      solveLightBoard(board)!.reduce(pressHouse, board);
    expect(countLightsOn(solveBoard(createBoard(6, 6, '3 ABCDEF, 4 ABCDEF')!))).toBe(0);
  });

  it.each([
    [{ lights_on: 2 }, 'lights_on', 'Use 3.'],
    [{ lights_on: 3, fewest_presses: 2 }, 'fewest_presses', 'Use 1.'],
    [{ lit_by_row: '1 A' }, 'lit_by_row', 'cannot be solved'],
  ])('is validated: %j', (more, attribute, text) => {
    const { check } = rules.find(({ name }) => name === 'light-board')!;
    const item: Item = {
      id: 'b',
      title: 'B',
      summary: 'B.',
      attributes: { columns: 5, rows: 5, lit_by_row: '1 AB, 2 A', ...more } as Item['attributes'],
    };
    const records = { catalogs: { game: { items: [item] } } } as never;
    const [fault] = [...check(records, undefined as never)];
    expect(fault).toMatchObject({ path: ['items', 0, 'attributes', attribute] });
    expect(fault!.problem).toContain(text);
  });
});
