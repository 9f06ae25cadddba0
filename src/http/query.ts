import { pointerTo } from '../operation/json-pointer.ts';
import {
  MAX_UNKNOWN_NAMES,
  summarizeUnknownNames,
  createUnknownNameFault,
} from '../operation/unknown-names.ts';
import { throwIfAny } from '../operation/validate.ts';

/**
 * Whether a path rejects unknown query parameters. Pages and short links ignore tracking parameters
 * and the like.
 */
export const requiresKnownQuery = (path: string): boolean => path.startsWith('/api/');

/**
 * Rejects unknown query parameters; `advice` describes the right place for them. @throws {Problem}
 * invalid_input, listing unknown and known parameters
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
    ...unknown.slice(0, MAX_UNKNOWN_NAMES).map((name) => {
      const fault = createUnknownNameFault(pointerTo(name), name, known);
      return { ...fault, message: `${fault.message} ${acceptedNames}` };
    }),
    ...summarizeUnknownNames('', unknown.length),
  ]);
}
