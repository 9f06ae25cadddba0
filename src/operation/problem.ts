/** Error codes and their statuses, contract.md "Errors". */
export const problemCodes = {
  malformed_body: { status: 400, title: 'The body cannot be read' },
  invalid_input: { status: 400, title: 'The input is not valid' },
  unauthorized: { status: 401, title: 'A key is needed' },
  insufficient_scope: { status: 403, title: 'The key does not allow this' },
  unknown_subsite: { status: 404, title: 'There is no such subsite' },
  unknown_action: { status: 404, title: 'There is no such action' },
  unknown_token: { status: 404, title: 'There is no such share link' },
  unknown_receipt: { status: 404, title: 'There is no such receipt' },
  unknown_capability: { status: 404, title: 'There is no such capability' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  in_flight: { status: 409, title: 'The same request is still being worked on' },
  conflict: { status: 409, title: 'What was asked for is taken or not allowed now' },
  gone: { status: 410, title: 'It is no longer here' },
  contract_changed: { status: 412, title: 'The contract that was sent is not that of the action' },
  too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The media type is not taken here' },
  idempotency_mismatch: { status: 422, title: 'The idempotency key belongs to another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  budget_exceeded: { status: 429, title: 'A budget is used up' },
  internal: { status: 500, title: 'Something failed on our side' },
  unavailable: { status: 503, title: 'The service cannot answer for the moment' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problemCodes;

/**
 * One error in an input: a JSON Pointer (RFC 6901) into the request body, and how to correct it.
 */
export interface InputError {
  pointer: string;
  message: string;
  /** Accepted values, if they can be listed. */
  allowed?: readonly string[];
}

/** An input error with internal details; a caller gets the `InputError` in it. */
export interface InputFault extends InputError {
  /** A missing name, an unknown name, or a name that belongs elsewhere in the body. */
  kind?: 'missing' | 'unknown' | 'misplaced';
  /** For people at a form: what to do, if the message is for software. */
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
  /** What the receipt holder may do instead, if the state of a lead does not allow the action. */
  next?: readonly string[];
  /** Changes since the contract in the request, one sentence each. */
  changes?: readonly string[];
  /** ID of a logged internal error. */
  id?: string;
}

/** A refusal with its reason. It never contains a submitted value, a stack or a library’s name. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly InputFault[] | undefined;
  /** Response headers that belong to the refusal, for example Retry-After. */
  readonly headers: Readonly<Record<string, string>>;
  readonly id: string | undefined;
  readonly next: readonly string[] | undefined;
  readonly changes: readonly string[] | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
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
    this.errors = more.errors;
    this.headers = more.headers ?? {};
    this.id = more.id;
    this.next = more.next;
    this.changes = more.changes;
  }

  get status(): number {
    return problemCodes[this.code].status;
  }

  /** The body of the answer; `base` is the service’s origin. */
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
