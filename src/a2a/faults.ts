import {
  A2AError,
  RequestMalformedError,
  restStatusFor,
  TaskNotCancelableError,
  TaskNotFoundError,
  toRestErrorBody,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import { SANDBOX_TOKENS_TEXT } from '../leads/status/sample-lead.ts';
import type { Problem } from '../operation/problem.ts';
import { toProblemData } from '../http/problem-data.ts';
import { stateOf } from './binding.ts';
import { rpcCodeOf } from './problems.ts';

export function failWith(problem: Problem, call: ServerCallContext): A2AError {
  stateOf(call).problem = problem;
  return new A2AError(problem.message);
}

/** The SDK's task errors, reworded without IDs from the request. */
const rewordedErrors: Readonly<Record<string, A2AError>> = {
  TaskNotFoundError: new TaskNotFoundError(
    `There is no task with this ID, or it has been deleted. A task is stored for as long as its request, or for 30 days if it has no request; the task of a sandbox request is not stored. To rehearse, ${SANDBOX_TOKENS_TEXT}`,
  ),
  TaskNotCancelableError: new TaskNotCancelableError('This task has ended and cannot be canceled.'),
  UnsupportedOperationError: new UnsupportedOperationError(
    'This task has ended. Send a new message without taskId.',
  ),
  RequestMalformedError: new RequestMalformedError(
    'The task ID is empty, or contextId belongs to another task. Leave contextId out.',
  ),
};

export const rewordError = (error: A2AError): A2AError => rewordedErrors[error.name] ?? error;

/**
 * The error for a task that cannot be streamed; it says what the caller can do instead, if
 * anything.
 */
export const createNoMoreEventsError = (alternative = ''): A2AError =>
  new UnsupportedOperationError(
    `This task has ended, so there are no more events. Read it with GetTask. ${alternative}`.trim(),
  );

/** Names of google.rpc.Code values (AIP-193). */
const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  409: 'ABORTED',
  410: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  422: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

function createErrorDetails(
  problem: Problem,
  base: string,
): ({ '@type': string } & Record<string, unknown>)[] {
  const data = toProblemData(problem, base);
  return [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: problem.code.toUpperCase(),
      domain: new URL(base).hostname,
    },
    { '@type': data.type, ...data },
  ];
}

export const createRpcProblemResponse = (problem: Problem, id: unknown, base: string): Response =>
  Response.json(
    {
      jsonrpc: '2.0',
      id: id ?? null,
      error: {
        code: rpcCodeOf(problem.code),
        message: problem.message,
        data: createErrorDetails(problem, base),
      },
    },
    { status: problem.status, headers: problem.headers },
  );

/** A problem as google.rpc.Status in JSON, A2A 1.0 “HTTP+JSON error handling”. */
export const createRestProblemResponse = (problem: Problem, base: string): Response =>
  Response.json(
    {
      error: {
        code: problem.status,
        status: statusNames[problem.status] ?? 'INTERNAL',
        message: problem.message,
        details: createErrorDetails(problem, base),
      },
    },
    { status: problem.status, headers: problem.headers },
  );

export function createRestErrorResponse(error: unknown): Response {
  const status = restStatusFor(error);
  return Response.json(toRestErrorBody(error, status), { status });
}
