import { type JsonObject, memberOf } from '../../site/json-object.ts';
import type { Operation, OperationDescription } from '../../operation/operation.ts';
import type { ProblemCode } from '../../operation/problem.ts';
import { KEY_INSTRUCTIONS, buildCodeSamples } from './keys.ts';
import { idempotencyParameter } from '../../operation/idempotency.ts';
import { type ResponseHeader, RATE_LIMIT_HEADERS, describeHeaders } from './headers.ts';
import { describeNotModified, describeProblemResponses, listQueryProblems } from './problems.ts';

/** Problems for every dynamic endpoint. */
export const COMMON_PROBLEMS: readonly ProblemCode[] = ['rate_limited', 'internal', 'unavailable'];
/** Additional problems for an endpoint that accepts a request body. */
export const BODY_PROBLEMS: readonly ProblemCode[] = [
  'malformed_body',
  'too_large',
  'unsupported_media_type',
];

function describeOperationRequest(
  { form: formOptions }: Operation,
  { request, requestExamples }: OperationDescription,
): JsonObject {
  if (!request) return {};
  const examples = requestExamples && { examples: requestExamples };
  const form = {
    schema: {
      type: 'object',
      description: [
        'The same fields as HTML form fields with dotted names, such as fields.zip.',
        ...(formOptions?.rule === undefined ? [] : [formOptions.rule]),
      ].join(' '),
      additionalProperties: { type: 'string' },
    },
  };
  return {
    requestBody: {
      required: true,
      description: 'The request as JSON.',
      content: {
        'application/json': { schema: request, ...examples },
        ...(formOptions && {
          'application/x-www-form-urlencoded': form,
          'multipart/form-data': form,
        }),
      },
    },
  };
}

function successHeadersOf({
  parameters,
  responseExample,
  mayBeBusy,
}: OperationDescription): ResponseHeader[] {
  const isRepeatable = parameters.includes(idempotencyParameter);
  return [
    ...RATE_LIMIT_HEADERS,
    ...(isRepeatable ? (['Idempotent-Replayed'] as const) : []),
    // Only a replayed response links to the current state.
    ...(isRepeatable && memberOf(responseExample, 'statusUrl') ? (['Link'] as const) : []),
    ...(mayBeBusy ? (['Retry-After'] as const) : []),
  ];
}

const describeJsonResponse = (
  { summary, etag }: Operation,
  { response, responseExample }: OperationDescription,
  successHeaders: readonly ResponseHeader[],
): JsonObject => ({
  description: summary,
  ...describeHeaders([...successHeaders, ...(etag ? (['ETag'] as const) : [])]),
  ...(response && {
    content: {
      'application/json': {
        schema: response,
        ...(responseExample !== undefined && { example: responseExample }),
      },
    },
  }),
});

export function describeOperation(
  operation: Operation,
  details: OperationDescription,
  base: string,
): JsonObject {
  const { name, method, summary, description, requiresKey: bearer, problems } = operation;
  const { parameters, request, status = 200, accepted } = details;
  const codes: ProblemCode[] = [
    ...COMMON_PROBLEMS,
    ...problems,
    ...listQueryProblems(operation.path),
    ...(request ? BODY_PROBLEMS : []),
    ...(bearer ? (['unauthorized'] as const) : []),
  ];
  const isRedirect = status >= 300;
  const successHeaders = successHeadersOf(details);
  const response = isRedirect
    ? {
        description:
          method === 'GET' ? 'Redirect to the target URL.' : 'URL of the created resource.',
        ...describeHeaders([...successHeaders, 'Location']),
      }
    : describeJsonResponse(operation, details, successHeaders);
  return {
    operationId: name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    tags: ['Operations'],
    summary,
    description: bearer ? `${description} ${KEY_INSTRUCTIONS}` : description,
    ...(parameters.length && { parameters }),
    ...(method !== 'GET' && describeOperationRequest(operation, details)),
    ...(bearer && { 'x-codeSamples': buildCodeSamples(operation, details, base) }),
    responses: {
      [status]: response,
      ...(accepted && {
        202: {
          ...response,
          description: accepted,
          ...describeHeaders([...successHeaders, 'Location', 'Retry-After']),
        },
      }),
      ...(operation.form && {
        303: {
          description: 'Response to an HTML form unless Accept asks for JSON: the receipt page.',
          ...describeHeaders([...successHeaders, 'Location']),
        },
      }),
      ...(operation.etag && method === 'GET' && { 304: describeNotModified(successHeaders) }),
      ...describeProblemResponses(codes, RATE_LIMIT_HEADERS, operation.form !== undefined),
      // Linters require a success response in addition to the redirect.
      ...(isRedirect && {
        default: {
          description: 'Any other response is a problem.',
          content: {
            'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
          },
        },
      }),
    },
  };
}
