import type { Site } from '../site/site.ts';
import { normalizeTexts } from './normalize-text.ts';
import type { ProblemCode } from './problem.ts';
import type { Context } from './context.ts';

/** The channel of a call. */
export type CallChannel = 'json' | 'form' | 'mcp' | 'a2a' | 'task' | 'import';

/** An active key. */
export interface ActiveKey {
  id: string;
  name: string;
  /** Capability ids or globs. */
  scopes: readonly string[];
  /** ISO 8601 time when it expires; null for never. */
  expiresAt: string | null;
}

/** A call of an operation: everything about it except the input. */
export interface Call {
  channel: CallChannel;
  /**
   * 16 to 255 visible ASCII characters. Calls with the same key and the same input have one effect.
   */
  idempotencyKey?: string;
  /** Whether the honeypot was filled in, in which case the lead is stored and flagged. */
  suspected?: boolean;
  /**
   * IP address of the caller; absent for calls by the operator or the service itself. Never stored
   * or logged in plain form.
   */
  address?: string;
  /** Contracts that the caller accepts, from the If-Match header. */
  contracts?: readonly string[];
  /** The caller's key; always present for operations with `bearer`. */
  key?: ActiveKey;
  /**
   * Reads the ID of a key that allows callbacks; absent if the channel cannot carry a key.
   * @throws {Problem} unauthorized, insufficient_scope
   */
  callbackKey?: () => Promise<string>;
  /** Whether the caller already has this output; absent without If-None-Match. */
  isKnown?: (output: unknown) => boolean;
  /** Aborts when the caller disconnects; present together with `isKnown`. */
  signal?: AbortSignal;
}

/** The result of an operation; `replayed` if it comes from an earlier call with the same key. */
export interface Outcome<Output> {
  output: Output;
  replayed: boolean;
  /** HTTP status if it differs from the operation’s usual one. */
  status?: number;
  /** Response headers, for example Retry-After. */
  headers?: Readonly<Record<string, string>>;
}

/** The values of a form, nested by the dots in its names; empty inputs are omitted. */
export interface FormTexts {
  [name: string]: string | FormTexts;
}

/** Which form it is: its subsite, and the verb of its action, or null for the plain form. */
export interface FormPlace {
  subsite: string;
  verb: string | null;
}

/**
 * The HTML form of an operation. Its inputs are named after the body’s members, with dots for
 * nesting. An operation with a form accepts form bodies as well as JSON, and OpenAPI says so.
 */
export interface OperationForm<Output = unknown> {
  /**
   * Converts the form to a JSON body, with numbers and booleans parsed; invalid text is kept for
   * `parse` to reject. `place` is the form to show again if the body is rejected; without it, a
   * page shows only the reason.
   */
  read(texts: FormTexts, site: Site): { body: unknown; place?: FormPlace | undefined };
  /**
   * Site-relative path of the page with the form, for a browser that requests the form's action
   * URL by GET.
   */
  pageAt(
    address: { params: Readonly<Record<string, string>>; query: URLSearchParams },
    site: Site,
  ): string;
  /** Site-relative path of the page that shows the output. */
  pageOf(output: Output): string;
}

export type JsonSchema = Record<string, unknown>;

/** The description of an operation in the OpenAPI document. */
export interface OperationDescription {
  /** Path and query parameters. */
  parameters: readonly {
    name: string;
    in: 'path' | 'query' | 'header';
    required: boolean;
    description: string;
    schema: JsonSchema;
    example?: string | number;
  }[];
  /**
   * JSON Schema of the JSON body; absent without a body. Component schemas by name go into
   * `components`.
   */
  request?: JsonSchema;
  requestExamples?: Record<string, { summary: string; value: unknown }>;
  /** JSON Schema of the response; absent for a redirect. */
  response?: JsonSchema;
  responseExample?: unknown;
  /** Status of a successful response if not 200, for example 302. */
  status?: number;
  /** When the response has status 202 and Retry-After instead, because the work continues. */
  accepted?: string;
  /** Whether a successful response may have Retry-After, because too many callers are waiting. */
  busy?: boolean;
  components?: Record<string, JsonSchema>;
}

/**
 * An operation of the service, shared by all channels. Each has its own file, named after its
 * verb. Transports have no logic of their own.
 */
export interface Operation<Input = unknown, Output = unknown> {
  /** Kebab-case verb phrase, for example `submit-action`. */
  name: string;
  summary: string;
  description: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Path with `{parameters}`, for example `/api/lead/{receipt}`. */
  path: string;
  /** Problem codes of this operation, in addition to those of every endpoint. */
  problems: readonly ProblemCode[];
  /** Whether it requires an API key as a bearer token. */
  bearer?: boolean;
  /** Maximum body size in bytes, if not the default. */
  maxBodyBytes?: number;
  /** Whether the input is only path parameters although the method is not GET. */
  bodiless?: boolean;
  /** Query parameters that it accepts; each is a string, or a list if repeated. */
  query?: readonly string[];
  /** Whether its responses have an ETag, for 304 responses. */
  etag?: boolean;
  /** The OpenAPI description for a site. */
  describe(site: Site): OperationDescription;
  /** Its HTML form, if any. */
  form?: OperationForm<Output>;
  /**
   * Validates the input. `channel` says where the input comes from, because forms have additional
   * rules.
   * @throws {Problem} invalid_input with every error at once
   */
  parse(value: unknown, context: Context, channel?: CallChannel): Input;
  /** Runs the operation. @throws {Problem} */
  handle(input: Input, call: Call, context: Context): Promise<Outcome<Output>>;
}

/** Defines an operation. Every text in its input is normalized, whatever the channel. */
export const defineOperation = <Input, Output>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> => ({
  ...operation,
  parse: (value, context, channel) => operation.parse(normalizeTexts(value), context, channel),
});
