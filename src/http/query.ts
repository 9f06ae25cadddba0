import { formatPointer } from '../operation/json-pointer.ts';
import {
  MAX_UNKNOWN_NAMES,
  summarizeUnknownNames,
  createUnknownNameFault,
} from '../operation/unknown-names.ts';
import { throwIfAnyFaults } from '../operation/validate.ts';

/**
 * Whether a path rejects unknown query parameters. Pages and short links ignore tracking parameters
 * and the like.
 */
export const hasStrictQuery = (path: string): boolean => path.startsWith('/api/');

/** Query parameters with which software searches. */
const SEARCH_PARAMETERS: ReadonlySet<string> = new Set(['q', 'query', 'question', 'search']);

const SEARCH_ADVICE =
  'To ask a question, call the MCP tool ask_knowledge at /api/v1/mcp; to find a service, GET /api/find?q=.';

/**
 * Rejects unknown query parameters; `advice` describes the right place for them. @throws {Problem}
 * invalid_input, listing unknown and known parameters
 */
export function rejectUnknownQuery(
  query: URLSearchParams,
  knownNames: readonly string[],
  advice?: string,
): void {
  const unknownNames = [...new Set(query.keys())].filter((name) => !knownNames.includes(name));
  const acceptedNames = knownNames.length
    ? `This URL accepts the query parameter ${knownNames.join(' or ')}.`
    : `This URL accepts no query parameters${advice ? `: ${advice}` : ''}.`;
  throwIfAnyFaults([
    ...unknownNames.slice(0, MAX_UNKNOWN_NAMES).map((name) => {
      const fault = createUnknownNameFault(formatPointer(name), name, knownNames);
      const isSearch =
        advice === undefined && !knownNames.includes('q') && SEARCH_PARAMETERS.has(name);
      const sentences = [fault.message, acceptedNames, ...(isSearch ? [SEARCH_ADVICE] : [])];
      return { ...fault, message: sentences.join(' ') };
    }),
    ...summarizeUnknownNames('', unknownNames.length),
  ]);
}
