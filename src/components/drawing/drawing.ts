import type { Item } from '../../registry/schemas/catalog.ts';
import { measurementsOf } from './measures.ts';
import { drawView, type View } from './view.ts';

/** An item and its sides that have enough dimensions to be drawn. */
export interface Drawing {
  item: Item;
  views: readonly View[];
}

/** The drawing of an item; undefined if its attributes have too few dimensions. */
export function createDrawing(item: Item): Drawing | undefined {
  const { width, depth, height, round, seats, floor, set } = measurementsOf(item);
  if (set) return { item, views: [{ kind: 'stack', ...set, edge: Math.cbrt(set.volume) }] };
  if (width === undefined) return undefined;
  const side: View[] = height === undefined ? [] : [{ kind: 'side', width, height }];
  const hasDrawableView =
    depth !== undefined || floor !== undefined || (seats > 0 && side.length === 0);
  const topViews: View[] =
    hasDrawableView && !(round && height !== undefined)
      ? [{ kind: 'above', width, depth, round, seats, floor }]
      : [];
  const views = [...side, ...topViews];
  return views.length > 0 ? { item, views } : undefined;
}

/**
 * The drawings for a list of items; empty unless at least two items, and at least a third of all
 * items, can be drawn.
 */
export function createDrawings(items: readonly Item[]): Drawing[] {
  const drawings = items.flatMap((item) => createDrawing(item) ?? []);
  return drawings.length >= 2 && drawings.length * 3 >= items.length ? drawings : [];
}

/** Margins of a view for the dimensions on the left and below, in drawing pixels. */
export const margin = { top: 12, right: 10, bottom: 32, left: 40 } as const;
/** Width of a drawing, in drawing pixels. */
export const DRAWING_WIDTH = 280;
const MAX_DRAWING_HEIGHT = 230;

/** Scale and height that all drawings in a list share. */
export interface Scale {
  /** Pixels per foot. */
  unit: number;
  /** Height of each drawing, in drawing pixels. */
  height: number;
}

/** The largest scale at which all drawings in a list fit. */
export function computeScale(drawings: readonly Drawing[]): Scale {
  const drawnViews = drawings.map(({ views }) => views.map(drawView));
  const heights = drawnViews.map((views) => views.reduce((sum, { height }) => sum + height, 0));
  const maxWidth = Math.max(...drawnViews.flat().map(({ width }) => width));
  const unit = Math.min(
    (DRAWING_WIDTH - margin.left - margin.right) / maxWidth,
    MAX_DRAWING_HEIGHT / Math.max(...heights),
  );
  const sumMargins = (views: readonly unknown[]) => views.length * (margin.top + margin.bottom);
  return {
    unit,
    height: Math.max(
      ...drawnViews.map((views, index) => heights[index]! * unit + sumMargins(views)),
    ),
  };
}
