/** A tool result as clients hand it on; the official ones differ in what else they declare. */
export interface ToolResult {
  isError?: boolean | undefined;
  content?: unknown;
  structuredContent?: unknown;
}

/**
 * What a tool answered: the structured content of a result, or the problem that an error carries as
 * text.
 * @throws when an error carries structured content, which clients check against the output schema,
 * or no JSON
 */
export function answerOf({ isError, content, structuredContent }: ToolResult): Record<string, any> {
  if (!isError) return structuredContent as Record<string, any>;
  if (structuredContent !== undefined) throw new Error('An error has structured content.');
  const [{ text }] = content as [{ text: string }];
  return JSON.parse(text) as Record<string, any>;
}
