import { problemCodes } from '../site/problem-codes.ts';

export type ProblemCode = keyof typeof problemCodes;

/** An input error: a JSON Pointer (RFC 6901) into the request body, and a message with the fix. */
export interface InputError {
  pointer: string;
  message: string;
  /** Accepted values, if they can be listed. */
  allowed?: readonly string[];
  /** First accepted day, YYYY-MM-DD, if the value is a date with a range. */
  min?: string;
  /** Last accepted day, YYYY-MM-DD, if the value is a date with a range. */
  max?: string;
}

/** The current contract of an action, and the URL of the record that has it. */
type CurrentContract = Required<Pick<ProblemDetails, 'contract' | 'manifest'>>;

/** An input error with internal details. The caller gets only the `InputError` members. */
export interface InputFault extends InputError {
  /**
   * `mistyped`: probably a typing error; the same value is accepted when the form is sent again.
   */
  kind?: 'missing' | 'unknown' | 'misplaced' | 'mistyped';
  /** A sentence to add to the advice to remove an unknown name. */
  remark?: string;
  /** The known name that the caller probably meant. */
  intended?: string;
  /** Instruction for people who fill out a form, if the message is for software. */
  instruction?: string | undefined;
  /** Message for software that posts a form, if it differs; in a form, all values are text. */
  formMessage?: string;
}

/** Problem details object (RFC 9457). */
export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  errors?: readonly InputError[];
  /** The customer's allowed actions, if the state of the lead does not allow the requested one. */
  next?: readonly string[];
  /** Changes since the contract in the request, one sentence each. */
  changes?: readonly string[];
  /** The current contract of the action, and the URL of the record that has it. */
  contract?: string;
  manifest?: string;
  /** Seconds until the request may be sent again, as in Retry-After. */
  retryAfterSeconds?: number;
  /** ID of a logged internal error. */
  id?: string;
}

/**
 * A problem (RFC 9457). It never contains a submitted value, a stack trace or the name of a
 * library.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly InputFault[] | undefined;
  /** Additional response headers, for example Retry-After. */
  readonly headers: Readonly<Record<string, string>>;
  readonly id: string | undefined;
  readonly next: readonly string[] | undefined;
  readonly changes: readonly string[] | undefined;
  readonly current: CurrentContract | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    options: {
      errors?: readonly InputFault[];
      headers?: Record<string, string>;
      id?: string;
      next?: readonly string[];
      changes?: readonly string[];
      current?: CurrentContract;
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
    this.current = options.current;
  }

  get status(): number {
    return problemCodes[this.code].status;
  }

  /** The value of Retry-After; undefined if the problem has no such header. */
  get retryAfterSeconds(): number | undefined {
    const value = this.headers['retry-after'];
    return value === undefined ? undefined : Number(value);
  }

  /** Creates the response body; `base` is the service's origin. */
  details(base: string): ProblemDetails {
    return {
      type: `${base}/problems/${this.code}`,
      title: problemCodes[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      ...(this.errors && {
        errors: this.errors.map(({ pointer, message, allowed, min, max }) => ({
          pointer,
          message,
          ...(allowed && { allowed }),
          ...(min !== undefined && { min }),
          ...(max !== undefined && { max }),
        })),
      }),
      ...(this.next && { next: this.next }),
      ...(this.changes && { changes: this.changes }),
      ...this.current,
      ...(this.retryAfterSeconds !== undefined && { retryAfterSeconds: this.retryAfterSeconds }),
      ...(this.id && { id: this.id }),
    };
  }
}

export const isGone = (thrown: unknown): thrown is Problem =>
  thrown instanceof Problem && thrown.code === 'gone';

/** Whether an error says that something does not exist or was removed. */
export const isMissing = (thrown: unknown): thrown is Problem =>
  thrown instanceof Problem && [404, 410].includes(thrown.status);

/** Handles an expected rejection by returning undefined, and rethrows any other. */
export const ignoreErrorIf =
  (isExpected: (thrown: unknown) => boolean) =>
  (thrown: unknown): undefined => {
    if (!isExpected(thrown)) throw thrown;
  };
