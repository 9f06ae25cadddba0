import { fill, fillPlural } from '../../text/fill.ts';
import { drawings as text } from '../../text/index.ts';
import type { Drawing } from './drawing.ts';
import { formatFeetAndInches } from './measures.ts';
import { drawView, type Part, PERSON_HEIGHT_FEET, type View } from './view.ts';

function describeView(view: View): string[] {
  switch (view.kind) {
    case 'side':
      return [
        fill(text.side, {
          width: formatFeetAndInches(view.width),
          height: formatFeetAndInches(view.height),
        }),
      ];
    case 'stack':
      return [
        fill(text.stack, {
          count: String(view.count),
          volume: String(view.volume),
          edge: formatFeetAndInches(view.edge),
        }),
      ];
    case 'above': {
      const { depth, round, seats, floor } = view;
      const width = formatFeetAndInches(view.width);
      return [
        round
          ? fill(text.round, { width })
          : depth === undefined
            ? fill(text.oneSide, { width })
            : fill(text.above, { width, depth: formatFeetAndInches(depth) }),
        ...(seats > 0 ? [fillPlural(text.seats, seats)] : []),
        ...(floor
          ? [
              fill(text.floor, {
                width: formatFeetAndInches(floor.width),
                depth: formatFeetAndInches(floor.depth),
              }),
            ]
          : []),
      ];
    }
    default:
      return view satisfies never;
  }
}

/** Alternative text for a drawing. */
export const describeDrawing = ({ views }: Drawing): string =>
  views.flatMap(describeView).join(' ');

/** Explains how to read drawings that appear together. */
export function describeDrawings(drawings: readonly Drawing[]): string {
  const views = drawings.flatMap((drawing) => drawing.views);
  const parts = views.flatMap((view) => drawView(view).parts);
  const has = (holds: (part: Part) => boolean) => parts.some(holds);
  return [
    drawings.length > 1 ? text.sameScale : text.toScale,
    has((part) => 'appearance' in part && part.appearance === 'unknown') && text.dashed,
    has(({ part }) => part === 'grid') && text.grid,
    has(({ part }) => part === 'standing')
      ? fill(has(({ part }) => part === 'fromAbove') ? text.standing : text.person, {
          height: formatFeetAndInches(PERSON_HEIGHT_FEET),
        })
      : has(({ part }) => part === 'fromAbove') && text.people,
    has((part) => 'appearance' in part && part.appearance === 'coin') && text.coin,
    views.some(({ kind }) => kind === 'stack') && text.cubes,
    has((part) => 'appearance' in part && part.appearance === 'floor') && text.floorLine,
  ]
    .filter(Boolean)
    .join(' ');
}
