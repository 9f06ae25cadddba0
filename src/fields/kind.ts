import type * as v from 'valibot';
import type { Control, ControlContext } from './control.ts';
import type { FieldSpec, FieldValue } from './spec.ts';

/** What a check asks of the network. */
export interface CheckContext {
  /** Names of the subsites. */
  subsites: readonly string[];
  /** A telephone number as E.164; undefined where it is not in use. */
  readPhone: (text: string) => string | undefined;
}

/** A kind of field. Whatever the program does with fields of a kind is in the file of that kind. */
export interface FieldKind {
  /** Keys of a field’s record that belong to this kind only. */
  readonly keys?: readonly (keyof FieldSpec)[];
  /** What is wrong with these keys, each with the key that it is about. */
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
  /** The value that the text of an example or a form stands for; the text itself when left out. */
  readonly read?: (text: string) => FieldValue;
  /** A value as people read it; as it is when left out. */
  readonly inWords?: (text: string, spec: FieldSpec) => string;
  /** Whether its values are days, YYYY-MM-DD. */
  readonly isDay?: true;
  /** Whether its values say nothing about a person. */
  readonly isImpersonal?: true;
  /** Whether its values are digits with a meaning of their own, whose leading zeros a spreadsheet would drop. */
  readonly isDigits?: true;
  /** Whether its values are ZIP codes. */
  readonly isPlace?: true;
  /** How a person is reached at it. */
  readonly reach?: 'email' | 'phone';
}
