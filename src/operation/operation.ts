import type { Site } from '../site/site.ts';
import { normalizeTexts } from './normalize-text.ts';
import type { ProblemCode } from './problem.ts';
import type { Context } from './context.ts';

/** The channel through which a call came. */
export type CallChannel = 'json' | 'form' | 'mcp' | 'a2a' | 'task' | 'import';

/** A key that may be used now. */
export interface ActiveKey {
  id: string;
  name: string;
  /** Capability ids or globs. */
  scopes: readonly string[];
  /** ISO 8601 time from which it is refused; null never. */
  expiresAt: string | null;
}

/** What accompanies an input: how it came and under which key it may be repeated. */
export interface Call {
  channel: CallChannel;
  /** 16 to 255 visible ASCII characters; equal keys with equal input give one effect. */
  idempotencyKey?: string;
  /** A filled honeypot: the lead is kept and marked. */
  suspected?: boolean;
  /**
   * IP address of the caller; absent where the operator or the service itself calls. Never stored
   * or logged as it is.
   */
  address?: string;
  /** Contracts of the action that the caller takes, from If-Match. */
  contracts?: readonly string[];
  /** Whose key was shown; present behind every operation with `bearer`. */
  key?: ActiveKey;
  /**
   * Reads the id of a key that allows callbacks; absent where there is no place to show one.
   * @throws {Problem} unauthorized, insufficient_scope
   */
  callbackKey?: () => Promise<string>;
  /** Whether the caller has this answer already; absent where they have none (If-None-Match). */
  isKnown?: (output: unknown) => boolean;
  /** Aborts when the caller goes away; present beside `isKnown`. */
  signal?: AbortSignal;
}

/** What an operation gives back; `replayed` when an earlier call with the same key made it. */
export interface Outcome<Output> {
  output: Output;
  replayed: boolean;
  /** HTTP status where it is not the operation’s usual one. */
  status?: number;
  /** Response headers that belong to the answer, for example Retry-After. */
  headers?: Readonly<Record<string, string>>;
}

/** What a form sent, nested by the dots in its names; empty inputs are left out. */
export interface FormTexts {
  [name: string]: string | FormTexts;
}

/** Which form of which page: a subsite, and the verb of its action or null for the plain form. */
export interface FormPlace {
  subsite: string;
  verb: string | null;
}

/**
 * The HTML form of an operation: inputs with the names of the body’s members, dotted where it
 * nests. With it the route takes forms beside JSON, and OpenAPI says so.
 */
export interface OperationForm<Output = unknown> {
  /**
   * The texts as a JSON body, with numbers and yes or no read from them; a text that cannot be read
   * is kept for `parse` to refuse. `place` is where a refused form is shown again; without one, a
   * page says only why it was refused.
   */
  read(texts: FormTexts, site: Site): { body: unknown; place?: FormPlace | undefined };
  /**
   * Site-relative path of the page that has the form, for a browser that opens the address it was
   * sent to.
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
   * JSON Schema of the JSON body; absent where there is none. Component schemas by name go into
   * `components`.
   */
  request?: JsonSchema;
  requestExamples?: Record<string, { summary: string; value: unknown }>;
  /** JSON Schema of the answer; absent for a redirect. */
  response?: JsonSchema;
  responseExample?: unknown;
  /** Status of success where it is not 200, for example 302. */
  status?: number;
  /** When the answer comes as 202 with Retry-After instead, because the work goes on. */
  accepted?: string;
  /** Whether a success may come with Retry-After, where no more callers can wait. */
  busy?: boolean;
  components?: Record<string, JsonSchema>;
}

/**
 * Something the service does on request, behind every channel. One file each, named by its verb.
 * Mounts and transports hold no logic of their own.
 */
export interface Operation<Input = unknown, Output = unknown> {
  /** Kebab-case verb phrase, for example `submit-action`. */
  name: string;
  summary: string;
  description: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Path with `{parameters}`, for example `/api/lead/{receipt}`. */
  path: string;
  /** Problem codes it may answer with, beside those that every endpoint has. */
  problems: readonly ProblemCode[];
  /** Whether a bearer key is needed. */
  bearer?: boolean;
  /** Largest body in bytes where it is not the usual one. */
  maxBodyBytes?: number;
  /** A call whose input is the parameters of its path alone, though it is no GET. */
  bodiless?: boolean;
  /** Query parameters that it reads; each is a text, or a list where it is repeated. */
  query?: readonly string[];
  /** Whether its answers have an ETag, so that a reader who has the newest one gets 304. */
  etag?: boolean;
  /** The OpenAPI description for a registry. */
  describe(site: Site): OperationDescription;
  /** Its HTML form; absent where it takes none. */
  form?: OperationForm<Output>;
  /**
   * The input in its validated form. A form is held to more than a program is, so `channel` says
   * which it was.
   * @throws {Problem} invalid_input with every fault at once.
   */
  parse(value: unknown, context: Context, channel?: CallChannel): Input;
  /** Does it. @throws {Problem} */
  handle(input: Input, call: Call, context: Context): Promise<Outcome<Output>>;
}

/**
 * An operation of these parts. Its input is read with every text normalized, whichever channel it
 * came by.
 */
export const defineOperation = <Input, Output>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> => ({
  ...operation,
  parse: (value, context, channel) => operation.parse(normalizeTexts(value), context, channel),
});
