import type * as v from 'valibot';
import type { Control, ControlContext } from './control.ts';
import type { FieldSpec, FieldValue } from './spec.ts';

/** Data from the network that validation of a field value needs. */
export interface CheckContext {
  subsites: readonly string[];
  /** IDs of the items in the subsite that the field belongs to. */
  items: readonly string[];
  /** Parses a phone number to E.164 format; returns undefined if it is invalid. */
  parsePhone: (text: string) => string | undefined;
}

/** A field kind. Everything specific to a kind is in the file of that kind. */
export interface FieldKind {
  /** Keys of a field's record that belong to this kind only. */
  readonly keys?: readonly (keyof FieldSpec)[];
  /** Finds errors in the values of these keys; yields each with its key. */
  readonly findSpecFaults?: (spec: FieldSpec) => Iterable<[key: keyof FieldSpec, problem: string]>;
  /** Finds the error in a record's example; `subsites` are the names of all subsites. */
  readonly findExampleFault: (
    spec: FieldSpec,
    example: string,
    subsites: readonly string[],
  ) => string | undefined;
  /** JSON Schema (2020-12) of a value, without a description or examples. */
  readonly jsonSchema: (spec: FieldSpec) => Record<string, unknown>;
  /** The validator for a submitted value. */
  readonly check: (spec: FieldSpec, context: CheckContext) => v.GenericSchema;
  /** The accepted form of a value, as one sentence for software. */
  readonly rule: (spec: FieldSpec) => string;
  /** Allowed values, for software. */
  readonly allowed?: (spec: FieldSpec) => readonly string[];
  /** Instruction for people who fill out the form, in one sentence. */
  readonly instruction: (spec: FieldSpec) => string;
  readonly control: (spec: FieldSpec, context: ControlContext) => Control;
  /** Converts the text of an example or a form to a value; if absent, the value is the text. */
  readonly read?: (text: string) => FieldValue;
  /** Formats a value for people; if absent, the value is unchanged. */
  readonly format?: (text: string, spec: FieldSpec) => string;
  /** Whether values are dates, YYYY-MM-DD. */
  readonly isDay?: true;
  /**
   * Whether a stored value cannot identify or locate anyone; if absent, any value may. The value
   * may be of another kind: the record may have changed, and a capability's field may accept text.
   */
  readonly isNeverPersonal?: (value: unknown, spec: FieldSpec) => boolean;
  /** Whether values may be any text if the field specifies no content. */
  readonly isFreeText?: true;
  /** Whether values are digit codes, whose leading zeros a spreadsheet would drop. */
  readonly isNumericCode?: true;
  readonly isZipCode?: true;
  /** Contact method that the values provide, if any. */
  readonly contactMethod?: 'email' | 'phone';
}
