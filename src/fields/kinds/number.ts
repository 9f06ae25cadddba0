import * as v from 'valibot';
import { fill } from '../../text/fill.ts';
import { numberInstructions } from '../../text/index.ts';
import type { FieldKind } from '../kind.ts';
import type { FieldSpec } from '../spec.ts';

const NUMBER_PATTERN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const parseNumber = (text: string): string | number =>
  NUMBER_PATTERN.test(text) ? Number(text) : text;

/** Describes the type and range of a number for software: `a whole number from 1 to 5`. */
function describeRange({ minimum, maximum, integer }: FieldSpec): string {
  const kind = integer ? 'a whole number' : 'a number';
  if (minimum !== undefined && maximum !== undefined)
    return `${kind} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${kind} of at least ${minimum}`;
  return maximum === undefined ? kind : `${kind} of at most ${maximum}`;
}

/** Instruction for people: which numbers to enter. */
function describeInput({ minimum, maximum, integer }: FieldSpec): string {
  const texts = numberInstructions[integer ? 'integer' : 'number'];
  if (minimum !== undefined && maximum !== undefined)
    return fill(texts.between, { minimum, maximum });
  if (minimum !== undefined) return fill(texts.atLeast, { minimum });
  return maximum === undefined ? texts.any : fill(texts.atMost, { maximum });
}

/** Explains why a number is rejected, and gives the accepted form. */
function findRangeFault(spec: FieldSpec, value: number): string | undefined {
  const { minimum = -Infinity, maximum = Infinity, integer } = spec;
  if (value < minimum || value > maximum) return `It is out of range. Send ${describeRange(spec)}.`;
  return integer && !Number.isInteger(value)
    ? `It is not a whole number. Send ${describeRange(spec)}.`
    : undefined;
}

export const number: FieldKind = {
  keys: ['minimum', 'maximum', 'integer'],
  *findSpecFaults({ minimum = -Infinity, maximum = Infinity, integer }) {
    if (minimum > maximum)
      yield [
        'maximum',
        'is less than the minimum. Use a maximum that is not less than the minimum',
      ];
    else if (integer && Math.ceil(minimum) > Math.floor(maximum))
      yield ['maximum', 'leaves no whole number between minimum and maximum. Widen the range'];
  },
  findExampleFault({ minimum, maximum, integer }, example) {
    const value = parseNumber(example);
    if (typeof value === 'string' || !Number.isFinite(value))
      return 'is not a number. Use digits as text, for example "3".';
    if (integer && !Number.isInteger(value)) return 'is not a whole number. Use a whole number.';
    if (minimum !== undefined && value < minimum)
      return `is less than the minimum. Use at least ${minimum}.`;
    return maximum !== undefined && value > maximum
      ? `is more than the maximum. Use at most ${maximum}.`
      : undefined;
  },
  jsonSchema: ({ minimum, maximum, integer }) => ({
    type: integer ? 'integer' : 'number',
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  }),
  check: (spec) =>
    v.pipe(
      v.number(),
      v.finite(),
      v.rawCheck(({ dataset, addIssue }) => {
        const fault = dataset.typed ? findRangeFault(spec, dataset.value) : undefined;
        if (fault !== undefined) addIssue({ message: fault, expected: describeInput(spec) });
      }),
    ),
  rule: (spec) => `Send a JSON number, without quotes or a unit: ${describeRange(spec)}.`,
  instruction: describeInput,
  control: ({ required, minimum, maximum, integer }) => ({
    kind: 'input',
    attributes: {
      type: 'number',
      required,
      inputmode: integer ? 'numeric' : 'decimal',
      step: integer ? 1 : 'any',
      ...(minimum !== undefined && { min: minimum }),
      ...(maximum !== undefined && { max: maximum }),
    },
  }),
  read: parseNumber,
  isNeverPersonal: Number.isFinite,
};
