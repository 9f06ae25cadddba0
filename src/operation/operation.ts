import type { Site } from '../site/site.ts';
import { normalizeTexts } from './normalize-text.ts';
import type { ProblemCode } from './problem.ts';
import type { Context } from './context.ts';

export type CallChannel = 'json' | 'form' | 'mcp' | 'a2a' | 'task' | 'import';

export interface ActiveKey {
  id: string;
  name: string;
  /** Scopes of the key: capability IDs or globs. */
  scopes: readonly string[];
  /** Expiry time, ISO 8601; null for never. */
  expiresAt: string | null;
}

/** A call to an operation, without the input. */
export interface Call {
  channel: CallChannel;
  /** Calls with the same key and the same input have one effect. */
  idempotencyKey?: string;
  /** Whether the honeypot was filled in; if so, the lead is stored and flagged. */
  isHoneypotFilled?: boolean;
  /** Email addresses that a form asked the person to check, and that the person sent again. */
  checkedEmails?: readonly string[];
  /**
   * IP address of the caller; absent for calls by the operator or the service itself. It is never
   * stored or logged in plain text.
   */
  address?: string;
  /** Contracts that the caller accepts, from the If-Match header. */
  contracts?: readonly string[];
  /** Whether If-Match names this version of the operation's resource; absent without If-Match. */
  isCurrent?: (resource: unknown) => boolean;
  /**
   * The caller's valid key, whose budgets the call uses in place of the address's budgets; always
   * present for operations with `requiresKey`.
   */
  key?: ActiveKey;
  /**
   * Reads the ID of a key that allows callbacks; absent if the channel cannot carry a key.
   * @throws {Problem} unauthorized, insufficient_scope
   */
  getCallbackKey?: () => Promise<string>;
  /** Whether the caller already has this output; absent without If-None-Match. */
  isKnown?: (output: unknown) => boolean;
  /** Aborts when the caller disconnects; present together with `isKnown`. */
  signal?: AbortSignal;
}

/** Result of an operation; `replayed` if an earlier call with the same key produced it. */
export interface Outcome<Output> {
  output: Output;
  replayed: boolean;
  /** HTTP status if it differs from the operation's usual one. */
  status?: number;
  /** Response headers, for example Retry-After. */
  headers?: Readonly<Record<string, string>>;
}

/** The values of a form, nested by the dots in its names; empty inputs are omitted. */
export interface FormTexts {
  [name: string]: string | FormTexts;
}

/**
 * Identifies a form by its subsite and the verb of its action; the verb is null for the plain form.
 */
export interface FormLocation {
  subsite: string;
  verb: string | null;
  /** ID of the item whose page has the form; absent for the form on the subsite’s page. */
  item?: string | undefined;
}

/**
 * The HTML form of an operation. Input names are the members of the body, with dots for nesting. An
 * operation with a form accepts form bodies as well as JSON, and the OpenAPI document includes
 * both.
 */
export interface OperationForm<Output = unknown> {
  /** Requirements for a form that do not apply to JSON, as sentences for the OpenAPI document. */
  rule?: string;
  /**
   * Converts the form to a JSON body, and parses numbers and booleans; invalid text is left
   * unchanged for `parse` to reject. `formLocation` is the form to show again if the body is
   * rejected; without it, a page shows only the reason. `query` is the query of the URL.
   */
  read(
    texts: FormTexts,
    site: Site,
    query?: URLSearchParams,
  ): { body: unknown; formLocation?: FormLocation | undefined };
  /** Site-relative path of the form's page, for a browser that opens the form's action URL. */
  pageAt(
    address: { params: Readonly<Record<string, string>>; query: URLSearchParams },
    site: Site,
  ): string;
  /** Site-relative path of the page that shows the output. */
  pageOf(output: Output): string;
}

export type JsonSchema = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

const defineParameterIn =
  (place: Parameter['in']) =>
  (
    name: string,
    description: string,
    {
      required = place === 'path',
      schema = { type: 'string' },
      ...example
    }: Partial<Pick<Parameter, 'required' | 'schema' | 'example'>> = {},
  ): Parameter => ({ name, in: place, required, description, schema, ...example });

/** Defines a path parameter, which accepts any text by default. */
export const pathParameter = defineParameterIn('path');
/** Defines a query parameter, which is optional and accepts any text by default. */
export const queryParameter = defineParameterIn('query');
/** Defines a request header, which is optional and accepts any text by default. */
export const headerParameter = defineParameterIn('header');

export interface OperationDescription {
  parameters: readonly Parameter[];
  /** JSON Schema for the JSON body; `components` has the schemas that it references. */
  request?: JsonSchema;
  requestExamples?: Record<string, { summary: string; value: unknown }>;
  /** JSON Schema for the response; absent for a redirect. */
  response?: JsonSchema;
  responseExample?: unknown;
  /** Status of a successful response if not 200, for example 302. */
  status?: number;
  /** Explains a response with status 202 and Retry-After, for work that is still in progress. */
  accepted?: string;
  /** Whether a successful response may have Retry-After because too many callers are waiting. */
  mayBeBusy?: boolean;
  components?: Record<string, JsonSchema>;
}

/**
 * An operation of the service, shared by all channels. Each operation has its own file, named after
 * its verb. Transports contain no business logic.
 */
export interface Operation<Input = unknown, Output = unknown> {
  /** Kebab-case verb phrase, for example `submit-action`. */
  name: string;
  summary: string;
  description: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Path with `{parameters}`, for example `/api/lead/{receipt}`. */
  path: string;
  /** Problem codes of this operation, in addition to the codes of every endpoint. */
  problems: readonly ProblemCode[];
  /** Whether the operation requires an API key as a bearer token. */
  requiresKey?: boolean;
  /** Maximum body size in bytes, if different from the default. */
  maxBodyBytes?: number;
  /** Whether the input consists only of path parameters, even though the method is not GET. */
  hasNoBody?: boolean;
  /** Accepted query parameters; each is a string, or a list if repeated. */
  query?: readonly string[];
  /** Whether responses have an ETag, so that later reads can be answered with 304. */
  etag?: boolean;
  describe(site: Site): OperationDescription;
  form?: OperationForm<Output>;
  /**
   * Checks whether the caller's key allows what an input asks for, before the input is validated.
   * @throws {Problem} insufficient_scope
   */
  authorize?(value: unknown, call: Pick<Call, 'key'>, context: Context): void;
  /**
   * Validates the input. `channel` is the origin of the input, because forms have additional rules.
   * @throws {Problem} invalid_input with every error at once
   */
  parse(value: unknown, context: Context, channel?: CallChannel): Input;
  /** Runs the operation. @throws {Problem} */
  handle(input: Input, call: Call, context: Context): Promise<Outcome<Output>>;
}

/** Defines an operation. Normalizes all text in the input on every channel. */
export const defineOperation = <Input, Output>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> => ({
  ...operation,
  parse: (value, context, channel) => operation.parse(normalizeTexts(value), context, channel),
});
