import type { Context } from '../operation/context.ts';
import type { Call, Operation, Outcome } from '../operation/operation.ts';
import { readCallbackKey } from '../keys/authenticate-key.ts';
import { callWithKey } from '../http/keyed-call.ts';
import type { JsonObject } from '../site/json-object.ts';
import type { McpTool, ToolCall } from './tool.ts';

export const createStringSchema = (description: string) => ({ type: 'string', description });

/** JSON Schema for an object, as published by a tool. */
export const createObjectSchema = (properties: JsonObject, required: readonly string[] = []) => ({
  type: 'object' as const,
  properties,
  ...(required.length && { required }),
});

/** JSON Schema for the argument that every write tool accepts. */
export const idempotencyKeySchema = createStringSchema('UUID per request');

/** The properties of a tool, without the function that calls it. */
export type ToolDeclaration = Omit<McpTool, 'call'>;

/** Converts the arguments to the operation's input. @throws {Problem} invalid_input */
type ReadInput = (args: unknown) => unknown;

interface WriteOptions<Output> {
  read?: ReadInput;
  /** Returns the ID of the task that continues after the response; undefined if there is none. */
  taskOf?: (output: Output) => string | undefined;
}

const toCall = ({ authorization, address, key }: ToolCall, context: Context): Call => ({
  channel: 'mcp',
  getCallbackKey: () => readCallbackKey(authorization ?? null, context),
  ...(address !== undefined && { address }),
  ...(key && { key }),
});

/** A tool that writes; its arguments may include an idempotency key. */
export const createWriteTool = <Input, Output>(
  operation: Operation<Input, Output>,
  parts: ToolDeclaration,
  context: Context,
  { read, taskOf }: WriteOptions<Output> = {},
): McpTool => ({
  ...parts,
  async call(args, call) {
    const { output, replayed } = await callWithKey(
      operation,
      args ?? {},
      toCall(call, context),
      context,
      read,
    );
    return { structured: { ...(output as JsonObject) }, replayed, taskId: taskOf?.(output) };
  },
});

interface ReadOptions<Output> {
  read: ReadInput;
  /**
   * Creates a check for whether the caller has the result; undefined if the call does not wait for
   * a newer one.
   */
  createKnownCheck?: (args: unknown) => ((output: Output) => boolean) | undefined;
  /** Text for the model about a result; other channels say the same in headers. */
  noticeOf?: (headers: NonNullable<Outcome<Output>['headers']>) => string | undefined;
}

/** A tool that reads changing data. */
export const createReadTool = <Input, Output>(
  operation: Operation<Input, Output>,
  parts: ToolDeclaration,
  context: Context,
  { read, createKnownCheck, noticeOf }: ReadOptions<Output>,
): McpTool => ({
  ...parts,
  async call(args, call) {
    const input = operation.parse(read(args), context);
    const isKnown = createKnownCheck?.(args) as Call['isKnown'];
    const { signal } = call;
    const { output, headers } = await operation.handle(
      input,
      { ...toCall(call, context), ...(isKnown && { isKnown, ...(signal && { signal }) }) },
      context,
    );
    return {
      structured: { ...(output as JsonObject) },
      headers,
      notice: headers && noticeOf?.(headers),
    };
  },
});
