import type { ActiveKey } from '../operation/operation.ts';
import type { Context } from '../operation/context.ts';
import type { Call, Operation } from '../operation/operation.ts';
import { readCallbackKey } from '../keys/callback-key.ts';
import { callWithKey } from '../http/keyed-call.ts';
import type { JsonObject, McpTool, ToolCall } from './tool.ts';

/** JSON Schema of a string. */
export const textOf = (description: string) => ({ type: 'string', description });

/** JSON Schema of an object, as published by a tool. */
export const objectOf = (properties: JsonObject, required: readonly string[] = []) => ({
  type: 'object' as const,
  properties,
  ...(required.length && { required }),
});

/** JSON Schema of a list. */
export const listOf = (items: JsonObject) => ({ type: 'array', items });

/** The argument that every writing tool takes. */
export const idempotencyKey = textOf('UUID per intent');

/** The properties of a tool other than its operation. */
export type ToolParts = Omit<McpTool, 'call' | 'pure'>;

interface Calling {
  /**
   * The operation’s input from the tool’s arguments, if they differ. @throws {Problem}
   * invalid_input
   */
  read?: (args: unknown) => unknown;
  /** The caller, on an endpoint with a key. */
  caller?: (call: ToolCall) => ActiveKey;
}

interface Writing<Output> extends Calling {
  /** The ID of the task for a response; undefined if none continues. */
  taskOf?: (output: Output) => string | undefined;
}

/** The operation call for a tool call. */
const callOf = (call: ToolCall, caller: Calling['caller'], context: Context): Call => ({
  channel: 'mcp',
  callbackKey: () => readCallbackKey(call.authorization ?? null, context),
  ...(call.address !== undefined && { address: call.address }),
  ...(caller && { key: caller(call) }),
});

/**
 * A tool that writes, based on the same operation as every other channel; its arguments may include
 * an idempotency key.
 */
export const writingTool = <Input, Output>(
  operation: Operation<Input, Output>,
  parts: ToolParts,
  context: Context,
  { read = (args) => args, caller, taskOf }: Writing<Output> = {},
): McpTool => ({
  ...parts,
  pure: false,
  async call(args, call) {
    const asCalled = {
      ...operation,
      parse: (value: unknown, at: Context) => operation.parse(read(value), at),
    };
    const { output, replayed } = await callWithKey(
      asCalled,
      args ?? {},
      callOf(call, caller, context),
      context,
    );
    return { structured: { ...(output as JsonObject) }, replayed, taskId: taskOf?.(output) };
  },
});

interface Reading<Output> extends Calling {
  read: NonNullable<Calling['read']>;
  /**
   * Tells whether the caller already has the result, given the arguments that `read` got; undefined
   * if the caller does not wait for a newer one.
   */
  knownOf?: (args: unknown) => ((output: Output) => boolean) | undefined;
}

/**
 * A tool that reads changing data with an operation; `read` converts the arguments to its input.
 */
export const readingTool = <Input, Output>(
  operation: Operation<Input, Output>,
  parts: ToolParts,
  context: Context,
  { read, caller, knownOf }: Reading<Output>,
): McpTool => ({
  ...parts,
  pure: false,
  async call(args, call) {
    const input = operation.parse(read(args), context);
    const isKnown = knownOf?.(args) as Call['isKnown'];
    const { signal } = call;
    const { output, headers } = await operation.handle(
      input,
      { ...callOf(call, caller, context), ...(isKnown && { isKnown, ...(signal && { signal }) }) },
      context,
    );
    return { structured: { ...(output as JsonObject) }, headers };
  },
});
