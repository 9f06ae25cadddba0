import { expect, it } from 'vitest';
import { findNearest, findNearestName } from '../../src/site/corrections/similar-names.ts';

it.each([
  ['receipt', ['receiptToken', 'text', 'accept', 'decline', 'withdraw'], 'receiptToken'],
  ['zipcode', ['issue', 'zip', 'urgency', 'notes'], 'zip'],
  ['mail', ['email', 'name', 'phone'], 'email'],
  ['recieptToken', ['receiptToken', 'accept'], 'receiptToken'],
  ['trailer', ['tables', 'walk', 'hvac'], undefined],
  ['trialer', ['tables', 'trailer'], 'trailer'],
  ['wate', ['wait', 'status'], 'wait'],
  ['ac', ['go', 'hvac', 'fit'], undefined],
  ['fix_ac', ['request_hvac_service'], undefined],
])('to %s, the nearest of %j is %j', (word, names, expected) =>
  expect(findNearest(word, names)).toBe(expected),
);

const rentalFields = ['size', 'pickup_date', 'return_date'];

it.each([
  ['start_date', rentalFields, 'pickup_date'],
  ['from', rentalFields, 'pickup_date'],
  ['check_in', rentalFields, 'pickup_date'],
  ['begin', rentalFields, 'pickup_date'],
  ['end_date', rentalFields, 'return_date'],
  ['to', rentalFields, 'return_date'],
  ['until', rentalFields, 'return_date'],
  ['checkout', rentalFields, 'return_date'],
  ['retrun_date', rentalFields, 'return_date'],
  ['delivery_date', rentalFields, undefined],
  ['start_date', ['visit_date'], undefined],
  ['end_date', ['a_date', 'b_date', 'c_date'], undefined],
  ['start_date', ['return_date', 'start_day'], undefined],
  ['tel', ['name', 'email', 'phone'], 'phone'],
  ['q', ['category', 'query', 'status'], 'query'],
])('for %s, the intended name among %j is %s', (name, names, expected) =>
  expect(findNearestName(name, names)).toBe(expected),
);
