/**
 * A submission of a form that was refused: the form is shown again with what was typed and what
 * would be right.
 */
export interface FormFault {
  /** Verb of the action, or null for the plain lead form. */
  verb: string | null;
  /** HTTP status of the refusal. */
  status: number;
  /** When the form may be sent again, in words; absent where it may be at once. */
  retryAt?: string | undefined;
  /** What is wrong, one sentence. */
  detail: string;
  /**
   * A JSON Pointer into the body for each fault, what would be right, and what the person at the
   * form does.
   */
  errors: readonly {
    pointer: string;
    message: string;
    allowed?: readonly string[] | undefined;
    instruction?: string | undefined;
  }[];
  /** What was typed, by dotted form name, for example `fields.zip`. */
  values: Readonly<Record<string, string>>;
  /**
   * The idempotency key under which the form may be sent again; absent where it needs a new one.
   */
  key?: string | undefined;
}
