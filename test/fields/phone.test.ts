import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { PHONE_PATTERN, phone } from '../../src/fields/kinds/phone.ts';
import { describeDigitFault } from '../../src/fields/phone-digits.ts';
import { phone as phoneSchema } from '../../src/leads/submit/validate-fields.ts';
import { validateValue } from '../../src/operation/validate.ts';
import { fieldInstructions } from '../../src/text/index.ts';
import { createPropertyParameters } from '../setup/seeds.ts';

const { attributes } = phone.control(
  { required: true },
  { name: 'phone', items: () => [], subsites: () => [] },
);
const isAcceptedByForm = (text: string) =>
  new RegExp(`^(?:${String(attributes['pattern'])})$`, 'v').test(text);
const isAcceptedBySchema = (text: string) => new RegExp(PHONE_PATTERN, 'u').test(text);
const isAcceptedByServer = (text: string) => v.safeParse(phoneSchema, text).success;

it.each([
  ['(727) 555-0142', true],
  ['727 555 0142', true],
  ['+1 727 555 0142', true],
  ['+354 555 1234', true],
  ['011 44 20 7946 0958', true],
  ['555-1234', false],
  ['(555) 1234', false],
  ['+()()()()0', false],
])('the form, the JSON Schema and the server accept %s: %s', (number, isAccepted) =>
  expect([
    isAcceptedByForm(number),
    isAcceptedBySchema(number),
    isAcceptedByServer(number),
  ]).toEqual([isAccepted, isAccepted, isAccepted]),
);

it.each([
  ['727-555-01', 'This number has 8 digits. A US number has 10, with the area code.'],
  ['7', 'This number has 1 digit. A US number has 10, with the area code.'],
  ['727 555 01489', 'This number has 11 digits. A US number has 10, with the area code.'],
  ['1 1 727 555 0142', 'This number has 12 digits. A US number has 10, with the area code.'],
  ['123 555 0142', fieldInstructions.invalidPhone],
  ['+1 727 555 01', fieldInstructions.invalidPhone],
  ['727 555 0142 ext. 5', fieldInstructions.phoneNumber],
  ['', fieldInstructions.phoneNumber],
])('a form says what is wrong with %s: %s', (text, instruction) =>
  expect(validateValue(phoneSchema, text, ['phone']).errors).toEqual([
    expect.objectContaining({ pointer: '/phone', instruction }),
  ]),
);

const separators = fc.string({
  unit: fc.constantFrom(' ', '(', ')', '.', '-'),
  maxLength: 3,
});

/** Digits with any separators: of numbers that exist, of others, and of any length. */
const numbers = fc
  .tuple(
    fc.constantFrom('', '(', '+', '011', '(011'),
    fc.oneof(
      fc.constantFrom(
        '7275550142',
        '17275550142',
        '442079460958',
        '3545551234',
        '6834002',
        '39066982',
      ),
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 3, maxLength: 20 }),
    ),
    fc.array(separators, { minLength: 24, maxLength: 24 }),
  )
  .map(([prefix, digits, between]) =>
    [...(prefix + digits)]
      .map((digit, index) => (index === 0 ? digit : between[index]! + digit))
      .join(''),
  );

/** The digits of a number, after + if it starts with it. */
const removeSeparators = (text: string) => text.replace(/[ ().-]/g, '');

it('the form, the JSON Schema and the server agree about every number that could exist', () =>
  fc.assert(
    fc.property(numbers, (text) => {
      const exists = parsePhoneNumberFromString(removeSeparators(text), 'US')?.isValid() === true;
      expect(isAcceptedByForm(text)).toBe(isAcceptedBySchema(text));
      // The library removes any number of leading ones from 1 1 727 555 0142, which is a typo.
      const hasRightLength = describeDigitFault(text) === undefined;
      expect(isAcceptedByServer(text)).toBe(isAcceptedBySchema(text) && exists && hasRightLength);
      const isComplete = text.startsWith('+') || text.replace(/\D/g, '').length >= 10;
      if (exists && isComplete) expect(isAcceptedBySchema(text)).toBe(true);
    }),
    createPropertyParameters(5000, {
      examples: [['+4902000000000000'], ['(0114905000000000000'], ['115005000000']],
    }),
  ));
