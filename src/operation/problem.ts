/** Error codes and their statuses, as RFC 9457 problem types. */
export const problemCodes = {
  malformed_body: { status: 400, title: 'The body cannot be read' },
  invalid_input: { status: 400, title: 'The input is not valid' },
  unauthorized: { status: 401, title: 'A key is required' },
  insufficient_scope: { status: 403, title: 'The key does not allow this' },
  unknown_subsite: { status: 404, title: 'The subsite does not exist' },
  unknown_action: { status: 404, title: 'The action does not exist' },
  unknown_token: { status: 404, title: 'The share link does not exist' },
  unknown_receipt: { status: 404, title: 'The receipt does not exist' },
  unknown_capability: { status: 404, title: 'The capability does not exist' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  in_flight: { status: 409, title: 'The same request is still in progress' },
  conflict: { status: 409, title: 'The request conflicts with the current state' },
  gone: { status: 410, title: 'The resource was removed' },
  contract_changed: { status: 412, title: 'The contract of the action has changed' },
  too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported' },
  idempotency_mismatch: { status: 422, title: 'The idempotency key belongs to another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  budget_exceeded: { status: 429, title: 'A budget is used up' },
  internal: { status: 500, title: 'Something failed on our side' },
  unavailable: { status: 503, title: 'The service is temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problemCodes;

/**
 * One error in an input: a JSON Pointer (RFC 6901) into the request body, and a message that says
 * how to fix it.
 */
export interface InputError {
  pointer: string;
  message: string;
  /** Accepted values, if they can be listed. */
  allowed?: readonly string[];
}

/** An input error with internal details. The caller gets only its `InputError` members. */
export interface InputFault extends InputError {
  /** Whether a name is missing, unknown, or belongs elsewhere in the body. */
  kind?: 'missing' | 'unknown' | 'misplaced';
  /** What to do, for people who fill in a form, if the message is for software. */
  instruction?: string | undefined;
}

/** A problem details object, RFC 9457. */
export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  errors?: readonly InputError[];
  /** What the receipt holder may do instead, if the state of the lead does not allow the action. */
  next?: readonly string[];
  /** Changes since the contract in the request, one sentence each. */
  changes?: readonly string[];
  /** ID of a logged internal error. */
  id?: string;
}

/**
 * A refusal with its reason, RFC 9457. Never contains a submitted value, a stack trace or the name
 * of a library.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly InputFault[] | undefined;
  /** Response headers to send with it, for example Retry-After. */
  readonly headers: Readonly<Record<string, string>>;
  readonly id: string | undefined;
  readonly next: readonly string[] | undefined;
  readonly changes: readonly string[] | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    options: {
      errors?: readonly InputFault[];
      headers?: Record<string, string>;
      id?: string;
      next?: readonly string[];
      changes?: readonly string[];
    } = {},
  ) {
    super(detail);
    this.name = 'Problem';
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.id = options.id;
    this.next = options.next;
    this.changes = options.changes;
  }

  get status(): number {
    return problemCodes[this.code].status;
  }

  /** The body of the response; `base` is the service’s origin. */
  details(base: string): ProblemDetails {
    return {
      type: `${base}/problems/${this.code}`,
      title: problemCodes[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      ...(this.errors && {
        errors: this.errors.map(({ pointer, message, allowed }) => ({
          pointer,
          message,
          ...(allowed && { allowed }),
        })),
      }),
      ...(this.next && { next: this.next }),
      ...(this.changes && { changes: this.changes }),
      ...(this.id && { id: this.id }),
    };
  }
}
