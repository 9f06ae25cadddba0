import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Problem } from '../../operations/problem.ts';
import { problemData } from '../problem-data.ts';

/** A refusal as a tool result that a model reads. */
export function faultResult(problem: Problem, base: string): CallToolResult {
  const structuredContent = { ...problemData(problem, base) };
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent, isError: true };
}
