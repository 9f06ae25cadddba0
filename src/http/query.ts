import {
  MAX_UNKNOWN,
  remainingUnknown,
  pointerTo,
  throwIfAny,
  unknownName,
} from '../operation/validate.ts';

/**
 * Whether a path rejects unknown query parameters. Pages and short links ignore parameters that
 * others append.
 */
export const checksQuery = (path: string): boolean => path.startsWith('/api/');

/**
 * Rejects unknown query parameters; `instead` says where they belong. @throws {Problem}
 * invalid_input, naming each and the known ones
 */
export function refuseUnknownQuery(
  query: URLSearchParams,
  known: readonly string[],
  instead?: string,
): void {
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name));
  const takes = known.length
    ? `This address takes the query parameter ${known.join(' or ')}.`
    : `This address takes no query parameters${instead ? `: ${instead}` : ''}.`;
  throwIfAny([
    ...unknown.slice(0, MAX_UNKNOWN).map((name) => {
      const fault = unknownName(pointerTo(name), name, known);
      return { ...fault, message: `${fault.message} ${takes}` };
    }),
    ...remainingUnknown('', unknown.length),
  ]);
}
