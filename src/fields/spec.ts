/** Structure of a text field, checked when an action is submitted. */
export type Content =
  { kind: 'subsite' } | { kind: 'codes'; codes: string[] } | { kind: 'offerings'; max: number };

/**
 * What the record of a field says beside its kind; src/registry/field.ts says what each key means.
 * It is the one definition behind a form input, a JSON Schema and the check of a request.
 */
export interface FieldSpec {
  required: boolean;
  enum?: string[];
  description?: string;
  example?: string;
  label?: string;
  hint?: string;
  options?: Record<string, string>;
  item?: boolean;
  known?: string;
  emergency?: string;
  default?: string;
  notBefore?: string;
  past?: boolean;
  minimum?: number;
  maximum?: number;
  integer?: boolean;
  content?: Content;
}

/** A value of a field after its check. */
export type FieldValue = string | number;
