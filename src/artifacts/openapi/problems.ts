import { keysOf } from '../../site/json-object.ts';
import { z } from 'zod';
import { hasStrictQuery } from '../../http/query.ts';
import { problemAdvice } from '../../operation/problem-advice.ts';
import type { ProblemCode, ProblemDetails } from '../../operation/problem.ts';
import { problemCodes } from '../../site/problem-codes.ts';
import { registerComponent } from '../components.ts';
import { type ResponseHeader, RATE_LIMIT_HEADERS, describeHeaders } from './headers.ts';

registerComponent(
  'Problem',
  z
    .strictObject({
      type: z.string().describe('URL of the page that explains the problem code.'),
      title: z.string().describe('Summary of the problem type.'),
      status: z.int().min(400).max(599).describe('HTTP status.'),
      detail: z.string().describe('What is wrong with this request, and how to fix it.'),
      code: z.enum(keysOf(problemCodes)).describe('Error code.'),
      errors: z
        .array(
          z.strictObject({
            pointer: z
              .string()
              .describe(
                'JSON Pointer (RFC 6901) into the request body or, for a query, into an object made of its parameters; empty for the entire input.',
              ),
            message: z.string().describe('What is wrong with the value, and how to fix it.'),
            allowed: z.array(z.string()).optional().describe('Accepted values.'),
            min: z.string().optional().describe('First accepted day, YYYY-MM-DD.'),
            max: z.string().optional().describe('Last accepted day, YYYY-MM-DD.'),
          }),
        )
        .optional()
        .describe('All faults in the input.'),
      next: z
        .array(z.string())
        .optional()
        .describe(
          'Actions available to the holder of the receipt, if the request is not allowed in the current state.',
        ),
      changes: z
        .array(z.string())
        .optional()
        .describe('Changes since the contract that the request named, one sentence each.'),
      contract: z.string().optional().describe('The current contract of the action.'),
      manifest: z.string().optional().describe('URL of the record that has the current contract.'),
      retryAfterSeconds: z
        .int()
        .min(0)
        .optional()
        .describe('Seconds until the request may be sent again, as in Retry-After.'),
      id: z.string().optional().describe('ID of the internal error in the log.'),
    })
    .describe('The reason a request was rejected (RFC 9457).'),
);

const SAMPLE_ERRORS = [
  { pointer: '/fields/zip', message: 'is missing. Enter a ZIP code, five digits or ZIP+4.' },
];

const SAMPLE_CHANGES = ['visits.request_visit: zip became required'];

/** A sample problem for a code; `base` is the service’s origin. */
function buildSampleProblem(code: ProblemCode, base: string): ProblemDetails {
  const { status, title } = problemCodes[code];
  return {
    type: `${base}/problems/${code}`,
    title,
    status,
    detail: problemAdvice[code].explanation,
    code,
    ...(code === 'invalid_input' && { errors: SAMPLE_ERRORS }),
    ...(code === 'contract_changed' && {
      changes: SAMPLE_CHANGES,
      contract: `sha-256:${'0'.repeat(64)}`,
      manifest: `${base}/api/agent/visits`,
    }),
    ...(PROBLEM_HEADERS[code]?.includes('Retry-After') && { retryAfterSeconds: 60 }),
    ...(code === 'internal' && { id: 'V1StGXR8Z5jdHi6B' }),
  };
}

export const PROBLEM_HEADERS: Partial<Record<ProblemCode, readonly ResponseHeader[]>> = {
  unauthorized: ['WWW-Authenticate'],
  insufficient_scope: ['WWW-Authenticate'],
  in_flight: ['Retry-After'],
  budget_exceeded: ['Retry-After'],
  rate_limited: [...RATE_LIMIT_HEADERS, 'Retry-After'],
  unavailable: ['Retry-After'],
};

const { status: UNSUPPORTED_MEDIA_TYPE_STATUS } = problemCodes.unsupported_media_type;

/**
 * Describes the response to a rejected HTML form. It is not listed as a media type of the response,
 * because generated clients would then expect text in place of a problem.
 */
const FORM_PAGE_TEXT =
  'An HTML form gets the page with the form instead, unless Accept asks for JSON.';

/** Distinct problem codes grouped by HTTP status, both sorted. */
export const groupByStatus = (codes: Iterable<ProblemCode>): [number, ProblemCode[]][] =>
  [...Map.groupBy([...new Set(codes)].sort(), (code) => problemCodes[code].status)].sort(
    ([a], [b]) => a - b,
  );

/** The description of a response that has one of these problems. */
export const joinTitles = (codes: readonly ProblemCode[]): string =>
  `${codes.map((code) => problemCodes[code].title).join(', or: ')}.`;

/**
 * Responses by status for problem codes; codes with the same status share a response and have one
 * example each. `extraHeaders` lists the headers that every response of the path has; `acceptsForm`
 * adds what a person who submits an HTML form gets instead.
 */
export function describeProblemResponses(
  codes: Iterable<ProblemCode>,
  extraHeaders: readonly ResponseHeader[] = [],
  acceptsForm = false,
): Record<string, unknown> {
  return Object.fromEntries(
    groupByStatus(codes).map(([status, group]) => [
      String(status),
      {
        // A body that is not a form cannot get a form page in response.
        description: [
          joinTitles(group),
          ...(acceptsForm && status !== UNSUPPORTED_MEDIA_TYPE_STATUS ? [FORM_PAGE_TEXT] : []),
        ].join(' '),
        ...describeHeaders([
          ...extraHeaders,
          ...group.flatMap((code) => PROBLEM_HEADERS[code] ?? []),
        ]),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(
              group.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  );
}

/** Sample problems by code, for `#/components/examples`. */
export const buildProblemExamples = (base: string): Record<string, unknown> =>
  Object.fromEntries(
    keysOf(problemCodes)
      .sort()
      .map((code) => [
        code,
        { summary: problemCodes[code].title, value: buildSampleProblem(code, base) },
      ]),
  );

export const listQueryProblems = (path: string): readonly ProblemCode[] =>
  hasStrictQuery(path) ? ['invalid_input'] : [];

/** The 304 response to a conditional read; `extraHeaders` lists its headers other than ETag. */
export const describeNotModified = (extraHeaders: readonly ResponseHeader[] = []) => ({
  description: 'Not modified.',
  ...describeHeaders(['ETag', ...extraHeaders]),
});
