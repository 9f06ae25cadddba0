import { isObject } from '../site/json-object.ts';
import { toJsonSchema } from '@valibot/to-json-schema';
import type { AuthInfo } from '@modelcontextprotocol/server';
import * as v from 'valibot';
import { normalizeTexts } from '../operation/normalize-text.ts';
import { check, refuseIfAny } from '../operation/validate.ts';

export type JsonObject = Record<string, unknown>;

/** What a client may expect of a tool; all four hints are always stated. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** What accompanies a call. */
export interface ToolCall {
  /** IP address that it came from. */
  address?: string;
  /** The key that the caller showed, on an endpoint that needs one. */
  authInfo?: AuthInfo;
  /** The header Authorization; on an open endpoint it is read where an argument needs a key. */
  authorization?: string;
  /** Aborts when the caller goes away. */
  signal?: AbortSignal;
}

/** A tool as the endpoint serves it: schemas converted once, values unchecked outside. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  inputSchema: JsonObject & { type: 'object' };
  outputSchema: JsonObject & { type: 'object' };
  /**
   * Whether the answer follows from the arguments and the registry alone, so that it may be cached.
   */
  pure: boolean;
  /** The answer to unchecked arguments. @throws {Problem} */
  call: (args: unknown, call: ToolCall) => Promise<ToolAnswer>;
}

/** What a tool answers; `structured` satisfies its `outputSchema`. */
export interface ToolAnswer {
  structured: JsonObject;
  /** Whether an earlier call with the same idempotency key made it. */
  replayed?: boolean;
  /**
   * The task that goes on with it; a client that takes tasks is answered with that, while it runs.
   */
  taskId?: string | undefined;
  /** Headers of the same answer on other channels, which `_meta` carries here. */
  headers?: Readonly<Record<string, string>> | undefined;
}

type ObjectSchema = v.GenericSchema<unknown, JsonObject>;

/** Reads and changes nothing. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Sends something to a provider, each time anew. */
export const REACHES_PROVIDERS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

/** Keywords that help no model to call a tool, and those that help none to read its answer. */
const SILENT = new Set(['expectation', 'minLength', 'pattern', 'additionalProperties']);
const SILENT_IN_OUTPUT = new Set([...SILENT, 'required']);

/**
 * A schema as it is published: short, since every client reads all of a list before it calls
 * anything. Checks that it leaves out are made when a value arrives.
 */
function published(schema: unknown, silent: ReadonlySet<string>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => published(each, silent));
  if (!isObject(schema)) return schema;
  const { type, ...others } = schema;
  const entries = Object.entries({
    ...(type !== undefined && !('enum' in others) && { type }),
    ...others,
  });
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      silent.has(name) || isEmpty(value) ? [] : [[name, published(value, silent)]],
    ),
  );
}

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** JSON Schema (2020-12) of an object schema. */
function jsonSchemaOf(
  schema: v.GenericSchema,
  silent: ReadonlySet<string>,
): JsonObject & { type: 'object' } {
  const { $schema: _, ...json } = toJsonSchema(schema, {
    errorMode: 'ignore',
    target: 'draft-2020-12',
  });
  return published(json, silent) as JsonObject & { type: 'object' };
}

/**
 * Arguments by their schema, a strict object. @throws {Problem} invalid_input with every fault at
 * once, unknown names included
 */
export function readArguments<Input extends v.GenericSchema>(
  input: Input,
  args: unknown,
): v.InferOutput<Input> {
  const { output, errors } = check(input, normalizeTexts(args ?? {}));
  refuseIfAny(errors);
  return output;
}

/**
 * A tool from its schemas and what it does. `input` is a strict object: every fault is reported at
 * once, unknown names included. `output` makes what clients check: an answer that does not satisfy
 * it is refused by them whole.
 */
export function defineTool<Input extends v.GenericSchema, Output extends ObjectSchema>(tool: {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  pure?: boolean;
  input: Input;
  output: Output;
  handle: (
    input: v.InferOutput<Input>,
    call: ToolCall,
  ) => v.InferInput<Output> | Promise<v.InferInput<Output>>;
}): McpTool {
  const { name, title, description, annotations, pure = false, input, output, handle } = tool;
  return {
    name,
    title,
    description,
    annotations,
    pure,
    inputSchema: jsonSchemaOf(input, SILENT),
    outputSchema: jsonSchemaOf(output, SILENT_IN_OUTPUT),
    async call(args, call) {
      return { structured: v.parse(output, await handle(readArguments(input, args), call)) };
    },
  };
}
