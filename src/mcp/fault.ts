import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Problem } from '../operation/problem.ts';
import { toProblemData } from '../http/problem-data.ts';

/**
 * A problem as a tool result: its JSON as text for the model. Structured content would have to
 * match the tool's output schema even for errors, or official clients would discard the result.
 */
export const createFaultResult = (problem: Problem, base: string): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(toProblemData(problem, base)) }],
  isError: true,
});

/** JSON-RPC code for a server error without a more specific code. */
export const SERVER_ERROR = -32_000;

export const createRpcErrorResponse = (
  status: number,
  code: number,
  message: string,
  id: unknown = null,
): Response => Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
