import type { Item } from '../registry/schemas/catalog.ts';

/**
 * A board of a puzzle: a block of houses, some with their lights on. Pressing a house toggles its
 * light and the lights of its direct neighbors.
 */
export interface LightBoard {
  columns: number;
  rows: number;
  /** The state of each light, row by row; true if it is on. */
  lit: readonly boolean[];
}

/**
 * Maximum number of columns and of rows: letters name the columns, and the solver tries every
 * combination for the first row.
 */
const MAX_SIDE_LENGTH = 10;

/** Item attributes that the drawing of the board already shows. */
export const boardAttributes: readonly string[] = ['columns', 'rows', 'lit_by_row'];

/** The letter for a column of houses, starting with A. */
const formatColumnName = (column: number): string => String.fromCharCode(65 + column);

/** Name of a house, such as “C2”. */
export const formatHouseName = ({ columns }: LightBoard, house: number): string =>
  `${formatColumnName(house % columns)}${Math.floor(house / columns) + 1}`;

/**
 * Reads the board that an item’s `columns`, `rows` and `lit_by_row` (“1 AB, 2 A”) describe;
 * undefined if they are invalid.
 */
export function readLightBoard({ attributes = {} }: Item): LightBoard | undefined {
  const { columns, rows, lit_by_row: text } = attributes;
  const isCount = (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value > 1 && value <= MAX_SIDE_LENGTH;
  if (!isCount(columns) || !isCount(rows) || typeof text !== 'string') return undefined;
  const lit = Array.from({ length: columns * rows }, () => false);
  for (const entry of text.split(', ')) {
    const [, row, houses] = /^(\d+) ([A-Z]+)$/.exec(entry) ?? [];
    if (!row || !houses || Number(row) < 1 || Number(row) > rows) return undefined;
    for (const letter of houses) {
      const column = letter.charCodeAt(0) - 65;
      if (column >= columns) return undefined;
      lit[(Number(row) - 1) * columns + column] = true;
    }
  }
  return { columns, rows, lit };
}

/** Lists the houses on a board, row by row. */
export const listHouseRows = ({ columns, rows }: LightBoard): number[][] =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => row * columns + column),
  );

/** The board after a house is pressed. */
export function pressHouse(board: LightBoard, house: number): LightBoard {
  const { columns, rows, lit } = board;
  const [row, column] = [Math.floor(house / columns), house % columns];
  const next = [...lit];
  for (const [down, right] of [
    [0, 0],
    [-1, 0],
    [1, 0],
    [0, -1],
    [0, 1],
  ] as const) {
    const [r, c] = [row + down, column + right];
    if (r >= 0 && r < rows && c >= 0 && c < columns) next[r * columns + c] = !next[r * columns + c];
  }
  return { ...board, lit: next };
}

/** Counts the lights that are on. */
export const countLightsOn = ({ lit }: LightBoard): number => lit.filter(Boolean).length;

/**
 * Finds the smallest set of houses to press to turn off every light; undefined if there is none.
 * The first row determines all others: a light that is on can only be turned off from below.
 */
export function solveLightBoard(board: LightBoard): number[] | undefined {
  const { columns, rows } = board;
  let best: number[] | undefined;
  for (let first = 0; first < 2 ** columns; first++) {
    const pressedHouses: number[] = [];
    let remainingBoard = board;
    const pressOne = (house: number) => {
      pressedHouses.push(house);
      remainingBoard = pressHouse(remainingBoard, house);
    };
    for (let column = 0; column < columns; column++) if (first & (1 << column)) pressOne(column);
    for (let house = columns; house < columns * rows; house++)
      if (remainingBoard.lit[house - columns]) pressOne(house);
    if (!remainingBoard.lit.includes(true) && (!best || pressedHouses.length < best.length))
      best = pressedHouses;
  }
  return best;
}
