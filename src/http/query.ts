import {
  MAX_UNKNOWN,
  remainingUnknown,
  pointerTo,
  throwIfAny,
  unknownName,
} from '../operation/validate.ts';

/**
 * Whether a path rejects unknown query parameters. Pages and short links ignore those that other
 * sites append, such as for tracking.
 */
export const checksQuery = (path: string): boolean => path.startsWith('/api/');

/**
 * Rejects unknown query parameters; `instead` says where they belong. @throws {Problem}
 * invalid_input, naming each and the known ones
 */
export function refuseUnknownQuery(
  query: URLSearchParams,
  known: readonly string[],
  advice?: string,
): void {
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name));
  const acceptedNames = known.length
    ? `This URL accepts the query parameter ${known.join(' or ')}.`
    : `This URL accepts no query parameters${advice ? `: ${advice}` : ''}.`;
  throwIfAny([
    ...unknown.slice(0, MAX_UNKNOWN).map((name) => {
      const fault = unknownName(pointerTo(name), name, known);
      return { ...fault, message: `${fault.message} ${acceptedNames}` };
    }),
    ...remainingUnknown('', unknown.length),
  ]);
}
