import type { Location, Violation } from './rule.ts';

/** A place with a value that must be unique. */
export interface UniqueValue extends Location {
  value: string;
}

/** Creates a violation for each place that repeats the value of an earlier place. */
export function* duplicateViolations<Place extends UniqueValue>(
  places: Iterable<Place>,
  describe: (first: Place) => string,
): Generator<Violation> {
  const firstPlaces = new Map<string, Place>();
  for (const place of places) {
    const first = firstPlaces.get(place.value);
    if (first)
      yield {
        record: place.record,
        path: place.path,
        problem: describe(first),
        other: { record: first.record, path: first.path },
      };
    else firstPlaces.set(place.value, place);
  }
}

/**
 * Sorts records whose name is the value first, so that they keep it if another record copied it.
 */
export const sortOwnersFirst = <Owned>(
  all: readonly Owned[],
  isOwner: (one: Owned) => boolean,
): Owned[] => [...all.filter(isOwner), ...all.filter((one) => !isOwner(one))];
