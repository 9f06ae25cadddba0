import type * as v from 'valibot';
import type { Control, ControlContext } from './control.ts';
import type { FieldSpec, FieldValue } from './spec.ts';

/** What a check needs from the network. */
export interface CheckContext {
  /** Names of the subsites. */
  subsites: readonly string[];
  /** A telephone number as E.164; undefined where the number is not valid. */
  readPhone: (text: string) => string | undefined;
}

/** A kind of field. All handling of a kind of field is in the file of that kind. */
export interface FieldKind {
  /** Keys of a field’s record that belong to this kind only. */
  readonly keys?: readonly (keyof FieldSpec)[];
  /** What is wrong with these keys, each fault with its key. */
  readonly recordFaults?: (spec: FieldSpec) => Iterable<[key: keyof FieldSpec, problem: string]>;
  /** What is wrong with the example of a record. `subsites` are the names of all. */
  readonly exampleFault: (
    spec: FieldSpec,
    example: string,
    subsites: readonly string[],
  ) => string | undefined;
  /** JSON Schema (2020-12) of a value, without description and examples. */
  readonly jsonSchema: (spec: FieldSpec) => Record<string, unknown>;
  /** The check of a value that was sent. */
  readonly check: (spec: FieldSpec, context: CheckContext) => v.GenericSchema;
  /** For software: what a value must be, in one sentence. */
  readonly rule: (spec: FieldSpec) => string;
  /** For software: the values to choose from. */
  readonly allowed?: (spec: FieldSpec) => readonly string[];
  /** For the person at a form: what to do, in one sentence. */
  readonly instruction: (spec: FieldSpec) => string;
  /** How a form asks for it. */
  readonly control: (spec: FieldSpec, context: ControlContext) => Control;
  /** Converts the text of an example or a form to a value; the text itself when left out. */
  readonly read?: (text: string) => FieldValue;
  /** A value as people read it; unchanged when left out. */
  readonly inWords?: (text: string, spec: FieldSpec) => string;
  /** Whether its values are days, YYYY-MM-DD. */
  readonly isDay?: true;
  /** Whether its values say nothing about a person. */
  readonly isImpersonal?: true;
  /** Whether its values are codes made of digits, whose leading zeros a spreadsheet would drop. */
  readonly isDigits?: true;
  /** Whether its values are ZIP codes. */
  readonly isPlace?: true;
  /** How to reach a person with it. */
  readonly reach?: 'email' | 'phone';
}
