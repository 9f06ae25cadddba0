/** Structure of a text field, checked when an action is submitted. */
export type Content =
  | { kind: 'subsite' }
  | { kind: 'codes'; codes: string[] }
  | { kind: 'offerings'; max: number }
  | { kind: 'name' };

/** The services that a form lists in a field for a subsite's name. */
export interface ListedServices {
  /** Subsite that people choose as “Not sure”; listed first and preselected. */
  unsure: string;
  /** Names of the listed subsites, grouped by heading. */
  groups: Record<string, string[]>;
}

/**
 * The keys of a field's record other than `type`; src/registry/schemas/field.ts documents each. Form
 * inputs, JSON Schemas and request validation all come from this definition.
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
  place?: boolean;
  emergency?: string;
  today?: string;
  default?: string;
  initial?: string;
  more?: boolean;
  notBefore?: string;
  past?: boolean;
  time?: string;
  minimum?: number;
  maximum?: number;
  integer?: boolean;
  content?: Content;
  services?: ListedServices;
}

export type FieldValue = string | number;
