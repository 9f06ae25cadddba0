/** A rejected form, which is shown again with the entered values and the corrections to make. */
export interface FormFault {
  /** Verb of the action, or null for the plain lead form. */
  verb: string | null;
  status: number;
  /** When the form may be sent again, in words; absent if it may be sent at once. */
  retryAt?: string | undefined;
  /** The error, in one sentence. */
  detail: string;
  /**
   * For each error, a JSON Pointer into the body, the correction for API clients, and the
   * correction for people.
   */
  errors: readonly {
    pointer: string;
    message: string;
    allowed?: readonly string[] | undefined;
    instruction?: string | undefined;
    /** `mistyped` if the value will be accepted when the form is sent again. */
    kind?: string | undefined;
  }[];
  /** The entered values by dotted input name, such as `fields.zip`. */
  values: Readonly<Record<string, string>>;
  /** Email addresses that the person has already been asked to check. */
  checkedEmails?: readonly string[];
  /** Idempotency key for sending the form again; absent if a new key is needed. */
  key?: string | undefined;
}
