import * as v from 'valibot';
import { createChoiceControl, optionLabelOf, createOption } from '../control.ts';
import { fieldInstructions } from '../../text/index.ts';
import type { FieldKind } from '../kind.ts';
import type { FieldSpec } from '../spec.ts';

const valuesOf = (spec: FieldSpec): string[] => spec.enum ?? [];

/**
 * Lists the values in the order of their labels in the record; values without a label come last.
 */
const listValuesForDisplay = (spec: FieldSpec): string[] => {
  const labeledValues = Object.keys(spec.options ?? {});
  const positionOf = (value: string) =>
    labeledValues.includes(value) ? labeledValues.indexOf(value) : labeledValues.length;
  return valuesOf(spec).toSorted((one, other) => positionOf(one) - positionOf(other));
};

/** A choice of one of the values that the record lists. */
export const enumeration: FieldKind = {
  keys: ['enum'],
  *findSpecFaults({ enum: values }) {
    if (!values) yield ['enum', 'is missing. List the values of an enum field'];
    else if (new Set(values).size < values.length)
      yield ['enum', 'lists a value twice. Keep one of them'];
  },
  findExampleFault: (spec, example) =>
    valuesOf(spec).includes(example)
      ? undefined
      : `is not one of ${valuesOf(spec).join(', ')}. Choose one of them.`,
  jsonSchema: (spec) => ({
    type: 'string',
    enum: spec.enum,
    ...(spec.default && { default: spec.default }),
  }),
  check: (spec) => v.pipe(v.string(), v.values(valuesOf(spec))),
  rule: (spec) => `Choose one of: ${valuesOf(spec).join(', ')}.`,
  allowed: valuesOf,
  instruction: () => fieldInstructions.option,
  control: (spec) =>
    createChoiceControl(
      spec,
      listValuesForDisplay(spec).map((value) => createOption(spec, value)),
    ),
  format: (text, spec) => optionLabelOf(spec, text),
  isNeverPersonal: (value, spec) => valuesOf(spec).some((member) => member === value),
};
