import { expect, it } from 'vitest';
import { phone } from '../../src/fields/kinds/phone.ts';

const { attributes } = phone.control(
  { required: true },
  { name: 'phone', items: () => [], subsites: () => [] },
);
const pattern = new RegExp(`^(?:${String(attributes['pattern'])})$`, 'v');

it.each([
  ['(727) 555-0142', true],
  ['727 555 0142', true],
  ['+1 727 555 0142', true],
  ['+354 555 1234', true],
  ['555-1234', false],
  ['(555) 1234', false],
])('the pattern of the form accepts %s: %s', (number, isAccepted) =>
  expect(pattern.test(number)).toBe(isAccepted),
);
