import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Problem } from '../operation/problem.ts';
import { problemData } from '../http/problem-data.ts';

/**
 * The start of the SDK's message for invalid params: a list of issues as JSON, with or without a
 * prefix.
 */
const DUMP = /^(?:Invalid \S+ request: )?(?=\[\s*\{)/;

interface ShapeIssue {
  /** Steps into the request. */
  path: (string | number)[];
  /** Type that the protocol requires there. */
  expected?: string;
}

/**
 * Maximum number of path steps to quote: those that the protocol names. Deeper ones come from the
 * caller.
 */
const NAMED_STEPS = 2;

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  record: 'an object',
  object: 'an object',
  number: 'a number',
  array: 'a list',
};

/** The issues in an SDK message; undefined if the message is about something else. */
function shapeIssues(message: string): ShapeIssue[] | undefined {
  if (!DUMP.test(message)) return undefined;
  try {
    const issues = JSON.parse(message.replace(DUMP, '')) as ShapeIssue[];
    return issues.every(({ path }) => Array.isArray(path)) ? issues : undefined;
  } catch {
    return undefined;
  }
}

function sentenceOf({ path, expected = '' }: ShapeIssue): string {
  const right = typeNames[expected];
  return `${path.slice(0, NAMED_STEPS).join('.')} ${path.length <= NAMED_STEPS && right ? `must be ${right}` : 'is not what the protocol has there'}.`;
}

const invalidParams = (message: string, data?: unknown) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);

/**
 * A thrown value as the error for the caller, without a library's message, a stack or a submitted
 * value.
 */
function protocolFault(
  thrown: unknown,
  method: string,
  base: string,
  problemOf: (thrown: unknown) => Problem,
): ProtocolError {
  const issues = thrown instanceof Error ? shapeIssues(thrown.message) : undefined;
  if (issues)
    return invalidParams(
      `The params of ${method} are not right. ${[...new Set(issues.map(sentenceOf))].join(' ')}`,
    );
  if (thrown instanceof ProtocolError) return thrown;
  const problem = problemOf(thrown);
  const data = problemData(problem, base);
  if (problem.code !== 'invalid_input')
    return new ProtocolError(ProtocolErrorCode.InternalError, problem.message, data);
  return invalidParams(
    (problem.errors ?? [])
      .map(({ pointer, message }) => `${pointer.slice(1)}: ${message}`)
      .join(' ') || problem.message,
    data,
  );
}

/**
 * Removes the content of a task that replaces a tool’s result; the SDK requires content in every
 * tool result.
 */
function withoutContent(result: Result): Result {
  if (result['resultType'] !== 'task') return result;
  const { content: _, ...task } = result;
  return task;
}

/* eslint-disable @typescript-eslint/no-deprecated -- the SDK names its low-level server so, to point most to McpServer */
/** A server for one request. */
export type GuardedServer = Server;

/**
 * Creates an SDK server whose handlers all answer with our own errors; `problemOf` logs unexpected
 * ones.
 */
export function guardedServer(
  base: string,
  problemOf: (thrown: unknown) => Problem,
): typeof Server {
  return class extends Server {
    protected override _wrapHandler(
      method: string,
      handler: (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>,
    ): (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result> {
      const wrapped = super._wrapHandler(method, handler);
      return async (request, ctx) => {
        try {
          return withoutContent(await wrapped(request, ctx));
        } catch (thrown) {
          throw protocolFault(thrown, method, base, problemOf);
        }
      };
    }
  };
}
