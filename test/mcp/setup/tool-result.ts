/** A tool result with the members that all official clients return. */
export interface ToolResult {
  isError?: boolean | undefined;
  content?: unknown;
  structuredContent?: unknown;
}

/**
 * The structured content of a result, or the problem in an error’s text. @throws if an error has no
 * JSON, or has structured content, which clients would validate against the output schema
 */
export function readStructuredAnswer({
  isError,
  content,
  structuredContent,
}: ToolResult): Record<string, any> {
  if (!isError) return structuredContent as Record<string, any>;
  if (structuredContent !== undefined) throw new Error('An error has structured content.');
  const [{ text }] = content as [{ text: string }];
  return JSON.parse(text) as Record<string, any>;
}
