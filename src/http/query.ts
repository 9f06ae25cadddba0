import { formatPointer } from '../operation/json-pointer.ts';
import {
  MAX_UNKNOWN_NAMES,
  summarizeUnknownNames,
  createUnknownNameFault,
} from '../operation/unknown-names.ts';
import type { InputFault } from '../operation/problem.ts';
import { throwIfAnyFaults } from '../operation/validate.ts';

/**
 * Whether a path rejects unknown parameters. Pages and short links ignore them, because many links
 * carry tracking parameters.
 */
export const hasStrictQuery = (path: string): boolean => path.startsWith('/api/');

/** The query of a URL. Most URLs have none, and parsing them would take longer than routing them. */
export const readQuery = (url: string): URLSearchParams =>
  url.includes('?') ? new URL(url).searchParams : new URLSearchParams();

const SEARCH_PARAMETERS: ReadonlySet<string> = new Set(['q', 'query', 'question', 'search']);

const SEARCH_ADVICE =
  'To ask a question, call the MCP tool ask_knowledge at /api/v1/mcp; to find a service, GET /api/find?q=.';

/** Errors for unknown query parameters; `advice` says where the values belong. */
export function listUnknownParameterFaults(
  query: URLSearchParams,
  knownNames: readonly string[],
  advice?: string,
): InputFault[] {
  const unknownNames = [...new Set(query.keys())].filter((name) => !knownNames.includes(name));
  const acceptedNames = knownNames.length
    ? `This URL accepts the query parameter ${knownNames.join(' or ')}.`
    : `This URL accepts no query parameters${advice ? `: ${advice}` : ''}.`;
  return [
    ...unknownNames.slice(0, MAX_UNKNOWN_NAMES).map((name) => {
      const fault = createUnknownNameFault(formatPointer(name), name, knownNames);
      const isSearch =
        advice === undefined && !knownNames.includes('q') && SEARCH_PARAMETERS.has(name);
      const sentences = [fault.message, acceptedNames, ...(isSearch ? [SEARCH_ADVICE] : [])];
      return { ...fault, message: sentences.join(' ') };
    }),
    ...summarizeUnknownNames('', unknownNames.length),
  ];
}

/** Rejects unknown query parameters. @throws {Problem} invalid_input, listing each of them */
export const rejectUnknownQuery = (query: URLSearchParams, knownNames: readonly string[]): void =>
  throwIfAnyFaults(listUnknownParameterFaults(query, knownNames));
