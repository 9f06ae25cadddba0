/**
 * A refused form submission: the form is shown again with the entered values and how to correct
 * them.
 */
export interface FormFault {
  /** Verb of the action, or null for the plain lead form. */
  verb: string | null;
  /** HTTP status of the refusal. */
  status: number;
  /** When the form may be sent again, in words; absent if immediately. */
  retryAt?: string | undefined;
  /** The error, in one sentence. */
  detail: string;
  /**
   * For each error: a JSON Pointer into the body, how to correct it, and what to do at the form.
   */
  errors: readonly {
    pointer: string;
    message: string;
    allowed?: readonly string[] | undefined;
    instruction?: string | undefined;
  }[];
  /** The entered values by dotted form name, for example `fields.zip`. */
  values: Readonly<Record<string, string>>;
  /** The idempotency key for sending the form again; absent if it needs a new one. */
  key?: string | undefined;
}
