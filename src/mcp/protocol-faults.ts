import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Problem } from '../operation/problem.ts';
import { toProblemData } from '../http/problem-data.ts';

/** The start of the SDK's message for invalid params, before a list of issues as JSON. */
const ISSUE_LIST_PATTERN = /^(?:Invalid \S+ request: )?(?=\[\s*\{)/;

interface ShapeIssue {
  /** Path from the root of the request. */
  path: (string | number)[];
  /** Type that the protocol requires. */
  expected?: string;
}

/**
 * Number of path segments to quote: the protocol defines these; deeper segments come from the
 * caller.
 */
const MAX_QUOTED_STEPS = 2;

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  record: 'an object',
  object: 'an object',
  number: 'a number',
  array: 'an array',
};

/** The issues in an SDK message; undefined if the message is about something else. */
function parseShapeIssues(message: string): ShapeIssue[] | undefined {
  if (!ISSUE_LIST_PATTERN.test(message)) return undefined;
  try {
    const issues = JSON.parse(message.replace(ISSUE_LIST_PATTERN, '')) as ShapeIssue[];
    return issues.every(({ path }) => Array.isArray(path)) ? issues : undefined;
  } catch {
    return undefined;
  }
}

function describeShapeIssue({ path, expected = '' }: ShapeIssue): string {
  const typeName = typeNames[expected];
  return `${path.slice(0, MAX_QUOTED_STEPS).join('.')} ${path.length <= MAX_QUOTED_STEPS && typeName ? `must be ${typeName}` : 'does not match the protocol'}.`;
}

const createInvalidParamsError = (message: string, data?: unknown) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);

/** The caller's error, without a library's message, a stack or a submitted value. */
function toProtocolError(
  thrown: unknown,
  method: string,
  base: string,
  toProblem: (thrown: unknown) => Problem,
): ProtocolError {
  const issues = thrown instanceof Error ? parseShapeIssues(thrown.message) : undefined;
  if (issues)
    return createInvalidParamsError(
      `The params of ${method} are invalid. ${[...new Set(issues.map(describeShapeIssue))].join(' ')}`,
    );
  if (thrown instanceof ProtocolError) return thrown;
  const problem = toProblem(thrown);
  const data = toProblemData(problem, base);
  if (problem.code !== 'invalid_input')
    return new ProtocolError(ProtocolErrorCode.InternalError, problem.message, data);
  return createInvalidParamsError(
    (problem.errors ?? [])
      .map(({ pointer, message }) => `${pointer.slice(1)}: ${message}`)
      .join(' ') || problem.message,
    data,
  );
}

/** A task without the content that the SDK requires in every tool result. */
function withoutContent(result: Result): Result {
  if (result['resultType'] !== 'task') return result;
  const { content: _, ...task } = result;
  return task;
}

/* eslint-disable @typescript-eslint/no-deprecated -- the SDK marks its low-level server
   deprecated only to point most users to McpServer */
/** A server for one request. */
export type GuardedServer = Server;

/** The SDK's server class with our own errors from every handler. */
export function createGuardedServerClass(
  base: string,
  toProblem: (thrown: unknown) => Problem,
): typeof Server {
  return class extends Server {
    protected override _wrapHandler(
      method: string,
      handler: (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>,
    ): (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result> {
      const wrappedHandler = super._wrapHandler(method, handler);
      return async (request, ctx) => {
        try {
          return withoutContent(await wrappedHandler(request, ctx));
        } catch (thrown) {
          throw toProtocolError(thrown, method, base, toProblem);
        }
      };
    }
  };
}
