import { formatFeetAndInches, type Measurements } from './measures.ts';

/** One side of an item; lengths in feet. */
export type View =
  | { kind: 'side'; width: number; height: number }
  | {
      kind: 'above';
      width: number;
      /** Undefined if unknown; the item is then drawn with a dashed outline. */
      depth: number | undefined;
      round: boolean;
      seats: number;
      floor: Measurements['floor'];
    }
  | { kind: 'stack'; count: number; volume: number; edge: number };

/**
 * A part of a view, in feet from the left end of the ground. `y` grows downward, so heights above
 * the ground are negative.
 */
export type Part =
  | {
      part: 'rect';
      x: number;
      y: number;
      width: number;
      height: number;
      /** The item, its floor space, or an item with an unknown side. */
      appearance: 'item' | 'floor' | 'unknown';
    }
  | { part: 'disc'; x: number; y: number; radius: number; appearance: 'item' | 'coin' }
  | { part: 'grid'; x: number; y: number; width: number; height: number }
  /** A person from the front, with the feet at this point. */
  | { part: 'standing'; x: number; y: number }
  /** A person seen from above, rotated by this many degrees. */
  | { part: 'fromAbove'; x: number; y: number; turn: number };

/** A dimension line next to a view: its ends in feet, and its text. */
export interface Dimension {
  from: number;
  to: number;
  label: string;
}

/** A view with its parts and dimensions, in feet. */
export interface DrawnView {
  width: number;
  height: number;
  parts: readonly Part[];
  /** The dimension line below the view, from left to right. */
  horizontal: Dimension;
  /**
   * The dimension line left of the view, from top to bottom; absent if that dimension is unknown.
   */
  vertical?: Dimension;
  /** The width of the item within its floor space. */
  inner?: { x: number; y: number; label: string };
}

/** Height of the person beside an item, in feet: 5 ft 8 in. */
export const PERSON_HEIGHT_FEET = 68 / 12;
/** Diameter of a US quarter, in feet: 0.955 inches. */
const COIN_DIAMETER_FEET = 0.955 / 12;
/** How far a seated person extends from the edge of a table, in feet. */
const SEAT_DEPTH_FEET = 1;
/** Depth of a side with an unknown dimension, in feet. */
const UNKNOWN_DEPTH_FEET = 2.5;
/** Number of containers in a stack. */
const CONTAINERS_PER_STACK = 4;
/** Items up to this size, in feet, are drawn next to a coin instead of a person for scale. */
const MAX_COIN_VIEW_FEET = 1.5;
const GAP_FEET = 0.3;
const SHOULDER_WIDTH_FEET = 1.5;

const createDimension = (from: number, to: number): Dimension => ({
  from,
  to,
  label: formatFeetAndInches(to - from),
});

/**
 * Width, height and parts of a view of an item of this size, next to a coin or a person for scale.
 */
function withScaleReference(
  width: number,
  height: number,
  parts: readonly Part[],
  person: 'standing' | 'fromAbove',
): Pick<DrawnView, 'width' | 'height' | 'parts'> {
  if (Math.max(width, height) < MAX_COIN_VIEW_FEET) {
    const coin = {
      part: 'disc',
      x: width + 1.5 * COIN_DIAMETER_FEET,
      y: -COIN_DIAMETER_FEET / 2,
      appearance: 'coin',
    } as const;
    return {
      width: width + 2 * COIN_DIAMETER_FEET,
      height: Math.max(height, COIN_DIAMETER_FEET),
      parts: [...parts, { ...coin, radius: COIN_DIAMETER_FEET / 2 }],
    };
  }
  const x = width + GAP_FEET + SHOULDER_WIDTH_FEET / 2;
  return {
    width: width + GAP_FEET + SHOULDER_WIDTH_FEET,
    height: Math.max(height, person === 'standing' ? PERSON_HEIGHT_FEET : SHOULDER_WIDTH_FEET),
    parts: [
      ...parts,
      person === 'standing'
        ? { part: 'standing', x, y: 0 }
        : { part: 'fromAbove', x, y: -Math.max(height, SHOULDER_WIDTH_FEET) / 2, turn: 0 },
    ],
  };
}

const createRect = (
  x: number,
  y: number,
  width: number,
  height: number,
  appearance: Extract<Part, { part: 'rect' }>['appearance'] = 'item',
): Part => ({ part: 'rect', x, y, width, height, appearance });

function drawStack({ count, edge }: Extract<View, { kind: 'stack' }>): DrawnView {
  const rows = Math.min(count, CONTAINERS_PER_STACK);
  const cubes = Array.from({ length: count }, (_, index) =>
    createRect(Math.floor(index / rows) * edge, -((index % rows) + 1) * edge, edge, edge),
  );
  const [width, height] = [Math.ceil(count / rows) * edge, rows * edge];
  return {
    ...withScaleReference(width, height, cubes, 'standing'),
    horizontal: createDimension(0, edge),
  };
}

/**
 * People around a round table whose center is at this height, or along the sides of any other
 * table; if their number is odd, the last person sits at the right end.
 */
function drawPeople(view: Extract<View, { kind: 'above' }>, depth: number): Part[] {
  const { width, round, seats } = view;
  const seatOffset = SEAT_DEPTH_FEET / 2;
  if (round)
    return Array.from({ length: seats }, (_, index) => {
      const turn = (index / seats) * 360;
      const angle = (turn * Math.PI) / 180;
      const seatRadius = width / 2 + seatOffset;
      const middle = SEAT_DEPTH_FEET + width / 2;
      return {
        part: 'fromAbove',
        x: middle + Math.sin(angle) * seatRadius,
        y: -middle - Math.cos(angle) * seatRadius,
        turn,
      };
    });
  const seatsPerSide = Math.floor(seats / 2);
  const sides = [-seatOffset, -SEAT_DEPTH_FEET - depth - seatOffset].flatMap((y) =>
    Array.from({ length: seatsPerSide }, (_, index): Part => {
      return { part: 'fromAbove', x: (width * (index + 0.5)) / seatsPerSide, y, turn: 0 };
    }),
  );
  if (seats % 2 === 0) return sides;
  return [
    ...sides,
    { part: 'fromAbove', x: width + seatOffset, y: -SEAT_DEPTH_FEET - depth / 2, turn: 90 },
  ];
}

function drawTable(view: Extract<View, { kind: 'above' }>): DrawnView {
  const { width, round, seats, depth = UNKNOWN_DEPTH_FEET } = view;
  const left = round ? SEAT_DEPTH_FEET : 0;
  const top: Part = round
    ? {
        part: 'disc',
        x: SEAT_DEPTH_FEET + width / 2,
        y: -SEAT_DEPTH_FEET - width / 2,
        radius: width / 2,
        appearance: 'item',
      }
    : createRect(
        0,
        -SEAT_DEPTH_FEET - depth,
        width,
        depth,
        view.depth === undefined ? 'unknown' : 'item',
      );
  return {
    width: width + (round ? 2 * SEAT_DEPTH_FEET : seats % 2 ? SEAT_DEPTH_FEET : 0),
    height: depth + 2 * SEAT_DEPTH_FEET,
    parts: [top, ...drawPeople(view, depth)],
    horizontal: createDimension(left, left + width),
    ...(!round &&
      view.depth !== undefined && {
        vertical: createDimension(-SEAT_DEPTH_FEET - depth, -SEAT_DEPTH_FEET),
      }),
  };
}

function drawItemOnFloor(
  view: Extract<View, { kind: 'above' }>,
  floor: NonNullable<Measurements['floor']>,
): DrawnView {
  const { width, depth = UNKNOWN_DEPTH_FEET } = view;
  const x = (floor.width - width) / 2;
  // A machine needs space behind it for hoses and a vent; its front is at the bottom of the top
  // view.
  const item = createRect(x, -depth, width, depth, view.depth === undefined ? 'unknown' : 'item');
  const floorRect = createRect(0, -floor.depth, floor.width, floor.depth, 'floor');
  return {
    ...withScaleReference(floor.width, floor.depth, [floorRect, item], 'fromAbove'),
    horizontal: createDimension(0, floor.width),
    vertical: createDimension(-floor.depth, 0),
    inner: { x: floor.width / 2, y: -depth / 2, label: formatFeetAndInches(width) },
  };
}

/**
 * A round item with a person at its center or, if the item is small, a scale reference beside it.
 */
function drawRoundItem(width: number): DrawnView {
  const middle = { x: width / 2, y: -width / 2 };
  const disc: Part = { part: 'disc', ...middle, radius: width / 2, appearance: 'item' };
  return {
    ...(width < MAX_COIN_VIEW_FEET
      ? withScaleReference(width, width, [disc], 'fromAbove')
      : { width, height: width, parts: [disc, { part: 'fromAbove', ...middle, turn: 0 }] }),
    horizontal: createDimension(0, width),
  };
}

function drawFlatItem(width: number, knownDepth: number | undefined): DrawnView {
  const depth = knownDepth ?? UNKNOWN_DEPTH_FEET;
  const item = createRect(0, -depth, width, depth, knownDepth === undefined ? 'unknown' : 'item');
  const grid: Part = { part: 'grid', x: 0, y: -depth, width, height: depth };
  return {
    ...withScaleReference(
      width,
      depth,
      Math.max(width, depth) < MAX_COIN_VIEW_FEET ? [item] : [item, grid],
      'fromAbove',
    ),
    horizontal: createDimension(0, width),
    ...(knownDepth !== undefined && { vertical: createDimension(-depth, 0) }),
  };
}

/** A view with its dimensions, and with people or a coin for scale. */
export function drawView(view: View): DrawnView {
  switch (view.kind) {
    case 'side': {
      const { width, height } = view;
      return {
        ...withScaleReference(width, height, [createRect(0, -height, width, height)], 'standing'),
        horizontal: createDimension(0, width),
        vertical: createDimension(-height, 0),
      };
    }
    case 'stack':
      return drawStack(view);
    case 'above': {
      const { width, depth, round, seats, floor } = view;
      if (floor) return drawItemOnFloor(view, floor);
      if (seats > 0) return drawTable(view);
      return round ? drawRoundItem(width) : drawFlatItem(width, depth);
    }
    default:
      return view satisfies never;
  }
}
