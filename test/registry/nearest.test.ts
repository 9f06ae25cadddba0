import { expect, it } from 'vitest';
import { findNearest, findNearestName } from '../../src/site/nearest.ts';

it.each([
  ['receipt', ['receiptToken', 'text', 'accept', 'decline', 'withdraw'], 'receiptToken'],
  ['zipcode', ['issue', 'zip', 'urgency', 'notes'], 'zip'],
  ['mail', ['email', 'name', 'phone'], 'email'],
  ['recieptToken', ['receiptToken', 'accept'], 'receiptToken'],
  ['ac', ['go', 'hvac', 'fit'], undefined],
  ['fix_ac', ['request_hvac_service'], undefined],
])('the nearest name is %s among %j for %j', (word, names, expected) =>
  expect(findNearest(word, names)).toBe(expected),
);

const rental = ['size', 'pickup_date', 'return_date'];

it.each([
  ['start_date', rental, 'pickup_date'],
  ['from', rental, 'pickup_date'],
  ['check_in', rental, 'pickup_date'],
  ['begin', rental, 'pickup_date'],
  ['end_date', rental, 'return_date'],
  ['to', rental, 'return_date'],
  ['until', rental, 'return_date'],
  ['checkout', rental, 'return_date'],
  ['retrun_date', rental, 'return_date'],
  ['delivery_date', rental, undefined],
  ['start_date', ['visit_date'], undefined],
  ['end_date', ['a_date', 'b_date', 'c_date'], undefined],
  ['start_date', ['return_date', 'start_day'], undefined],
  ['tel', ['name', 'email', 'phone'], 'phone'],
  ['q', ['category', 'query', 'status'], 'query'],
])('the name meant by %s among %j is %s', (name, names, expected) =>
  expect(findNearestName(name, names)).toBe(expected),
);
