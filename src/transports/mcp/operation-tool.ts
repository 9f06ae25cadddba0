import type { ActiveKey, Context, Operation } from '../../operations/index.ts';
import { callWithKey } from '../keyed-call.ts';
import type { JsonObject, McpTool, ToolCall } from './tool.ts';

/** JSON Schema of a text. */
export const textOf = (description: string) => ({ type: 'string', description });

/** JSON Schema of an object, as a tool publishes it. */
export const objectOf = (properties: JsonObject, required: readonly string[] = []) => ({ type: 'object' as const, properties, ...(required.length && { required }) });

/** The argument that every writing tool takes. */
export const idempotencyKey = textOf('New per intent, kept for its retries');

/** What a tool is beside the operation behind it. */
export type ToolParts = Omit<McpTool, 'call' | 'pure'>;

interface Calling {
  /** The operation’s input from the tool’s arguments, where they differ. @throws {Problem} invalid_input */
  read?(args: unknown): unknown;
  /** Who calls, on an endpoint behind a key. */
  caller?(call: ToolCall): ActiveKey;
}

/** A tool that writes, by the operation behind every other door; an idempotency key may stand among its arguments. */
export const writingTool = <Input>(operation: Operation<Input, unknown>, parts: ToolParts, context: Context, { read = (args) => args, caller }: Calling = {}): McpTool => ({
  ...parts,
  pure: false,
  async call(args, call) {
    const asCalled = { ...operation, parse: (value: unknown, at: Context) => operation.parse(read(value), at) };
    const { output, replayed } = await callWithKey(asCalled, args ?? {}, { door: 'mcp', ...(caller && { key: caller(call) }) }, context);
    return { structured: { ...(output as JsonObject) }, replayed };
  },
});

/** A tool that reads what changes, by an operation whose input `read` makes of the arguments. */
export const readingTool = <Input>(operation: Operation<Input, unknown>, parts: ToolParts, context: Context, { read, caller }: Calling & Required<Pick<Calling, 'read'>>): McpTool => ({
  ...parts,
  pure: false,
  async call(args, call) {
    const { output } = await operation.handle(operation.parse(read(args), context), { door: 'mcp', ...(caller && { key: caller(call) }) }, context);
    return { structured: { ...(output as JsonObject) } };
  },
});
