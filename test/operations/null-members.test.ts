import { validateValue } from '../../src/operation/validate.ts';
import { expect, it } from 'vitest';
import * as v from 'valibot';

const schema = v.strictObject({
  name: v.string(),
  note: v.optional(v.string()),
  place: v.optional(v.strictObject({ city: v.exactOptional(v.string()), zip: v.string() })),
});

const messagesOf = (value: unknown) =>
  Object.fromEntries(
    validateValue(schema, value).errors.map(({ pointer, message }) => [pointer, message]),
  );

it('advises omitting an optional member that is null', () => {
  expect(messagesOf({ name: 'A', note: null })['/note']).toMatch(
    / null is not accepted: leave it out/,
  );
  expect(messagesOf({ name: 'A', place: null })['/place']).toMatch(
    / null is not accepted: leave it out/,
  );
  expect(messagesOf({ name: 'A', place: { city: null, zip: '1' } })['/place/city']).toMatch(
    / null is not accepted: leave it out/,
  );
});

it('does not give this advice for null in a required member or for another wrong value', () => {
  expect(messagesOf({ name: null })['/name']).not.toMatch(/leave it out/);
  expect(messagesOf({ name: 'A', note: 1 })['/note']).not.toMatch(/leave it out/);
  expect(messagesOf({ name: 'A', place: { city: 'B', zip: null } })['/place/zip']).not.toMatch(
    /leave it out/,
  );
});
