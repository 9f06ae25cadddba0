import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Problem } from '../operation/problem.ts';
import { problemData } from '../http/problem-data.ts';

/**
 * A problem as a tool result: its JSON as text for the model to read. Structured content would have
 * to satisfy the tool's output schema, errors included, or official clients discard the result.
 */
export const faultResult = (problem: Problem, base: string): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(problemData(problem, base)) }],
  isError: true,
});
