import { expect, it } from 'vitest';
import { nearest } from '../../src/site/nearest.ts';

it.each([
  ['receipt', ['receiptToken', 'text', 'accept', 'decline', 'withdraw'], 'receiptToken'],
  ['zipcode', ['issue', 'zip', 'urgency', 'notes'], 'zip'],
  ['mail', ['email', 'name', 'phone'], 'email'],
  ['recieptToken', ['receiptToken', 'accept'], 'receiptToken'],
  ['ac', ['go', 'hvac', 'fit'], undefined],
  ['fix_ac', ['request_hvac_service'], undefined],
])('the nearest name is %s among %j for %j', (word, known, expected) =>
  expect(nearest(word, known)).toBe(expected),
);
