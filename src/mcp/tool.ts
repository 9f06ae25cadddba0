import { isObject, type JsonObject } from '../site/json-object.ts';
import { isTextAlias } from '../site/corrections/similar-names.ts';
import { toJsonSchema } from '@valibot/to-json-schema';
import type { AuthInfo, CallToolResult } from '@modelcontextprotocol/server';
import * as v from 'valibot';
import type { ActiveKey } from '../operation/operation.ts';
import { declareLimits, jsonSchemaOf as createJsonSchema } from '../operation/json-schema.ts';
import { normalizeTexts } from '../operation/normalize-text.ts';
import { parsePointer } from '../operation/json-pointer.ts';
import type { InputFault } from '../operation/problem.ts';
import { withChoices, withIntendedName } from '../operation/unknown-names.ts';
import { validateValue, throwIfAnyFaults } from '../operation/validate.ts';

/** Hints about a tool's behavior; all four are always present. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export interface ToolCall {
  address?: string;
  key?: ActiveKey;
  /** The caller's key, on an endpoint that needs one. */
  authInfo?: AuthInfo;
  /** On an open endpoint, an invalid one is ignored unless an argument needs a key. */
  authorization?: string;
  signal?: AbortSignal;
}

/** Text after a result that an earlier call with the same key produced. */
export const REPLAYED_TEXT =
  'Replayed: an earlier call with this idempotencyKey already did this, and the result above is from that time.';

/** A tool as served: schemas are converted once, and arguments arrive unvalidated. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  inputSchema: JsonObject & { type: 'object' };
  outputSchema: JsonObject & { type: 'object' };
  /**
   * Whether the result depends only on the arguments and the registry, so that it can be cached.
   */
  pure?: boolean;
  /** Text after a replayed result, if it has no state that another tool reads. */
  replayedText?: string;
  /** Validates the arguments and returns the result. @throws {Problem} */
  call: (args: unknown, call: ToolCall) => Promise<ToolAnswer>;
}

/** A tool's result; `structured` matches its `outputSchema`. */
export interface ToolAnswer {
  structured: JsonObject;
  /** Whether the result is from an earlier call with the same idempotency key. */
  replayed?: boolean;
  /** The call’s task, which a client that supports tasks gets instead of the result. */
  taskId?: string | undefined;
  /** Text for the model that follows the result. */
  notice?: string | undefined;
  /** Headers that other channels send with this response, and that MCP sends in `_meta`. */
  headers?: Readonly<Record<string, string>> | undefined;
}

type ObjectSchema = v.GenericSchema<unknown, JsonObject>;

export const READ_ANNOTATIONS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Annotations of a tool that stores something; a repeated call stores it again. */
export const WRITE_ANNOTATIONS: ToolAnnotations = {
  ...READ_ANNOTATIONS,
  readOnlyHint: false,
  idempotentHint: false,
};

/** Annotations of a tool that sends something to a provider; a repeated call sends it again. */
export const PROVIDER_ANNOTATIONS: ToolAnnotations = { ...WRITE_ANNOTATIONS, openWorldHint: true };

/** Keywords that do not help a model call a tool or read its result. */
const OMITTED_KEYWORDS = new Set(['expectation', 'minLength', 'pattern', 'additionalProperties']);
const OMITTED_OUTPUT_KEYWORDS = new Set([...OMITTED_KEYWORDS, 'required']);

/**
 * The published form of a schema: short, because every client reads the full list of tools first.
 * Omitted constraints are checked when a value arrives.
 */
function toPublishedSchema(schema: unknown, omittedKeywords: ReadonlySet<string>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => toPublishedSchema(each, omittedKeywords));
  if (!isObject(schema)) return schema;
  const { type, ...others } = schema;
  const entries = Object.entries({
    ...(type !== undefined && !('enum' in others) && { type }),
    ...others,
  });
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      omittedKeywords.has(name) || isEmpty(value)
        ? []
        : [[name, toPublishedKeyword(name, value, omittedKeywords)]],
    ),
  );
}

/** Properties may have the same names as keywords. */
const toPublishedKeyword = (name: string, value: unknown, omittedKeywords: ReadonlySet<string>) =>
  name === 'properties' && isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([property, schema]) => [
          property,
          toPublishedSchema(schema, omittedKeywords),
        ]),
      )
    : toPublishedSchema(value, omittedKeywords);

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function jsonSchemaOf(
  schema: v.GenericSchema,
  omittedKeywords: ReadonlySet<string>,
): JsonObject & { type: 'object' } {
  const { $schema: _, ...json } = toJsonSchema(schema, {
    errorMode: 'ignore',
    target: 'draft-2020-12',
    overrideAction: declareLimits,
  });
  return toPublishedSchema(json, omittedKeywords) as JsonObject & { type: 'object' };
}

/** Keywords that only explain a result, whose member names already do so. */
const OMITTED_RESULT_KEYWORDS = new Set([...OMITTED_OUTPUT_KEYWORDS, 'description', 'format']);

/** The published output schema of an operation, with every member that its responses may have. */
export const createOutputSchema = (response: v.GenericSchema) =>
  toPublishedSchema(createJsonSchema(response), OMITTED_RESULT_KEYWORDS) as JsonObject & {
    type: 'object';
  };

/**
 * Adapts the errors if the search words are missing and the only unknown argument has text:
 * suggests `query` if that argument has a common name for search words, and otherwise lists all
 * arguments. Without this, removing the unknown argument would list everything.
 */
function suggestQuery(errors: readonly InputFault[], args: unknown): readonly InputFault[] {
  const unknownNames = errors.filter(({ kind }) => kind === 'unknown');
  const [fault] = unknownNames;
  const [name = '', ...inner] = fault ? parsePointer(fault.pointer) : [];
  if (
    unknownNames.length !== 1 ||
    fault?.intended !== undefined ||
    !fault?.allowed?.includes('query') ||
    inner.length ||
    !isObject(args) ||
    args['query'] !== undefined ||
    typeof args[name] !== 'string'
  )
    return errors;
  const suggestion = isTextAlias(name, 'query')
    ? withIntendedName(fault, 'query')
    : withChoices(fault);
  return errors.map((error) => (error === fault ? suggestion : error));
}

/**
 * Validates arguments; `findFaults` finds errors that the schema cannot.
 * @throws {Problem} invalid_input with every error at once, including unknown names
 */
export function readArguments<Input extends v.GenericSchema>(
  input: Input,
  args: unknown,
  findFaults: (args: JsonObject) => readonly InputFault[] = () => [],
): v.InferOutput<Input> {
  const sent = normalizeTexts(args ?? {});
  const { output, errors } = validateValue(input, sent);
  throwIfAnyFaults([...suggestQuery(errors, args), ...(isObject(sent) ? findFaults(sent) : [])]);
  return output;
}

/**
 * Defines a tool. `input` is a strict object: every error is reported at once, including unknown
 * names. Clients validate against `output` and discard a result that does not match.
 */
export function defineTool<Input extends v.GenericSchema, Output extends ObjectSchema>({
  input,
  output,
  findFaults,
  handle,
  ...parts
}: Omit<McpTool, 'inputSchema' | 'outputSchema' | 'call'> & {
  input: Input;
  output: Output;
  /** Finds errors that `input` cannot, in arguments that may also have other errors. */
  findFaults?: (args: JsonObject, call: ToolCall) => readonly InputFault[];
  handle: (
    input: v.InferOutput<Input>,
    call: ToolCall,
  ) => v.InferInput<Output> | Promise<v.InferInput<Output>>;
}): McpTool {
  return {
    ...parts,
    inputSchema: jsonSchemaOf(input, OMITTED_KEYWORDS),
    outputSchema: jsonSchemaOf(output, OMITTED_OUTPUT_KEYWORDS),
    async call(args, call) {
      const values = readArguments(input, args, (sent) => findFaults?.(sent, call) ?? []);
      return { structured: v.parse(output, await handle(values, call)) };
    },
  };
}

/** A tool result: the same content as text and as structured content. */
export const createStructuredResult = (
  structuredContent: Record<string, unknown>,
): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
});
