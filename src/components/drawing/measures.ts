import type { Item } from '../../registry/schemas/catalog.ts';

const INCHES_PER_FOOT = 12;

/**
 * A dimension of an item in feet, from the attribute with that name in feet or inches; undefined if
 * there is none.
 */
function measurementOf({ attributes = {} }: Item, name: string): number | undefined {
  const [feet, inches] = [attributes[`${name}_ft`], attributes[`${name}_in`]];
  const value =
    typeof feet === 'number'
      ? feet
      : typeof inches === 'number'
        ? inches / INCHES_PER_FOOT
        : undefined;
  return value !== undefined && value > 0 ? value : undefined;
}

/** The dimensions in an item's attributes; lengths in feet, volumes in cubic feet. */
export interface Measurements {
  /** From left to right. */
  width?: number | undefined;
  /** From front to back. */
  depth?: number | undefined;
  height?: number | undefined;
  round: boolean;
  seats: number;
  /** Floor space for the item, including the space around it. */
  floor?: { width: number; depth: number } | undefined;
  /** A set of identical containers of a known volume. */
  set?: { count: number; volume: number } | undefined;
}

function findContainerSet({ attributes = {} }: Item): Measurements['set'] {
  for (const [name, volume] of Object.entries(attributes)) {
    const [, one] = /^([a-z]+)_volume_cuft$/.exec(name) ?? [];
    const count = one && attributes[`${one}s`];
    if (typeof count === 'number' && typeof volume === 'number' && count > 0 && volume > 0)
      return { count, volume };
  }
  return undefined;
}

/** The size of an item from its attributes. */
export function measurementsOf(item: Item): Measurements {
  const diameter = measurementOf(item, 'diameter');
  const length = measurementOf(item, 'length');
  const width = measurementOf(item, 'width');
  const floorWidth = measurementOf(item, 'floor_space_width');
  const floorDepth = measurementOf(item, 'floor_space_depth');
  const { seats } = item.attributes ?? {};
  return {
    width: diameter ?? length ?? width,
    depth: diameter ?? (length === undefined ? measurementOf(item, 'depth') : width),
    height: measurementOf(item, 'height'),
    round: diameter !== undefined,
    seats: typeof seats === 'number' ? seats : 0,
    floor:
      floorWidth !== undefined && floorDepth !== undefined
        ? { width: floorWidth, depth: floorDepth }
        : undefined,
    set: findContainerSet(item),
  };
}

const fractions = ['', '¼', '½', '¾'] as const;

/** Inches to the nearest quarter, such as “8½ in”. */
function formatInches(quarters: number): string {
  const whole = Math.floor(quarters / 4);
  return `${whole || ''}${fractions[quarters % 4]!} in`;
}

/**
 * A length in feet, as people write it, such as “6 ft”, “2 ft 6 in” or, below two feet, “18 in”.
 */
export function formatFeetAndInches(length: number): string {
  const quarters = Math.round(length * INCHES_PER_FOOT * 4);
  const quartersPerFoot = INCHES_PER_FOOT * 4;
  if (quarters < 2 * quartersPerFoot) return formatInches(quarters);
  const remainingQuarters = quarters % quartersPerFoot;
  return `${Math.floor(quarters / quartersPerFoot)} ft${remainingQuarters ? ` ${formatInches(remainingQuarters)}` : ''}`;
}
