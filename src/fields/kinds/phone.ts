import * as v from 'valibot';
import { toHtmlPattern } from '../html-pattern.ts';
import { fieldInstructions } from '../../text/index.ts';
import type { CheckContext, FieldKind } from '../kind.ts';
import { describeDigitFault } from '../phone-digits.ts';

const SEPARATORS = '[ ().-]{0,9}';

/** Creates a pattern for `min` to `max` digits, with optional separators between them. */
const createDigitsPattern = (min: number, max: number): string =>
  `[0-9](?:${SEPARATORS}[0-9]){${min - 1},${max - 1}}`;

/**
 * Maximum number of digits that people type: the 15 of E.164, the 011 that some write before the
 * country code, and a national prefix of up to two digits after it: “+49 (0)30 …”.
 */
const MAX_DIGITS = 3 + 15 + 2;

/**
 * Matches numbers with + and the country code, or with an area code and therefore at least ten
 * digits. Whether a number can exist is checked when it is parsed. The pattern uses no lookahead,
 * because some JSON Schema validators do not support it.
 */
export const PHONE_PATTERN = `^(?:\\+${SEPARATORS}${createDigitsPattern(5, MAX_DIGITS)}|(?:\\(${SEPARATORS})?${createDigitsPattern(10, MAX_DIGITS)})$`;
const PHONE_REGEXP = new RegExp(PHONE_PATTERN, 'u');

export const PHONE_RULE =
  'Enter a phone number with its area code, for example (727) 555-0142, or with + and the country code, but without an extension.';

/** Schema for a phone number, which it converts to E.164 format. */
export const createPhoneSchema = (parsePhone: CheckContext['parsePhone']) =>
  v.pipe(
    v.string(),
    Object.assign(
      v.rawCheck<string>(({ dataset: { value }, addIssue }) => {
        if (typeof value !== 'string' || PHONE_REGEXP.test(value)) return;
        const expected = describeDigitFault(value) ?? fieldInstructions.phoneNumber;
        addIssue({ message: PHONE_RULE, expected });
      }),
      { pattern: PHONE_PATTERN },
    ),
    v.rawTransform<string, string>(({ dataset: { value }, addIssue, NEVER }) => {
      const digitFault = describeDigitFault(value);
      const number = digitFault === undefined ? parsePhone(value) : undefined;
      if (number) return number;
      addIssue({
        message:
          'This is not a valid phone number. Enter it with its area code, for example (727) 555-0142, or with + and the country code.',
        expected: digitFault ?? fieldInstructions.invalidPhone,
      });
      return NEVER;
    }),
  );

/** Describes for software what a number needs in addition to matching {@link PHONE_PATTERN}. */
export const PHONE_DESCRIPTION =
  'Telephone number with its area code, such as (727) 555-0142, or with + and the country code.';

/**
 * Formats an E.164 number as people in the US write it; a number from another country is unchanged.
 */
export const formatPhone = (number: string): string =>
  number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');

export const phone: FieldKind = {
  findExampleFault: (_, example) =>
    PHONE_REGEXP.test(example)
      ? undefined
      : 'is not a phone number. Use one such as (727) 555-0142.',
  jsonSchema: () => ({ type: 'string', pattern: PHONE_PATTERN }),
  check: (_, { parsePhone }) => createPhoneSchema(parsePhone),
  rule: () => PHONE_RULE,
  instruction: () => fieldInstructions.phoneNumber,
  control: ({ required }) => ({
    kind: 'input',
    attributes: {
      type: 'tel',
      required,
      pattern: toHtmlPattern(PHONE_PATTERN),
      autocomplete: 'tel',
    },
  }),
  contactMethod: 'phone',
};
