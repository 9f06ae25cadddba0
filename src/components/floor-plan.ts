import type { Item } from '../registry/catalog.ts';

/** An item seen from above; measures in feet. */
export interface FloorPlan {
  item: Item;
  length: number;
  width: number;
}

const INCHES = 12;

function measure({ attributes = {} }: Item, side: 'length' | 'width'): number | undefined {
  const feet = attributes[`${side}_ft`];
  const inches = attributes[`${side}_in`];
  const value =
    typeof feet === 'number' ? feet : typeof inches === 'number' ? inches / INCHES : undefined;
  return value !== undefined && value > 0 ? value : undefined;
}

/** The items that can be drawn to scale; none unless at least two, and half of all, have a length and a width. */
export function floorPlans(items: readonly Item[]): FloorPlan[] {
  const plans = items.flatMap((item) => {
    const length = measure(item, 'length');
    const width = measure(item, 'width');
    return length !== undefined && width !== undefined ? [{ item, length, width }] : [];
  });
  return plans.length >= 2 && plans.length * 2 >= items.length ? plans : [];
}

/** The largest measures of a list of plans, in feet, which all of them are drawn against. */
export interface PlanScale {
  longest: number;
  widest: number;
}

export const planScale = (plans: readonly FloorPlan[]): PlanScale => ({
  longest: Math.max(...plans.map(({ length }) => length)),
  widest: Math.max(...plans.map(({ width }) => width)),
});
